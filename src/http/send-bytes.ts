import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FileSlice } from '../engines/objects/index.ts'
import type { BytesAnswer } from './route.ts'
import { sendFile } from './send-file.ts'

/** To copy so much takes longer than to write it as a second piece. */
const LARGE_BYTES = 64 * 1024

/** Sends content as it is: from memory, from the network, or from a file past everything that would copy it again. */
export function sendBytes({ status, headers, body }: BytesAnswer, request: FastifyRequest, reply: FastifyReply) {
  if (body === undefined || Buffer.isBuffer(body)) {
    const response = begin(reply, status, headers)
    // Text in latin1 is written together with the head; a buffer would be a second piece of the same write.
    if (body === undefined || request.method === 'HEAD') response.end()
    else if (body.length > LARGE_BYTES) response.end(body)
    else response.end(body.toString('latin1'), 'latin1')
    return reply
  }
  if (!(body instanceof FileSlice)) return reply.code(status).headers(headers).send(body)
  void sendFile(body, begin(reply, status, headers))
  return reply
}

/** Writes the head itself: the framework would handle each header twice and replace the length of the content. */
function begin(reply: FastifyReply, status: number, headers: BytesAnswer['headers']): ServerResponse {
  reply.hijack()
  reply.code(status) // for the log and the metrics
  return reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers })
}
