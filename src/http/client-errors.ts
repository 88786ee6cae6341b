import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { PROBLEM_TYPE, problemBody } from './problems.ts'

const STATUS_TEXT: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout', 414: 'URI Too Long' }

/** Answers what never became a request: broken framing, headers that are too long or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy()
    return
  }
  const problem = new Problem(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'uri_too_long'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'malformed_request'
  )
  const body = problemBody(problem, { id: requestId, url: '' })
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_TEXT[problem.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close'
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Another answer has begun on this connection: a second one in its midst would be taken for part of it. */
function isBeingAnswered(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return _httpMessage?.headersSent === true
}
