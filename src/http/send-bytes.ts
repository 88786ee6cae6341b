import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FileSlice } from '../engines/objects/index.ts'
import { dropWhenStalled } from './arrival.ts'
import type { BytesAnswer } from './route.ts'
import { sendFile } from './send-file.ts'

/** A reader that takes nothing for this long has gone. */
const STALLED_MS = 120_000

/** Sends content as it is: from memory, from the network, or from a file past everything that would copy it again. */
export function sendBytes({ status, headers, body }: BytesAnswer, request: FastifyRequest, reply: FastifyReply) {
  reply.code(status).headers(headers)
  if (Buffer.isBuffer(body) && request.method !== 'HEAD') return reply.serializer(asItIs).send(body)
  if (body === undefined || Buffer.isBuffer(body)) {
    // The framework would put a length of its own in place of the content's.
    begin(reply).end()
    return reply
  }
  dropWhenStalled(request.raw.socket, reply.raw, STALLED_MS)
  if (!(body instanceof FileSlice)) return reply.send(body)
  void sendFile(body, begin(reply))
  return reply
}

const asItIs = (payload: unknown) => payload as string

function begin(reply: FastifyReply): ServerResponse {
  reply.hijack()
  return reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
}
