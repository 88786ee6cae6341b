import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, job_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import type { RunState, Sighting } from '../sighting.ts'

const T = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000
const at = (reference: string) => encodeURIComponent(reference)
const iso = (ms: number) => new Date(ms).toISOString()

function told(job: string, run: string, timeMs: number, state: RunState, more: Partial<Sighting> = {}): Sighting {
  return {
    job: { reference: job_(job) },
    run: { id: run, state, timeMs, isWhole: state === 'completed' },
    inputs: [],
    outputs: [],
    columns: [],
    provenance: { how: 'openlineage', who: 'a test' },
    ...more
  }
}

describe('nodes', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.draw(T, 'raw > clean > tidy', 'tidy + names > join > wide')
    await world.draw(T + HOUR, 'raw > clean > tidy')
  })
  after(() => world.close())

  const put = (reference: string, body: object, as: 'editor' | 'viewer' = 'editor') =>
    world.test.call('PUT', `/api/lineage/nodes/${at(reference)}`, { as, body })

  it('are found by part of their reference or name, by kind, in order, page by page', async () => {
    const names = async (query: string) =>
      (await world.get(`nodes?${query}`)).nodes.map(({ id }: { id: string }) => id.split('/').at(-1))
    assert.deepEqual(await names('kind=job'), ['clean', 'join'])
    assert.deepEqual(await names('q=TIDY'), ['tidy'])
    assert.deepEqual(await names('kind=dataset&sort=-name'), ['wide', 'tidy', 'raw', 'names'])
    const first = await world.get('nodes?limit=4')
    assert.equal(first.total, 6)
    const second = await world.get(`nodes?limit=4&cursor=${first.nextCursor}`)
    assert.deepEqual([second.nodes.length, second.nextCursor], [2, null])
  })

  it('tell when they were seen, what leads to them, and how their runs went', async () => {
    const tidy = await world.get(`nodes/${at(data_('tidy'))}`)
    assert.deepEqual([tidy.edgesIn, tidy.edgesOut, tidy.runs, tidy.lastRun], [1, 1, 0, null])
    assert.deepEqual([tidy.firstSeenAt, tidy.lastSeenAt], [iso(T), iso(T + HOUR)])
    const clean = await world.get(`nodes/${at(job_('clean'))}`)
    assert.deepEqual([clean.runs, clean.lastRun.state, clean.lastRun.startedAt], [2, 'completed', iso(T + HOUR)])
    const { runs, total } = await world.get(`nodes/${at(job_('clean'))}/runs`)
    assert.equal(total, 2)
    assert.deepEqual(
      runs.map(({ startedAt }: { startedAt: string }) => startedAt),
      [iso(T + HOUR), iso(T)]
    )
    assert.deepEqual([runs[0].how, runs[0].wholeAt, runs[0].parent], ['captured', iso(T + HOUR), null])
  })

  it('show runs that never end, with what started them, each on one page only', async () => {
    const parent = { job: job_('dag'), run: 'd1' }
    const running = told('task', 'r1', T, 'running')
    await world.saw({ ...running, run: { ...running.run, parent } }, told('task', 'r2', T, 'failed'))
    await world.saw({ ...running, provenance: { how: 'captured', who: 'another' } })
    const found: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { runs, nextCursor } = await world.get(`nodes/${at(job_('task'))}/runs?limit=1${cursor}`)
      found.push(...runs.map(({ id, how, state }: Record<string, string>) => `${id} ${how} ${state}`))
      if (runs[0].id === 'r1' && runs[0].how === 'openlineage') assert.deepEqual(runs[0].parent, parent)
      cursor = `&cursor=${nextCursor}`
    }
    assert.deepEqual(found.sort(), ['r1 captured running', 'r1 openlineage running', 'r2 openlineage failed'])
  })

  it('keep all their columns', async () => {
    const columns = Array.from({ length: 150 }, (_, n) => ({ name: `c${n}` }))
    await world.saw(told('writer', 'r', T, 'completed', { outputs: [{ reference: data_('broad'), columns }] }))
    assert.equal((await world.get(`nodes/${at(data_('broad'))}`)).columns.length, 150)
    assert.equal((await world.get('nodes?q=broad')).nodes[0].columns.length, 100)
  })

  it('have the word of a person, whatever automation tells before or after', async () => {
    const tell = (timeMs: number, owner: string) =>
      world.saw(
        told('owned', `r${timeMs}`, timeMs, 'completed', {
          job: { reference: job_('owned'), name: `by ${owner}`, owners: [owner], description: owner }
        })
      )
    const shown = async () => {
      const { name, owners, description, said } = await world.get(`nodes/${at(job_('owned'))}`)
      return { name, owners, description, said }
    }
    await tell(T, 'robot')
    const answer = await put(job_('owned'), { owners: ['Ada', 'Bo'], description: '' })
    assert.equal(answer.status, 200, answer.text)
    const ours = { name: 'by robot', owners: ['Ada', 'Bo'], description: '', said: ['owners', 'description'] }
    assert.deepEqual(await shown(), ours)
    // Later than any clock here.
    await tell(T + 1e12, 'machine')
    assert.deepEqual(await shown(), { ...ours, name: 'by machine' })
    await put(job_('owned'), { name: 'Ours' })
    await tell(T + 1e12 + 1, 'other')
    assert.deepEqual(await shown(), { ...ours, name: 'Ours', said: ['owners', 'description', 'name'] })
    await put(job_('owned'), { owners: null, name: null, description: null })
    assert.deepEqual(await shown(), { name: 'by other', owners: ['other'], description: 'other', said: [] })
  })

  it('are changed by those who may, are audited, and must be known', async () => {
    assert.equal((await put(data_('raw'), { owners: ['Eve'] }, 'viewer')).status, 403)
    assert.equal((await put(data_('nobody'), { owners: ['Eve'] })).status, 404)
    assert.equal((await put(data_('raw'), { owner: 'Eve' })).status, 400)
    await put(data_('raw'), { owners: ['Cy'] })
    const logs = await world.test.call('GET', '/api/audit/logs?action=lineage-node.update&outcome=success', {
      as: 'admin'
    })
    const [log] = logs.body.logs
    assert.deepEqual([log.resourceType, log.resourceId], ['lineage-node', data_('raw')])
    assert.match(JSON.stringify(log.changes), /Cy/)
    const unknown = await world.test.call('GET', `/api/lineage/nodes/${at(job_('nobody'))}/runs`, { as: 'viewer' })
    assert.equal(unknown.status, 404)
  })
})
