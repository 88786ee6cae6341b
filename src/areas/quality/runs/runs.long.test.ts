import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { assertMs } from '../../../../test/support/yardstick.ts'
import { deleteSilentRuns, noteCancelled } from './store.ts'

const DATASET = 'object://lake/orders.csv'
const ENDLESS_FROM = 'range(1000000000) x, range(1000000000) y WHERE x.range + y.range = -1'
const ENDLESS = `SELECT dataset.* FROM dataset, ${ENDLESS_FROM}`
const STOPS_WITHIN_MS = 2000

describe('what is under way', () => {
  let world: QualityWorld
  let quick = ''
  let endless = ''
  before(async () => {
    world = await QualityWorld.start()
    await world.put('orders.csv', 'id,customer\n1,Ada\n2,\n')
    quick = await world.make({ dataset: DATASET, type: 'notNull', config: { column: 'customer' } })
    endless = await world.make({ dataset: DATASET, type: 'sql', config: { query: ENDLESS } })
  })
  after(() => world.close())

  const runs = async () => (await world.get('runs')).runs
  /** The one run there is, once it reads. */
  const underWay = () =>
    eventually(async () => {
      const [run] = await runs()
      assert.equal(run?.doing, 'reading')
      return run
    })
  const cancel = (id: string) => world.test.call('POST', `/api/quality/runs/${id}/cancel`, { as: 'admin' })
  const auditOf = async (id: string) => {
    const path = `/api/audit/logs?action=quality-run.cancel&resourceId=${id}`
    return (await world.test.call('GET', path, { as: 'admin' })).body.logs
  }

  it('says how far it is, and ends when somebody cancels it, with no rule evaluated', async () => {
    const evaluating = world.post('evaluate', { dataset: DATASET })
    const run = await underWay()
    const { id, kind, cause, dataset, state, total, startedBy, cancelledBy } = run
    assert.deepEqual(
      { kind, cause, dataset, state, total, cancelledBy },
      { kind: 'evaluation', cause: 'request', dataset: DATASET, state: 'running', total: 2, cancelledBy: null }
    )
    assert.match(startedBy, /^usr_/)
    assert.deepEqual((await world.get(`runs?dataset=${encodeURIComponent('object://lake/other.csv')}`)).runs, [])
    assert.equal((await world.get(`runs/${id}`)).id, id)
    const before = performance.now()
    const cancelled = await cancel(id)
    assert.equal(cancelled.status, 202, cancelled.text)
    assert.deepEqual([cancelled.body.state, typeof cancelled.body.cancelledBy], ['cancelling', 'string'])
    const { status, body } = await evaluating
    assertMs(performance.now() - before, STOPS_WITHIN_MS)
    assert.equal(status, 200)
    assert.equal(body.id, id)
    const reason = { code: 'cancelled', message: 'Cancelled by admin.' }
    assert.deepEqual(
      body.results.map((result: { ruleId: string; status: string; reason: object }) => [
        result.ruleId,
        result.status,
        result.reason
      ]),
      [quick, endless].map((rule) => [rule, 'notEvaluated', reason])
    )
    for (const rule of [quick, endless]) assert.equal((await world.get(`rules/${rule}`)).status, 'notEvaluated')
    assert.deepEqual(await runs(), [])
    const [row] = await auditOf(id)
    assert.deepEqual([row.user.name, row.changes.state], ['admin', { from: 'running', to: 'cancelling' }])
    const path = `/api/audit/logs?action=quality.evaluate&resourceId=${id}`
    const { logs } = (await world.test.call('GET', path, { as: 'admin' })).body
    assert.deepEqual([logs.length, logs[0].user.name], [1, 'editor'])
    assert.deepEqual(logs[0].changes.cancelled, { to: 'Cancelled by admin.' })
  })

  it('leaves no process behind that goes on', async () => {
    const evaluating = world.post('evaluate', { dataset: DATASET })
    const { id } = await underWay()
    await cancel(id)
    await evaluating
    // One waits for the next statement.
    await eventually(() => sqlProcesses().length <= 1)
  })

  it('can’t be cancelled once it is over, nor where it never was', async () => {
    const { id } = await world.evaluate({ dataset: DATASET, ruleIds: [quick] })
    const ended = await cancel(id)
    assert.deepEqual([ended.status, ended.body.code, ended.body.currentState], [409, 'run_ended', 'ended'])
    assert.equal((await cancel('qev_none')).status, 404)
    assert.equal((await world.test.call('POST', '/api/quality/runs/qev_none/cancel', { as: 'viewer' })).status, 403)
  })

  it('is ended by its owner when another replica has been told', async () => {
    const evaluating = world.post('evaluate', { dataset: DATASET })
    const { id } = await underWay()
    const { metadata, clock } = world.test.platform
    await metadata.transaction((tx) => noteCancelled(tx, id, { id: 'usr_other', name: 'bo' }, clock.iso()))
    const { body } = await evaluating
    assert.equal(body.results[0].reason.message, 'Cancelled by bo.')
  })

  it('ends a profile, of which nothing is kept', async () => {
    const where = `(SELECT count(*) FROM ${ENDLESS_FROM}) = 0`
    const profiling = world.post('profile', { dataset: DATASET, where })
    const run = await underWay()
    assert.equal(run.kind, 'profile')
    await cancel(run.id)
    const { status, body } = await profiling
    assert.deepEqual([status, body.code], [409, 'run_cancelled'])
    assert.match(body.detail, /^Cancelled by admin\./)
    assert.deepEqual(await runs(), [])
    const again = await cancel(run.id)
    assert.deepEqual([again.status, again.body.code, again.body.currentState], [409, 'run_ended', 'ended'])
    assert.equal((await cancel('qrun_none')).status, 404)
    assert.equal((await world.test.call('GET', `/api/quality/runs/${run.id}`, { as: 'viewer' })).status, 404)
    await world.test.platform.metadata.transaction((tx) => deleteSilentRuns(tx, world.test.platform.clock.iso(), 10))
    assert.equal((await cancel(run.id)).status, 404)
  })

  it('ends the run of a schedule, which says so', async () => {
    const target = { type: 'quality', config: { dataset: DATASET } }
    const schedule = { name: 'nightly', cron: '0 3 * * *', target, retries: 2 }
    const { body } = await world.test.call('POST', '/api/scheduler/schedules', { as: 'admin', body: schedule })
    await world.test.call('POST', `/api/scheduler/schedules/${body.id}/run`, { as: 'admin' })
    const { id, cause } = await underWay()
    assert.equal(cause, 'schedule')
    await cancel(id)
    await eventually(async () => {
      const path = `/api/scheduler/schedules/${body.id}/history`
      const [run] = (await world.test.call('GET', path, { as: 'admin' })).body.runs
      assert.deepEqual([run.state, run.code, run.reason], ['cancelled', 'run_cancelled', 'Cancelled by admin.'])
    })
    const { results } = await world.get(`results?evaluationId=${id}`)
    assert.deepEqual(new Set(results.map(({ status }: { status: string }) => status)), new Set(['notEvaluated']))
  })

  it('is not begun again where an event has brought it about', async () => {
    const dataset = 'object://lake/events.csv'
    const rule = await world.make({ dataset, type: 'sql', config: { query: ENDLESS }, on: ['object'] })
    await world.put('events.csv', 'id\n1\n')
    const { id, cause, startedBy } = await underWay()
    assert.deepEqual([cause, startedBy], ['object', null])
    await cancel(id)
    const { db } = world.test.platform.metadata
    await eventually(async () => {
      const wanted = await db
        .selectFrom('quality_rule_triggers')
        .select('wanted_ms')
        .where('rule_id', '=', rule)
        .execute()
      assert.deepEqual(wanted, [{ wanted_ms: null }])
    })
    const { results } = await world.get(`results?ruleId=${rule}`)
    assert.deepEqual([results.length, results[0].reason.code], [1, 'cancelled'])
    assert.deepEqual(await runs(), [])
  })

  it('tells no alert of data that are missing, and goes on telling that a rule fails', async () => {
    await world.evaluate({ dataset: DATASET, ruleIds: [quick] })
    const evaluating = world.post('evaluate', { dataset: DATASET })
    await cancel((await underWay()).id)
    await evaluating
    const { rulesWithoutData, failingRules } = await import('../happenings.ts')
    const { db } = world.test.platform.metadata
    assert.deepEqual((await rulesWithoutData(db)).happenings, [])
    assert.deepEqual(
      (await failingRules(db)).happenings.map(({ qualityRule }) => qualityRule),
      [quick]
    )
  })
})

/** The processes that this one has started to run SQL. */
function sqlProcesses(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isOwn = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid)
      return isOwn && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sql-process/main.ts')
    } catch {
      return false
    }
  })
}
