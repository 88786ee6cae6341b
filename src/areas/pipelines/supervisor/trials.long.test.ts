import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../../../../test/support/eventually.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { hostsOf } from '../../../../test/support/pipelines/hosts-of.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { ServerCalls } from '../protocol/protocol.ts'
import { Trials } from './trials.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-trials-'))
const clock = new ManualClock()
const trials = new Trials({ folder, allowPrivateNetworks: false, allowedHosts: [] }, {} as ServerCalls, clock)

const nodes = (expression: string, from = ''): PipelineNode[] => [
  { id: 'in', type: 'webhook', config: {}, inputs: [] },
  { id: 'it', type: 'sql', config: { query: `SELECT ${expression} AS a FROM input${from}` }, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'p/', format: 'ndjson' }, inputs: ['it'] }
]
const preview = async (expression: string, from?: string, caller = 'somebody') => {
  const seen = await trials.ask(caller, 'preview', nodes(expression, from), { in: [{ n: 1 }] }, { series: false })
  return seen.nodes.find(({ id }) => id === 'it')?.records
}
const running = () => readdirSync(folder)

describe('a trial', () => {
  after(async () => {
    await trials.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers, and its process waits for the next one', async () => {
    assert.deepEqual(await preview('n + 1'), [{ a: 2 }])
    assert.deepEqual(await trials.ask('somebody', 'check', nodes('nope(n)')).then(([one]) => one?.nodeId), 'it')
    assert.equal(running().length, 1)
  })

  it('is ended at its time limit, and others that are asked for meanwhile are not', async () => {
    const endless = preview('sum(a.range * b.range % 7)', ', range(1_000_000_000) a, range(1_000_000_000) b')
    const refused = assert.rejects(endless, { code: 'too_long' })
    assert.deepEqual(await preview('n + 2', undefined, 'another'), [{ a: 3 }])
    clock.advance(10_000)
    await refused
    await eventually(() => assert.equal(running().length, 1))
    assert.deepEqual(await preview('n + 3'), [{ a: 4 }])
  })

  it('of which nothing but an answer is wanted has the time of the processor that it needs', async () => {
    const [pid] = hostsOf(process.pid, 'trial') as [number]
    process.kill(pid, 'SIGSTOP')
    const slow = trials.ask('somebody', 'check', nodes('nope(n)'))
    await nextTurn() // it has its process then
    clock.advance(59_000)
    process.kill(pid, 'SIGCONT')
    assert.deepEqual(await slow.then(([one]) => one?.nodeId), 'it')
    process.kill(pid, 'SIGSTOP')
    const never = assert.rejects(trials.ask('somebody', 'check', nodes('nope(n)')), { kind: 'transient', code: 'busy' })
    await nextTurn()
    clock.advance(61_000)
    await never
    assert.deepEqual(await preview('n + 3'), [{ a: 4 }])
  })

  it('is ended where it takes too much memory, however DuckDB counts it', async () => {
    await assert.rejects(preview("max(repeat('x', 1000) || repeat(range::VARCHAR, 200_000_000))", ', range(10, 20)'), {
      code: 'too_large'
    })
    await assert.rejects(preview('len(list(a.range + b.range))', ', range(100_000) a, range(10_000) b'), {
      code: 'too_large'
    })
    assert.deepEqual(await preview('n + 4'), [{ a: 5 }])
  })

  it('takes no process where nothing is tried for a while', async () => {
    clock.advance(30_000)
    await eventually(() => assert.deepEqual(running(), []))
    assert.deepEqual(await preview('n + 5'), [{ a: 6 }])
  })

  it('has its time from when there is a process for it, however long that takes to start', async () => {
    clock.advance(30_000)
    await eventually(() => assert.deepEqual(running(), []))
    const asked = preview('n + 6')
    await eventually(() => assert.equal(running().length, 1))
    clock.advance(10_000)
    assert.deepEqual(await asked, [{ a: 7 }])
    clock.advance(30_000)
    await eventually(() => assert.deepEqual(running(), []))
    const refused = assert.rejects(preview('n + 7'), { code: 'busy' })
    await eventually(() => assert.equal(running().length, 1))
    clock.advance(30_000)
    await refused
  })
})
