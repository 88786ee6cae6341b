import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startTargetApp } from '../../../../test/support/targets.ts'
import type { AreaNeeds } from '../../../area.ts'
import type { Problem } from '../../../errors.ts'
import type { FindUsers } from '../../../http/in-use.ts'
import type { ScheduleTarget, TargetEnd } from '../../../schedule-target.ts'
import { targetRun } from '../../scheduler/testing/target-run.ts'

describe('a pipeline that schedules start', () => {
  let test: TestApp
  let needs: AreaNeeds
  let target: ScheduleTarget
  const used = new Set<string>()
  const findUsers: FindUsers = async (_db, { type, id }) =>
    type === 'pipeline' && used.has(id) ? [{ type: 'schedule', id: 'sch_1', name: 'nightly' }] : []

  before(async () => {
    ;({ test, needs } = await startTargetApp({ findUsers }))
    target = (await needs.scheduleTargets.pipeline?.(needs)) as ScheduleTarget
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'results' } })
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const sink = { type: 'object', config: { bucket: 'results', prefix: 'x/', format: 'ndjson' } }
  const generate = (config: object) => ({ id: 'gen', type: 'generate', config: { fields: { n: 'n' }, ...config } })

  async function make(name: string, ...nodes: { id: string }[]): Promise<string> {
    const last = nodes.at(-1)?.id
    const { status, body, text } = await call('POST', '', {
      name,
      nodes: [...nodes, { id: 'out', ...sink, inputs: [last] }]
    })
    assert.equal(status, 201, text)
    return body.id
  }
  const endOf = (link: string | null): Promise<TargetEnd> =>
    eventually(async () => {
      const end = (await target.follow?.(needs.metadata.db, [String(link)]))?.get(String(link))
      assert.ok(end !== undefined)
      return end
    })
  const runsOf = async (id: string) =>
    (await call('GET', `/${id}/runs`)).body.runs as { id: string; startedBy: string }[]

  it('runs once for a due time, however often it is asked, and tells what became of the records', async () => {
    const id = await make('bounded', generate({ count: 10 }), {
      id: 'odd',
      type: 'map',
      config: { select: { m: "CASE n WHEN 3 THEN error('three') ELSE n END" } },
      inputs: ['gen']
    } as never)
    const run = targetRun({ id }, needs)
    assert.deepEqual(await target.run(run), { outcome: 'goes-on' })
    const again = targetRun({ id, link: run.noted() }, needs)
    assert.deepEqual(await target.run(again), { outcome: 'goes-on' })
    const end = await endOf(run.noted())
    assert.deepEqual(end, { outcome: 'succeeded', message: '10 records read, 9 written, 1 dead-lettered (run 1)' })
    assert.deepEqual(
      (await runsOf(id)).map(({ id, startedBy }) => [id, startedBy]),
      [[run.noted(), 'usr_owner']]
    )
    const { body } = await test.call('GET', `/api/audit/logs?resourceId=${id}&action=schedule.run`, { as: 'admin' })
    assert.deepEqual(
      body.logs.map(({ user }: { user: object }) => user),
      [{ id: 'usr_owner', name: 'owner' }]
    )
  })

  it('begins nothing where the commit fails', async () => {
    const id = await make('fenced', generate({ count: 1 }))
    const { metadata } = needs
    const run = targetRun(
      {
        id,
        change: (work) =>
          metadata.transaction(async (tx) => {
            await work(tx, () => {})
            throw new Error('another server has taken over')
          })
      },
      needs
    )
    await assert.rejects(target.run(run), /taken over/)
    assert.deepEqual(await runsOf(id), [])
  })

  it('fails as the pipeline does, and is started anew by the next attempt', async () => {
    const id = await make('failing', generate({ count: 1 }))
    const run = targetRun({ id }, needs)
    await target.run(run)
    await endOf(run.noted())
    const error = JSON.stringify({ code: 'bad_disk', message: 'The disk is gone', nodeId: 'out' })
    const failed = { status: 'failed' as const, error }
    await needs.metadata.transaction((tx) =>
      tx.updateTable('pipeline_runs').set(failed).where('pipeline_id', '=', id).execute()
    )
    const end = await endOf(run.noted())
    assert.deepEqual([end.outcome, 'code' in end && end.code], ['failed', 'bad_disk'])
    assert.match(String(end.message), /^out: The disk is gone; 1 records read/)
    const next = targetRun({ id, attempt: 2 }, needs)
    assert.deepEqual(await target.run(next), { outcome: 'goes-on' })
    assert.notEqual(next.noted(), run.noted())
    await endOf(next.noted())
  })

  it('is not started while it runs, and is stopped with the run of the schedule', async () => {
    const id = await make('endless', generate({ ratePerS: 10 }))
    const run = targetRun({ id }, needs)
    await target.run(run)
    const other = await target.run(targetRun({ id, runId: 'srn_2' }, needs))
    assert.deepEqual(
      [other.outcome, 'code' in other && other.code, 'isFinal' in other && other.isFinal],
      ['failed', 'pipeline_busy', true]
    )
    assert.match('message' in other ? String(other.message) : '', /^The pipeline is (starting|running) already/)
    assert.deepEqual(await target.follow?.(needs.metadata.db, [String(run.noted())]), new Map())
    await run.change((tx) => target.cancel?.(tx, String(run.noted())) as never)
    const end = await endOf(run.noted())
    assert.deepEqual([end.outcome, 'code' in end && end.code], ['cancelled', 'pipeline_stopped'])
    const late = run.change((tx) => target.cancel?.(tx, String(run.noted())) as never)
    await assert.rejects(late, { code: 'illegal_transition' })
  })

  it('leaves alone what somebody started later', async () => {
    const id = await make('later', generate({ count: 1 }))
    const run = targetRun({ id }, needs)
    await target.run(run)
    await endOf(run.noted())
    const { status } = await call('POST', `/${id}/start`)
    assert.equal(status, 202)
    const cancelling = run.change((tx) => target.cancel?.(tx, String(run.noted())) as never)
    await assert.rejects(cancelling, { code: 'illegal_transition' })
  })

  it('has to be there', async () => {
    const config = {}
    for (const id of [undefined, 'pl_none']) {
      await assert.rejects(
        async () => target.check?.({ id, config }),
        (error: Problem) => error.code === 'invalid_request' && error.errors?.[0]?.pointer === '/target/id'
      )
    }
    await target.check?.({ id: await make('there', generate({ count: 1 })), config })
    const gone = await target.run(targetRun({ id: 'pl_none' }, needs))
    assert.equal('code' in gone && gone.code, 'pipeline_not_found')
    assert.equal((await endOf('run_none')).outcome, 'failed')
  })

  it('is deleted only by force while a schedule names it', async () => {
    const id = await make('named', generate({ count: 1 }))
    used.add(id)
    const refused = await call('DELETE', `/${id}`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
    assert.deepEqual(refused.body.usedBy, [{ type: 'schedule', id: 'sch_1', name: 'nightly' }])
    assert.equal((await call('DELETE', `/${id}?force=true`)).status, 204)
    assert.equal((await call('GET', `/${id}`)).status, 404)
  })
})
