import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import { answerClientError } from './client-errors.ts'

const BODY_MS = 60_000
/** A stream may take as long as it likes, but not stand still. */
const STALLED_MS = 60_000
/** What was refused may still be on its way; whoever sends it should get to read why. */
const LINGER_MS = 5000

/** Bounds the time in which the body of a request has to arrive, whether or not anybody reads it. */
export function limitArrival(request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  const { raw } = request
  const { socket } = raw
  if (request.routeOptions.config.route?.stream === undefined) {
    const cancel = clock.after(BODY_MS, () => {
      answerClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' } as NodeJS.ErrnoException, socket, request.id)
    })
    raw.once('end', cancel)
    raw.once('close', cancel)
    return
  }
  dropWhenStalled(socket, reply.raw, STALLED_MS)
  reply.raw.once('finish', () => {
    if (raw.complete) return
    const cancel = clock.after(LINGER_MS, () => socket.destroy())
    raw.once('end', cancel)
    raw.once('close', cancel)
    raw.unpipe()
    raw.resume()
  })
}

/** Closes a connection on which nothing moves for so long before the answer is out. */
export function dropWhenStalled(socket: Socket, response: ServerResponse, limitMs: number): void {
  const giveUp = () => socket.destroy()
  socket.setTimeout(limitMs, giveUp)
  // Before the runtime's own listener, which sets the time for which an idle connection is kept.
  response.prependOnceListener('finish', () => {
    socket.setTimeout(0)
    socket.off('timeout', giveUp)
  })
}
