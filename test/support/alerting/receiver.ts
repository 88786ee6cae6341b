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
  /** From now on calls are not answered, until the returned function is called. */
  hold(): () => void
  /** The ports that calls come from which wait for their answer. */
  waiting(): readonly number[]
  close(): Promise<void>
}

/** `answer` says for each call what it is answered, and after how long. */
export async function startReceiver(
  answer: () => { readonly status: number; readonly afterMs: number }
): Promise<Receiver> {
  const calls: Call[] = []
  const waiting = new Set<number>()
  let held: Promise<void> | undefined
  const server = createServer(async (request, response) => {
    // What was cut off in the middle of its body has not been got.
    const body = await request.toArray().catch(() => undefined)
    if (body === undefined) return
    const { status, afterMs } = answer()
    calls.push({ key: String(request.headers['idempotency-key']), text: Buffer.concat(body).toString(), status })
    const port = request.socket.remotePort as number
    waiting.add(port)
    await Promise.all([delay(afterMs), held])
    waiting.delete(port)
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
    waiting: () => [...waiting],
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
