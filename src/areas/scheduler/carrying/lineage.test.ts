import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Scheduled } from '../../../../test/support/scheduler/scheduled.ts'
import type { TargetEnd, TargetLineage } from '../../../schedule-target.ts'

let world: Scheduled

before(async () => {
  world = await Scheduled.start()
  world.probe.tellsLineage = true
})
after(() => world.close())

const ask = async (path: string) => {
  const as = { token: await world.app.token('ada', 'viewer') }
  const answer = await world.app.call('GET', `/api/lineage/${path}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const at = (id: string) => encodeURIComponent(`job://schedule/${id}`)
const graph = (id: string, query = '') => ask(`graph?root=${at(id)}&columns=true${query}`)
/** `a > > b`: what is read, and what is written. */
const edges = async (id: string, query = '') => {
  const found: { from: string; to: string; type: string }[] = (await graph(id, query)).edges
  const of = (type: string) => found.filter((edge) => edge.type === type)
  return `${of('reads').map(({ from }) => from)} > > ${of('writes').map(({ to }) => to)}`
}
const runs = async (id: string) =>
  (await ask(`nodes/${at(id)}/runs?sort=startedAt`)).runs.map(
    ({ state, error }: { state: string; error: string | null }) => (error === null ? state : `${state}: ${error}`)
  )

const remove = (id: string) => world.call('DELETE', `/schedules/${id}`, undefined, 204)

const from = 'series://src_1'
const to = 'object://lake/sums-*.csv'
const seen = (more: object = {}): TargetEnd => ({
  outcome: 'succeeded',
  lineage: {
    inputs: [{ reference: from }],
    outputs: [{ reference: to, columns: [{ name: 'n' }] }],
    columns: [{ from: { reference: from, column: 'value' }, to: { reference: to, column: 'n' }, kind: 'computed' }],
    isWhole: true,
    ...more
  }
})

test('a run that succeeds tells what it has read and written, and one that fails what it failed at', async () => {
  world.probe.end = seen()
  const { id } = await world.create({ name: 'sums', description: 'of the night', everySeconds: 60, retries: 1 })
  await world.pass(60)
  assert.equal(await edges(id), `${from} > > ${to}`)
  const { nodes } = await graph(id)
  const job = nodes.find(({ kind }: { kind: string }) => kind === 'job')
  assert.deepEqual([job.name, job.description], ['sums', 'of the night'])
  const columns = await ask(`columns?root=${encodeURIComponent(to)}&column=n&direction=upstream`)
  assert.deepEqual(
    columns.edges.map(({ kind, provenance }: { kind: string; provenance: { how: string; who: string }[] }) => [
      kind,
      provenance[0]?.how,
      provenance[0]?.who
    ]),
    [['computed', 'captured', 'scheduler']]
  )
  world.probe.end = { outcome: 'failed', code: 'broken', message: 'The belt is torn' }
  await world.pass(60)
  // The first attempt was not the last: nothing is over yet.
  assert.deepEqual(await runs(id), ['completed'])
  await world.pass(60)
  assert.deepEqual((await runs(id)).slice(0, 2), ['completed', 'failed: The belt is torn'])
  assert.equal(await edges(id), `${from} > > ${to}`)
  await remove(id)
})

test('a run that is whole ends what others named, and one that is not ends nothing', async () => {
  world.probe.end = seen()
  const { id } = await world.create({ name: 'changing', everySeconds: 60 })
  await world.pass(60)
  const before = world.clock.iso()
  const other = [{ reference: 'series://src_2' }]
  world.probe.end = seen({ inputs: other, columns: [], isWhole: false })
  await world.pass(60)
  assert.equal(await edges(id), `${from},series://src_2 > > ${to}`)
  world.probe.end = seen({ inputs: other, columns: [] })
  await world.pass(60)
  assert.equal(await edges(id), `series://src_2 > > ${to}`)
  assert.equal(await edges(id, `&asOf=${before}`), `${from} > > ${to}`)
  await remove(id)
})

test('a schedule that takes its time is seen from its start on, and one that is cancelled as ended so', async () => {
  world.probe.holds = true
  const { id } = await world.create({ name: 'slow', everySeconds: 60, timeoutSeconds: 600 })
  await world.pass(60)
  const startedAt = world.clock.iso()
  await world.pass(10)
  world.probe.held[0]?.end(seen())
  await world.settle()
  const [run] = (await ask(`nodes/${at(id)}/runs`)).runs
  assert.deepEqual([run.state, run.startedAt, run.stateAt], ['completed', startedAt, world.clock.iso()])
  await world.pass(50)
  const [{ id: runId }] = (await world.call('GET', `/schedules/${id}/history?state=running`)).runs
  await world.call('POST', `/schedules/${id}/history/${runId}/cancel`, undefined, 202)
  await world.settle()
  await world.pass(10)
  assert.match((await runs(id)).at(-1), /^aborted: /)
  world.probe.holds = false
  for (const held of [...world.probe.held]) held.end({ outcome: 'succeeded' })
  await remove(id)
})

test('what a run is about to write is told before it ends, and forgotten with a schedule that is deleted meanwhile', async () => {
  world.probe.holds = true
  world.probe.begins = (seen() as { lineage: TargetLineage }).lineage
  const { id } = await world.create({ name: 'writing', everySeconds: 60, timeoutSeconds: 600 })
  await world.pass(60)
  assert.deepEqual([await edges(id), await runs(id)], [`${from} > > ${to}`, ['running']])
  await world.pass(1)
  await remove(id)
  const job = (await graph(id)).nodes.find(({ kind }: { kind: string }) => kind === 'job')
  assert.deepEqual([job.deleted, await edges(id)], [true, ' > > '])
  world.probe.holds = false
  for (const held of [...world.probe.held]) held.end({ outcome: 'succeeded' })
  world.probe.begins = undefined
})

test('a run does not write where levels do not follow in time', async (t) => {
  const classification = await world.app.app.service('classification')
  t.mock.method(classification, 'settle', async () => false)
  world.probe.begins = (seen() as { lineage: TargetLineage }).lineage
  const before = world.probe.runs.length
  const { id } = await world.create({ name: 'behind', everySeconds: 60 })
  await world.pass(60)
  assert.match((await world.story(id)).join(), / failed levels_behind/)
  assert.equal(world.probe.runs.length, before)
  world.probe.begins = undefined
  await remove(id)
})

test('a schedule keeps its past when it is renamed, has something else done, or is deleted', async () => {
  world.probe.end = seen()
  const { id } = await world.create({ name: 'old', everySeconds: 60 })
  await world.pass(60)
  await world.call('PUT', `/schedules/${id}`, { name: 'new' })
  await world.pass(60)
  const job = async () => (await graph(id)).nodes.find(({ kind }: { kind: string }) => kind === 'job')
  assert.deepEqual([(await job()).name, await edges(id)], ['new', `${from} > > ${to}`])
  const before = world.clock.iso()
  await world.pass(1)
  const target = { type: 'http', config: { url: 'https://example.org/' } }
  await world.call('PUT', `/schedules/${id}`, { enabled: false, target })
  assert.deepEqual([(await job()).deleted, await edges(id)], [true, ' > > '])
  await world.call('PUT', `/schedules/${id}`, { enabled: true, target: { type: 'probe' } })
  await world.pass(60)
  assert.deepEqual([(await job()).deleted, await edges(id)], [false, `${from} > > ${to}`])
  await world.pass(1)
  await remove(id)
  assert.deepEqual([(await job()).deleted, await edges(id)], [true, ' > > '])
  assert.equal(await edges(id, `&asOf=${before}`), `${from} > > ${to}`)
})

test('a schedule that has never run leaves nothing behind', async () => {
  const { id } = await world.create({ name: 'never', everySeconds: 86_400 })
  await remove(id)
  const as = { token: await world.app.token('ada', 'viewer') }
  assert.equal((await world.app.call('GET', `/api/lineage/nodes/${at(id)}`, { as })).status, 404)
})
