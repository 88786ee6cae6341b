import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { type OpenSource, runSteps, type SourceConfig } from '../index.ts'
import type { RunningSource } from './contract.ts'

type Using = <T>(changes: SourceConfig, work: (opened: OpenSource) => Promise<T>, by: Outbound) => Promise<T>

type UnderPolicy = Pick<RunningSource, 'config' | 'steps' | 'stream'>

const LIMIT_MS = 30_000
const signal = () => AbortSignal.timeout(LIMIT_MS)

/** A port of this machine, by TCP and UDP, that counts who comes. */
async function startCounter() {
  let visits = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    visits += 1
    sockets.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const datagrams = createSocket('udp4').on('message', () => {
    visits += 1
  })
  await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve))
  return {
    port,
    visits: () => visits,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      datagrams.close()
    }
  }
}

/**
 * That no private address is called where that is not permitted: not by a test, not to look for streams, not to read one, and
 * not to follow its changes.
 */
export async function provesPolicy(using: Using, { config, steps, stream: { name } }: UnderPolicy): Promise<void> {
  const counter = await startCounter()
  const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
  const refused = { code: 'refused_by_policy' }
  try {
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${counter.port}/readings.csv`
      const changes = 'urls' in config ? { urls: [url] } : { host, port: counter.port }
      const { checks } = await using(changes, (opened) => runSteps(opened.steps, LIMIT_MS), guarded)
      const at = steps.indexOf('policy')
      assert.deepEqual(
        checks.map(({ ok, code }) => [ok, code]),
        steps.map((_, index) => (index < at ? [true, null] : [false, index === at ? 'refused_by_policy' : 'not_tried']))
      )
      const stream = 'urls' in config ? url : name
      await using(
        changes,
        async (opened) => {
          await assert.rejects(opened.discover({ limit: 1, signal: signal() }), refused)
          await assert.rejects(firstOf(opened.read({ stream, signal: signal() })), refused)
          if (opened.changes === undefined) return
          for (const after of [null, 'a position']) {
            const follow = { stream, reader: 'policy', after, signal: signal() }
            await assert.rejects(firstOf(opened.changes(follow)), refused)
          }
        },
        guarded
      )
    }
    assert.equal(counter.visits(), 0)
  } finally {
    await guarded.close()
    counter.stop()
  }
}

async function firstOf(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks) return
}
