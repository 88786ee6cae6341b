// Once: it is about processes and their memory.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { hostsOf } from '../support/pipelines/hosts-of.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'

const MIB = 1024 * 1024
const SQL_MIB = 256
/** What a host may take besides its SQL, and what it may have taken more by when that is seen. */
const BESIDES_MIB = 832
const LATE_MIB = 600
/** Five attempts, with the waits in between: less than two minutes, unless others use the machine too. */
const GIVEN_UP_WITHIN_MS = 480_000
const BACK_WITHIN_MS = 60_000

const steady = (prefix: string) => [
  { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, ratePerS: 50 } },
  { id: 'out', type: 'object', config: { bucket: 'kept', prefix, format: 'ndjson' }, inputs: ['gen'] }
]
/** DuckDB does not count the texts that a statement makes on its way. */
const greedy = [
  { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, ratePerS: 5 } },
  {
    id: 'big',
    type: 'sql',
    config: { query: "SELECT n, length(repeat(repeat('x', 1000000), 2000 + n)) AS l FROM input" },
    inputs: ['gen']
  },
  { id: 'out', type: 'object', config: { bucket: 'kept', prefix: 'greedy/', format: 'ndjson' }, inputs: ['big'] }
]

describe('a process that runs pipelines', { timeout: 1_500_000 }, () => {
  let site: Site

  before(async () => {
    site = await openSite({ PIPELINE_PROCESSES: '1', PIPELINE_MEMORY_MB: String(SQL_MIB) })
    await site.client.post('/buckets', { name: 'kept' })
  })
  after(() => site.close())

  async function written(prefix: string): Promise<number[]> {
    const { objects } = await site.client.get(`/buckets/kept/objects?prefix=${prefix}&limit=1000`)
    const texts = await Promise.all(
      objects.map(({ name }: { name: string }) => site.client.text(`/buckets/kept/objects/${encodeURIComponent(name)}`))
    )
    const lines = texts.flatMap((text) => text.trim().split('\n'))
    return lines.map((line) => JSON.parse(line).n).sort((a, b) => a - b)
  }

  const writtenBy = async (id: string) => (await site.client.get(`/pipelines/${id}`)).run.ledger.recordsWritten

  it('is held to its memory, and only the pipeline that takes more pays for it', async (t) => {
    const good = [await site.launch('one', steady('one/')), await site.launch('two', steady('two/'))]
    for (const id of good) await eventually(async () => (await writtenBy(id)) > 0)
    assert.equal(hostsOf(site.server.pid).length, 1)

    let mostBytes = 0
    const looking = setInterval(() => {
      for (const pid of hostsOf(site.server.pid)) mostBytes = Math.max(mostBytes, residentBytes(pid))
    }, 10)
    const beganMs = performance.now()
    const bad = await site.launch('greedy', greedy)
    const { error } = await site.reach(bad, 'failed', GIVEN_UP_WITHIN_MS)
    t.diagnostic(`failed after ${Math.round((performance.now() - beganMs) / 1000)} s`)
    clearInterval(looking)
    t.diagnostic(`a process took ${Math.round(mostBytes / MIB)} MiB at most`)
    assert.equal(error.code, 'out_of_memory')
    assert.match(error.message, /took more memory than it may have.*attempts in a row.*PIPELINE_MEMORY_MB/s)
    assert.ok(mostBytes < (SQL_MIB + BESIDES_MIB + LATE_MIB) * MIB, `${mostBytes} bytes`)

    for (const [i, id] of good.entries()) {
      const before = await writtenBy(id)
      await eventually(async () => (await writtenBy(id)) > before, BACK_WITHIN_MS)
      const log = await site.logOf(id)
      assert.ok(!log.some(({ message }) => message.startsWith('Starts again')), 'it has no failure on its account')
      await site.stop(id)
      const { run } = await site.client.get(`/pipelines/${id}`)
      assert.equal(run.error, null)
      const found = await written(i === 0 ? 'one/' : 'two/')
      assert.deepEqual(found, [...Array(run.ledger.recordsWritten).keys()], 'nothing lost, nothing twice')
    }
    await eventually(() => assert.ok(hostsOf(site.server.pid).length <= 1))
  })

  it('is begun again, for all its pipelines, where it crashes', async () => {
    const ids = [await site.launch('three', steady('three/')), await site.launch('four', steady('four/'))]
    for (const id of ids) await eventually(async () => (await writtenBy(id)) > 0)
    for (const pid of hostsOf(site.server.pid)) process.kill(pid, 'SIGSEGV')
    for (const id of ids) {
      await eventually(async () => {
        const log = await site.logOf(id)
        assert.ok(log.some(({ message }) => /^Begins again, for a while alone: .*SIGSEGV/.test(message)))
      })
      const before = await writtenBy(id)
      await eventually(async () => (await writtenBy(id)) > before, BACK_WITHIN_MS)
    }
    // Once they have shown that they do no harm, they share one process again.
    await eventually(() => assert.equal(hostsOf(site.server.pid).length, 1), BACK_WITHIN_MS)
    for (const [i, id] of ids.entries()) {
      await site.reach(id, 'running')
      await site.stop(id)
      const { run } = await site.client.get(`/pipelines/${id}`)
      assert.deepEqual(await written(i === 0 ? 'three/' : 'four/'), [...Array(run.ledger.recordsWritten).keys()])
    }
  })
})

/** It may have ended between being listed and being looked at. */
function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
