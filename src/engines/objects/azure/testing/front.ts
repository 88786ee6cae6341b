import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { serve } from '../../../outbound/testing/servers.ts'

export interface Passing {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Passes the request on as it is, or with other headers and another body. */
  pass(changes?: { headers?: Record<string, string>; body?: Buffer }): Promise<IncomingMessage>
}

/** Stands in front of a server, sees every request, and decides what becomes of it and of its answer. */
export async function serveInFront(t: TestContext, port: number, handle: (passing: Passing) => Promise<void>) {
  return serve(t, (incoming, response) => {
    const pass: Passing['pass'] = ({ headers, body } = {}) =>
      new Promise((resolve, reject) => {
        const sent = headers ?? (incoming.headers as Record<string, string>)
        const call = request({ port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers: sent })
        call.once('response', resolve).once('error', reject)
        if (body === undefined) incoming.pipe(call)
        else call.end(body)
      })
    handle({ request: incoming, response, pass }).catch(() => response.destroy())
  })
}

export function answerWith(response: ServerResponse, answer: IncomingMessage): void {
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  answer.pipe(response)
}
