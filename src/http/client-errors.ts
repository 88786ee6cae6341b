import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { LINGER_MS } from './connection.ts'
import { STATUS_CODES } from './node-http.ts'
import { PROBLEM_TYPE, problemBody } from './problems.ts'

/** Answers bytes that never became a request: broken framing, headers that are too long or too slow. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET') {
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
  answerOnSocket(problem, socket, requestId)
}

/** Writes the last answer of a connection directly to the socket, since there is no request to answer. */
export function answerOnSocket(problem: Problem, socket: Socket, requestId: string): void {
  if (socket.destroyed || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy()
    return
  }
  const body = problemBody(problem, { id: requestId, url: '' })
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(problem.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    'Connection: close'
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // A client that never closes its side would otherwise keep the connection for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Whether another answer has begun on this connection: a second one in its midst would be taken for part of it. */
function isBeingAnswered(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return _httpMessage?.headersSent === true
}
