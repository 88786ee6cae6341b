import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Clock } from '../engines/clock.ts'
import { Pace } from './pace.ts'
import type { RequestQueue } from './request-queue.ts'
import type { UnderWay } from './under-way.ts'

/** The rest of a refused request may still be arriving; so long its sender has to read the refusal. */
export const LINGER_MS = 5000
/** How long a client has to close its side after we closed ours. */
const LEAVE_MS = 500

/** One connection, with what is under way on it. */
export class Connection {
  readonly socket: Socket
  /** Whose connection it is counted as. */
  readonly holder: string
  readonly queue: RequestQueue
  readonly underWay: UnderWay[] = []
  /** Whether the connection ends with the requests under way: later ones get no answer. */
  isLast = false
  idleSinceMs: number
  #latest: IncomingMessage | undefined
  #lingers = false
  readonly #clock: Clock
  readonly #taking = new Pace()
  #flushedBytes = 0

  constructor(socket: Socket, holder: string, queue: RequestQueue, clock: Clock) {
    this.socket = socket
    this.holder = holder
    this.queue = queue
    this.#clock = clock
    this.idleSinceMs = clock.elapsed()
  }

  add(underWay: UnderWay): void {
    const { request } = underWay
    this.underWay.push(underWay)
    this.#latest = request
    // Only where it may be needed, because Node is slower with sockets that differ from others.
    if (this.#lingers || (request.headers['content-length'] ?? request.headers['transfer-encoding']) === undefined)
      return
    this.#lingers = true
    this.socket.destroySoon = () => this.#closeWhenRead()
  }

  remove(underWay: UnderWay): void {
    const index = this.underWay.indexOf(underWay)
    if (index >= 0) this.underWay.splice(index, 1)
    if (this.underWay.length === 0) this.idleSinceMs = this.#clock.elapsed()
  }

  isIdleFor(ms: number): boolean {
    return this.underWay.length === 0 && this.queue.isEmpty && this.#clock.elapsed() - this.idleSinceMs >= ms
  }

  /** Makes the newest answer the last one of the connection; its head says so where it was not sent yet. */
  closeAfterwards(): void {
    const newest = this.underWay.at(-1)?.response
    if (newest === undefined || newest.headersSent) return
    newest.shouldKeepAlive = false
    this.isLast = true
  }

  /** Ends the connection; nothing is under way on it. */
  leave(): void {
    this.isLast = true
    this.socket.end()
    this.#destroyAfter(LEAVE_MS)
  }

  /** Bytes of answers that the client has not taken yet, and of requests that wait for that. */
  waitingBytes(): number {
    let bytes = this.queue.restBytes
    for (const { response } of this.underWay) bytes += response.writableLength
    return bytes
  }

  /** Whether the client takes waiting answers too slowly or not at all. */
  isNotTaken(nowMs: number): boolean {
    if (this.socket.writableLength > 0) return this.#taking.isTooSlow(flushedBytes(this.socket), nowMs)
    this.#taking.rest()
    return false
  }

  /** Whether the client has taken anything since the last call. */
  hasMoved(): boolean {
    const flushed = flushedBytes(this.socket)
    const hasMoved = flushed !== this.#flushedBytes
    this.#flushedBytes = flushed
    return hasMoved
  }

  /**
   * Reads on before it closes: closed while a body still arrives, the sender would see a reset in place of the
   * answer.
   */
  #closeWhenRead(): void {
    if (this.#latest === undefined || this.#latest.complete) {
      Socket.prototype.destroySoon.call(this.socket)
      return
    }
    this.socket.end()
    this.#destroyAfter(LINGER_MS)
  }

  #destroyAfter(ms: number): void {
    this.socket.once(
      'close',
      this.#clock.after(ms, () => this.socket.destroy())
    )
  }
}

/** Bytes that the operating system has taken: those written, less those that wait for room. */
function flushedBytes(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as unknown as {
    _bytesDispatched?: number
    _handle?: { writeQueueSize: number } | null
  }
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0)
}
