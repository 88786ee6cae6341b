import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Call {
  /** Of the delivery. */
  readonly key: string
  readonly text: string
  /** What it is answered. */
  readonly status: number
}

/** What channels send to, and what writes down each message before it answers. */
export interface Receiver {
  readonly url: string
  readonly calls: readonly Call[]
  /** Calls that wait for their answer. */
  open(): number
  close(): Promise<void>
}

/** `answer` says for each call what it is answered, and after how long. */
export async function startReceiver(
  answer: () => { readonly status: number; readonly afterMs: number }
): Promise<Receiver> {
  const calls: Call[] = []
  let open = 0
  const server = createServer(async (request, response) => {
    // What was cut off in the middle of its body has not been got.
    const body = await request.toArray().catch(() => undefined)
    if (body === undefined) return
    const { status, afterMs } = answer()
    calls.push({ key: String(request.headers['idempotency-key']), text: Buffer.concat(body).toString(), status })
    open += 1
    await delay(afterMs)
    open -= 1
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    open: () => open,
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
