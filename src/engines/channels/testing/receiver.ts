import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { createOutbound } from '../../outbound/index.ts'
import { serve } from '../../outbound/testing/servers.ts'
import { type Channels, createChannels } from '../index.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** For channels that say nothing. */
export const quiet: Pick<Log, 'warn'> = { warn: () => {} }

/** Channels that may call this machine. */
export function openChannels(t: TestContext, clock?: Clock, log = quiet): Channels {
  const outbound = createOutbound({
    allowPrivateNetworks: true,
    allowedHosts: [],
    lookup: async () => [{ address: '127.0.0.1' }],
    ...(clock === undefined ? {} : { clock })
  })
  const channels = createChannels({ outbound, log, ...(clock === undefined ? {} : { clock }) })
  t.after(async () => {
    await channels.close()
    await outbound.close()
  })
  return channels
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
