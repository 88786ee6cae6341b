import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SourceError } from '../errors.ts'
import {
  type Answer,
  BadFrame,
  decodeAnswer,
  encodeQuestion,
  frameBytes,
  type Question,
  transactionOf
} from './frames.ts'

const CONNECT_LIMIT_MS = 10_000
const ANSWER_LIMIT_MS = 5000

/** A connection to a device, with one question at a time: many devices know no more. */
export class Connection {
  readonly #socket: Socket
  readonly #unit: number
  #received = Buffer.alloc(0)
  #transaction = 0

  private constructor(socket: Socket, unit: number) {
    this.#socket = socket
    this.#unit = unit
  }

  static async open(address: string, port: number, unit: number, signal: AbortSignal): Promise<Connection> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT_MS)])
    const socket = connect({ host: address, port, noDelay: true })
    // What happens while nobody waits is told with the next question; unheard, it would end the process.
    socket.on('error', () => {})
    try {
      await once(socket, 'connect', { signal: limit })
    } catch {
      socket.destroy()
      signal.throwIfAborted()
      throw new SourceError(
        'unreachable',
        `The device accepts no connection at port ${port}; check that it is up`,
        '/port'
      )
    }
    return new Connection(socket, unit)
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)])
    this.#transaction = (this.#transaction + 1) % 0x10000
    try {
      this.#socket.write(encodeQuestion(question, this.#unit, this.#transaction))
      return decodeAnswer(await this.#nextFrame(limit), question)
    } catch (error) {
      this.close()
      signal.throwIfAborted()
      throw asSourceError(error, limit.aborted)
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  /** The answer to the last question; what came late for one before is left aside. */
  async #nextFrame(signal: AbortSignal): Promise<Buffer> {
    for (;;) {
      const bytes = frameBytes(this.#received)
      if (bytes === undefined || this.#received.length < bytes) {
        this.#received = Buffer.concat([this.#received, await this.#nextBytes(signal)])
        continue
      }
      const frame = this.#received.subarray(0, bytes)
      this.#received = this.#received.subarray(bytes)
      if (transactionOf(frame) === this.#transaction) return frame
    }
  }

  #nextBytes(signal: AbortSignal): Promise<Buffer> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const onData = (bytes: Buffer) => end(() => resolve(bytes))
      const onClose = () => end(() => reject(new Error('closed')))
      const onError = (error: Error) => end(() => reject(error))
      const onAbort = () => end(() => reject(signal.reason))
      const end = (settle: () => void) => {
        socket.pause()
        socket.off('data', onData).off('close', onClose).off('error', onError)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      socket.on('data', onData).on('close', onClose).on('error', onError)
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      else if (socket.destroyed) onClose()
      else socket.resume()
    })
  }
}

function asSourceError(error: unknown, isLate: boolean): SourceError {
  if (error instanceof BadFrame)
    return new SourceError('unavailable', 'What answers there does not speak Modbus TCP; check the port', '/port')
  if (isLate)
    return new SourceError(
      'timeout',
      `The device did not answer within ${ANSWER_LIMIT_MS / 1000} s; check the unit and that it is up`,
      '/unit'
    )
  return new SourceError('unavailable', 'The device closed the connection; it may serve few at a time. Try again later')
}
