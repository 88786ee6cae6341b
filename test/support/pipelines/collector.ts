import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server that takes arrays of records, and says when it got which. */
export interface Collector<R> {
  readonly url: string
  readonly requests: readonly { readonly atMs: number; readonly records: readonly R[] }[]
  records(): R[]
  close(): Promise<void>
}

export async function startCollector<R>(): Promise<Collector<R>> {
  const requests: { atMs: number; records: R[] }[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    requests.push({ atMs: performance.now(), records: JSON.parse(Buffer.concat(parts).toString()) })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/records`,
    requests,
    records: () => requests.flatMap(({ records }) => records),
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
