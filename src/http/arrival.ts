import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../engines/clock.ts'
import { answerClientError } from './client-errors.ts'
import { LINGER_MS } from './connection.ts'

const BODY_MS = 60_000

/** Bounds the time in which the body of a request has to arrive, whether or not anybody reads it. */
export function limitArrival(request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  const { raw } = request
  const { socket } = raw
  const giveUp = () => {
    answerClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' } as NodeJS.ErrnoException, socket, request.id)
  }
  if (request.routeOptions.config.route?.stream === undefined) {
    const cancel = clock.after(BODY_MS, giveUp)
    raw.once('end', cancel)
    raw.once('close', cancel)
    return
  }
  // A streamed body may take as long as it likes, but must keep moving.
  request.underWay.expectBody(giveUp)
  reply.raw.once('finish', () => {
    if (raw.complete) return
    const cancel = clock.after(LINGER_MS, () => socket.destroy())
    raw.once('end', cancel)
    raw.once('close', cancel)
    raw.unpipe()
    raw.resume()
  })
}
