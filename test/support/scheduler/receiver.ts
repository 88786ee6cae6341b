import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Call {
  readonly key: string
  readonly scheduleId: string
  readonly dueAt: string
}

/** What schedules call, and what writes down each call before it answers. */
export interface Receiver {
  readonly url: string
  readonly calls: readonly Call[]
  close(): Promise<void>
}

/** `delayMs` says how long each answer takes, so that some calls are always under way. */
export async function startReceiver(delayMs: () => number): Promise<Receiver> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const header = (name: string) => String(request.headers[name])
    calls.push({
      key: header('idempotency-key'),
      scheduleId: header('x-millrace-schedule-id'),
      dueAt: header('x-millrace-due-at')
    })
    request.resume()
    setTimeout(() => response.end(), delayMs())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls,
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
