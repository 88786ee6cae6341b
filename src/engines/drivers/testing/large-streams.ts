import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, SourceError, type SourceFacts, type StreamRead } from '../index.ts'
import type { RunningSource } from './contract.ts'

export interface LargeStream extends Pick<RunningSource, 'config' | 'clock' | 'stop' | 'restart'> {
  readonly stream: string
  /** What reading goes on by. */
  readonly cursor: string
  /** A column that counts from 0. */
  readonly counted: string
  /** Whether what is below goes on by itself where a connection breaks off. */
  readonly mendsItself?: boolean
}

export interface LargeStreamTest {
  readonly sourceId: string
  readonly missing: string | undefined
  /** Starts a server with a stream of `LARGE_ROWS` rows. */
  start(): Promise<LargeStream>
}

export const LARGE_ROWS = 1_000_000
const KILLED_AT = [150_000, 600_000]
const LIMIT_MS = 300_000
const MAX_GROWTH = 48 * 1024 * 1024

/** A million rows, while the server dies now and then. */
export function largeStreamSuite(name: string, test: LargeStreamTest): void {
  describe(name, { skip: test.missing ?? false }, () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const source = findSource(test.sourceId) as SourceFacts
    let server: LargeStream
    before(async () => {
      server = await test.start()
    })
    after(async () => {
      await server?.stop()
      await outbound.close()
    })

    it('comes whole and once with flat memory, though the server dies in the middle', async () => {
      const { stream, config, counted, clock } = server
      const driver = await driverOf(source)
      const opened = await driver.open(config, source, {
        outbound,
        packagesFolder: '/nowhere',
        ...(clock && { clock })
      })
      const kills = [...KILLED_AT]
      let [seen, position, deaths]: [number, string | null, number] = [0, null, 0]
      const heldAt: number[] = []
      while (seen < LARGE_ROWS) {
        const cursor: StreamRead['cursor'] = { column: server.cursor, after: position }
        try {
          for await (const chunk of opened.read({ stream, cursor, signal: AbortSignal.timeout(LIMIT_MS) })) {
            const numbers = chunk.values[chunk.columns.findIndex((column) => column.name === counted)] ?? []
            for (const number of numbers) assert.equal(Number(number), seen++)
            position = chunk.position ?? null
            if (seen % 100_000 < chunk.rows) heldAt.push(held())
            if (seen > (kills[0] ?? LARGE_ROWS)) {
              kills.shift()
              await server.restart()
            }
          }
        } catch (error) {
          assert.ok(error instanceof SourceError && error.isTransient, String(error))
          deaths += 1
        }
      }
      await opened.close()
      assert.equal(seen, LARGE_ROWS)
      assert.ok(deaths >= 1 || server.mendsItself, 'no read noticed that the server was gone')
      const growth = Math.max(...heldAt.slice(1)) - (heldAt[0] ?? 0)
      assert.ok(growth < MAX_GROWTH, `${growth} bytes more are held`)
    })
  })
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
