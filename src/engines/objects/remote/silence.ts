import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { toOutboundError } from '../../outbound/errors.ts'

export interface Limits {
  readonly connectMs: number
  /** The limit of time without a byte in either direction. */
  readonly silenceMs: number
}

export const LIMITS: Limits = { connectMs: 10_000, silenceMs: 60_000 }

/** How far an exchange has come. */
export interface Progress {
  readonly where: string
  hasTcp: boolean
  hasTls: boolean
  answer: IncomingMessage | undefined
  waitsForSource: boolean
}

/** Only silence of the server counts: not the time in which the body's source or the reader of the answer pauses. */
export function limitSilence(request: ClientRequest, progress: Progress, { connectMs, silenceMs }: Limits): void {
  const timedOut = () => toOutboundError({ code: 'ETIMEDOUT' }, progress.where)
  // The request's own timeout event comes only once.
  request.once('socket', (socket) => {
    const onSilence = () => {
      const { answer, waitsForSource } = progress
      if (waitsForSource || waitsForReader(answer)) socket.setTimeout(silenceMs)
      else if (answer === undefined) request.destroy(timedOut())
      else answer.destroy(timedOut())
    }
    socket.setTimeout(silenceMs).on('timeout', onSilence)
    request.once('close', () => socket.off('timeout', onSilence))
    watchConnecting(socket, progress, connectMs, () => request.destroy(timedOut()))
  })
}

/** Whether the reader pauses. `isPaused` does not tell: with `for await` a stream is always paused. */
function waitsForReader(answer: IncomingMessage | undefined): boolean {
  return answer !== undefined && (answer.readableLength > 0 || answer.complete)
}

function watchConnecting(socket: Socket, progress: Progress, connectMs: number, giveUp: () => void): void {
  if (!socket.connecting) {
    progress.hasTcp = progress.hasTls = true
    return
  }
  const timer = setTimeout(giveUp, connectMs)
  socket.once('connect', () => {
    progress.hasTcp = true
  })
  socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
    progress.hasTls = true
    clearTimeout(timer)
  })
  socket.once('close', () => clearTimeout(timer))
}
