import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NodeFault } from '../contract/context.ts'
import { Watch } from '../host/watch.ts'
import type { Activity, LogLine } from '../protocol/run-spec.ts'
import { judge, Troubles } from './troubles.ts'

const NEW = { error: null, failures: 0, started_at: '2026-03-09T13:00:00.000Z' }
const trouble = (attempts: number, code = 'unreachable') => {
  return { code, message: 'It does not answer', nodeId: 'out', sinceMs: 0, attempts }
}

describe('what a run says of what goes wrong', () => {
  it('is said once it was tried a few times, and then every ten seconds', () => {
    const troubles = new Troubles(NEW)
    assert.deepEqual(
      [1, 2].map((attempts) => troubles.tell(trouble(attempts), 1000)),
      [undefined, undefined]
    )
    const since = '1970-01-01T00:00:00.000Z'
    assert.deepEqual(troubles.tell(trouble(3), 2000), {
      ...{ code: 'unreachable', message: 'It does not answer', nodeId: 'out' },
      ...{ since, attempts: 3 }
    })
    assert.equal(troubles.tell(trouble(4), 3000), undefined)
    assert.equal(troubles.tell(trouble(3, 'disk_full'), 3000)?.code, 'disk_full')
    assert.equal(troubles.tell(trouble(9, 'disk_full'), 13_000)?.attempts, 9)
    assert.deepEqual([troubles.clear(), troubles.clear(), troubles.error], [true, false, null])
  })

  it('is still said by a run that starts again after the second failure', () => {
    const error = JSON.stringify({ code: 'out_of_memory', message: 'm', nodeId: 'out' })
    assert.equal(new Troubles({ ...NEW, error, failures: 1 }).error, null)
    assert.equal(new Troubles({ ...NEW, error, failures: 2 }).error?.code, 'out_of_memory')
  })

  it('goes on since it began, though the run had to start again, until something works', () => {
    const since = '2026-03-09T12:00:00.000Z'
    const error = { code: 'unreachable', message: 'm', nodeId: 'out', since, attempts: 26 }
    const after = judge(Object.assign(new NodeFault('transient', 'unreachable', 'm'), { nodeId: 'out' }), 1, error, 0)
    assert.deepEqual(after.error, { ...error, attempts: 27 })
    const troubles = new Troubles({ ...NEW, error: JSON.stringify(after.error), failures: 1 })
    assert.deepEqual([troubles.error?.since, troubles.isAgain], [since, false])
    const nowMs = Date.parse(NEW.started_at) + 60_000
    assert.equal(troubles.tell(trouble(2), nowMs), undefined)
    assert.equal(troubles.isAgain, true)
    const told = troubles.tell(trouble(3), nowMs)
    assert.deepEqual([told?.since, told?.attempts], [since, 30])
    assert.deepEqual([troubles.clear(), troubles.isAgain], [true, false])
    assert.equal(troubles.tell(trouble(3), nowMs)?.since, '1970-01-01T00:00:00.000Z')
  })

  const judged = (fault: NodeFault, failures: number) => judge(fault, failures, null, 0)

  it('ends a run without memory after about a minute, with what to change', () => {
    const fault = new NodeFault('transient', 'out_of_memory', 'The memory of pipelines is used up')
    const waits = [1, 2, 3, 4].map((failures) => judged(fault, failures).retryInMs as number)
    const sumMs = waits.reduce((sum, ms) => sum + ms, 0)
    assert.ok(waits[0] === 0 && sumMs >= 30_000 && sumMs <= 60_000, String(waits))
    const { retryInMs, error } = judged(fault, 5)
    assert.equal(retryInMs, undefined)
    assert.match(error.message, /5 attempts in a row .*PIPELINE_MEMORY_MB/)
  })

  it('is installation with others, and not at all with what only a change helps against', () => {
    const away = new NodeFault('transient', 'unreachable', 'It does not answer')
    assert.deepEqual(
      [judged(away, 1).retryInMs, judged(away, 9).retryInMs, judged(away, 10).retryInMs],
      [0, 60_000, undefined]
    )
    const before = { code: 'unreachable', message: 'm', nodeId: null, since: '2026-03-09T13:00:00.000Z' }
    assert.deepEqual(
      [judge(away, 4, before, 0).error.since, judge(away, 4, before, 0).error.attempts],
      [before.since, 4]
    )
    assert.equal(judged(new NodeFault('fatal', 'sql_error', 'm'), 1).retryInMs, undefined)
  })
})

describe('what a run says that takes long', () => {
  it('is what it is at, with a line every ten seconds, until that is done', () => {
    const said: (Activity | null)[] = []
    const lines: LogLine[] = []
    const watch = new Watch({
      commit: async () => {},
      log: (line) => void lines.push(line),
      activity: (activity) => void said.push(activity)
    })
    const busy = { nodeId: 'map', what: 'batch 12', records: 500, share: 0.5, sinceMs: 0 }
    for (const ms of [0, 9000, 10_000, 11_000, 20_000]) watch.look(busy, ms)
    assert.deepEqual(said, [busy, busy, busy])
    assert.deepEqual(
      lines.map(({ node, message }) => [node, message]),
      [
        ['map', 'Still at batch 12, of 500 records, after 10 s'],
        ['map', 'Still at batch 12, of 500 records, after 20 s']
      ]
    )
    watch.look(undefined, 21_000)
    watch.look(undefined, 22_000)
    assert.deepEqual(said.slice(3), [null])
  })
})
