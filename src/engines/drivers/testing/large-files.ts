import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, type SourceConfig, SourceError, type SourceFacts, type StreamRead } from '../index.ts'
import type { RunningSource } from './contract.ts'

interface FileServer extends Pick<RunningSource, 'stop' | 'restart' | 'clock'> {
  readonly config: SourceConfig
  put(path: string, content: Uint8Array): Promise<void> | void
  /** Whether what is below goes on by itself where a connection breaks off. */
  readonly mendsItself?: boolean
}

export interface LargeFileTest {
  readonly sourceId: string
  readonly missing: string | undefined
  start(): Promise<FileServer>
}

const ROWS = 1_000_000
const KILLED_AT = [150_000, 600_000]
const LIMIT_MS = 300_000
const MAX_GROWTH = 48 * 1024 * 1024

/** A million rows of a file, while the server dies now and then. */
export function largeFileSuite(name: string, test: LargeFileTest): void {
  describe(name, { skip: test.missing ?? false }, () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const source = findSource(test.sourceId) as SourceFacts
    let server: FileServer
    before(async () => {
      server = await test.start()
      await server.put('large/rows.csv', Buffer.from(`id,label\n${labelled().join('\n')}\n`))
    })
    after(async () => {
      await server?.stop()
      await outbound.close()
    })

    it('comes whole and once with flat memory, though the server dies in the middle', async () => {
      const driver = await driverOf(source)
      const needs = { outbound, packagesFolder: '/nowhere', ...(server.clock && { clock: server.clock }) }
      const opened = await driver.open({ ...server.config, files: ['large/*.csv'] }, source, needs)
      const kills = [...KILLED_AT]
      let [seen, position, deaths]: [number, string | null, number] = [0, null, 0]
      const heldAt: number[] = []
      while (seen < ROWS) {
        const cursor: StreamRead['cursor'] = { column: '_position', after: position }
        try {
          for await (const chunk of opened.read({
            stream: 'large/*.csv',
            cursor,
            signal: AbortSignal.timeout(LIMIT_MS)
          })) {
            const ids = chunk.values[chunk.columns.findIndex((column) => column.name === 'id')] ?? []
            for (const id of ids) assert.equal(Number(id), seen++)
            position = chunk.position ?? null
            if (seen % 100_000 < chunk.rows) heldAt.push(held())
            if (seen > (kills[0] ?? ROWS)) {
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
      assert.equal(seen, ROWS)
      assert.ok(deaths >= 1 || server.mendsItself, 'no read noticed that the server was gone')
      const growth = Math.max(...heldAt.slice(1)) - (heldAt[0] ?? 0)
      assert.ok(growth < MAX_GROWTH, `${growth} bytes more are held`)
    })
  })
}

const labelled = () => Array.from({ length: ROWS }, (_, i) => `${i},"row ${i}"`)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
