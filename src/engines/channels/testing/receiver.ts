import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import type { Clock } from '../../clock.ts'
import { createOutbound } from '../../outbound/index.ts'
import { serve } from '../../outbound/testing/servers.ts'
import { type Channels, createChannels } from '../index.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Channels that may call this machine. */
export function openChannels(t: TestContext, clock?: Clock): Channels {
  const outbound = createOutbound({
    allowPrivateNetworks: true,
    allowedHosts: [],
    lookup: async () => [{ address: '127.0.0.1' }],
    ...(clock === undefined ? {} : { clock })
  })
  t.after(() => outbound.close())
  return createChannels({ outbound, ...(clock === undefined ? {} : { clock }) })
}

/** A server that keeps what it is sent, and answers as it is told. */
export async function receive(t: TestContext, answer: RequestListener = (_request, response) => response.end('ok')) {
  const received: Received[] = []
  const { port } = await serve(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push({ path: request.url ?? '', headers: request.headers, body })
    answer(request, response)
  })
  return { url: `http://127.0.0.1:${port}`, received, bodies: () => received.map(({ body }) => JSON.parse(body)) }
}

export const options = () => ({ signal: new AbortController().signal, idempotencyKey: 'key-1' })
