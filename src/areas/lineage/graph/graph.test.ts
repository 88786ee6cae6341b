import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, job_, LineageWorld, seenBy } from '../../../../test/support/lineage-world.ts'
import type { Sighting } from '../sighting.ts'

const T = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const at = (reference: string) => encodeURIComponent(reference)
const short = (id: string) => id.replace(/^(dataset|job):\/\/test\//, '')
// biome-ignore lint/suspicious/noExplicitAny: answers
const names = (answer: any): string[] => answer.nodes.map((node: { id: string }) => short(node.id))
// biome-ignore lint/suspicious/noExplicitAny: answers
const edges = (answer: any): string[] =>
  answer.edges.map((edge: { from: string; to: string }) => `${short(edge.from)}>${short(edge.to)}`).sort()

describe('the graph', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.draw(T, 'raw > clean > tidy', 'tidy + names > join > wide', 'wide > report > page')
    await world.draw(T, 'loop1 > forth > loop2', 'loop2 > back > loop1')
  })
  after(() => world.close())

  it('shows where data comes from, the nearest first, with how far', async () => {
    const answer = await world.get(`upstream/${at(data_('wide'))}`)
    assert.deepEqual(names(answer).slice(0, 2), ['wide', 'join'])
    assert.deepEqual(names(answer).sort(), ['clean', 'join', 'names', 'raw', 'tidy', 'wide'])
    assert.deepEqual(edges(answer), ['clean>tidy', 'join>wide', 'names>join', 'raw>clean', 'tidy>join'])
    const distances = Object.fromEntries(
      answer.nodes.map((node: { id: string; distance: number }) => [short(node.id), node.distance])
    )
    assert.deepEqual(distances, { wide: 0, join: 1, names: 2, tidy: 2, clean: 3, raw: 4 })
    assert.deepEqual([answer.root, answer.truncated, answer.nextCursor], [data_('wide'), false, null])
  })

  it('shows what becomes of it, as far as is asked', async () => {
    assert.deepEqual(names(await world.get(`downstream/${at(data_('raw'))}?depth=2`)), ['raw', 'clean', 'tidy'])
    const both = await world.get(`graph?root=${at(data_('tidy'))}&depth=1`)
    assert.deepEqual(names(both).sort(), ['clean', 'join', 'tidy'])
    assert.deepEqual(names(await world.get(`graph?root=${at(data_('tidy'))}&depth=1&direction=upstream`)), [
      'tidy',
      'clean'
    ])
  })

  it('goes round in circles once', async () => {
    const answer = await world.get(`graph?root=${at(data_('loop1'))}&depth=50`)
    assert.deepEqual(names(answer).sort(), ['back', 'forth', 'loop1', 'loop2'])
    assert.deepEqual(edges(answer), ['back>loop1', 'forth>loop2', 'loop1>forth', 'loop2>back'])
  })

  it('leads past nodes that are not asked for', async () => {
    const answer = await world.get(`downstream/${at(data_('raw'))}?types=dataset`)
    assert.deepEqual(names(answer).sort(), ['page', 'raw', 'tidy', 'wide'])
    assert.deepEqual(edges(answer), ['raw>tidy', 'tidy>wide', 'wide>page'])
  })

  it('comes in parts that make the whole, at the time of the first', async () => {
    const whole = await world.get('graph')
    const parts = { nodes: [] as string[], edges: [] as string[] }
    let cursor: string | null = ''
    for (let n = 0; cursor !== null; n++) {
      assert.ok(n < 50)
      const part = await world.get(`graph?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      parts.nodes.push(...names(part))
      parts.edges.push(...edges(part))
      if (n === 0) await world.draw(Date.now() + DAY, 'later > job > much', 'raw > job > more')
      cursor = part.nextCursor
      assert.equal(part.truncated, cursor !== null)
    }
    assert.deepEqual(parts.nodes.sort(), names(whole).sort())
    assert.deepEqual(parts.edges.sort(), edges(whole))
    const other = await world.test.call(
      'GET',
      `/api/lineage/graph?depth=3&cursor=${(await world.get('graph?limit=1')).nextCursor}`,
      { as: 'viewer' }
    )
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/query/cursor'])
  })

  it('is what it was', async () => {
    await world.draw(T, 'old > mover > out')
    await world.draw(T + 2 * DAY, 'new > mover > out')
    const path = `upstream/${at(data_('out'))}`
    assert.deepEqual(names(await world.get(path)), ['out', 'mover', 'new'])
    assert.deepEqual(names(await world.get(`${path}?asOf=2026-01-02`)), ['out', 'mover', 'old'])
    assert.deepEqual(names(await world.get(`${path}?asOf=2025-12-31`)), ['out'])
    const [edge] = (await world.get(`downstream/${at(data_('old'))}?asOf=2026-01-02`)).edges
    assert.deepEqual([edge.startedAt, edge.endedAt], ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'])
    assert.deepEqual(edge.provenance[0].runs, 1)
  })

  it('shows how the last run of each job went, and what it failed at', async () => {
    const run = (id: string, timeMs: number, error?: string): Sighting => ({
      ...seenBy('night', timeMs, [data_('wide')], [data_('mail')]),
      run: { id, state: error === undefined ? 'completed' : 'failed', timeMs, isWhole: true, ...(error && { error }) }
    })
    await world.saw(run('first', T), run('second', T + DAY, 'no room on the disk'))
    const last = {
      id: 'second',
      state: 'failed',
      stateAt: '2026-01-02T00:00:00.000Z',
      startedAt: '2026-01-02T00:00:00.000Z',
      error: 'no room on the disk'
    }
    const wide = at(data_('wide'))
    for (const path of [`upstream/${at(data_('mail'))}`, `downstream/${wide}`, `graph?root=${wide}`, 'graph']) {
      const { nodes } = await world.get(path)
      const of = (id: string) => nodes.find((node: { id: string }) => node.id === id).lastRun
      assert.deepEqual(of(job_('night')), last)
      assert.equal(of(data_('wide')), null)
    }
    const { nodes } = await world.get(`impact/${wide}`)
    assert.deepEqual(nodes.find(({ id }: { id: string }) => id === job_('night')).lastRun, last)
  })

  it('knows a shortest way, or that there is none', async () => {
    const way = await world.get(`path?from=${at(data_('raw'))}&to=${at(data_('page'))}`)
    assert.deepEqual([way.found, names(way)], [true, ['raw', 'clean', 'tidy', 'join', 'wide', 'report', 'page']])
    assert.equal(way.edges.length, 6)
    const none = await world.get(`path?from=${at(data_('page'))}&to=${at(data_('raw'))}`)
    assert.deepEqual([none.found, none.nodes, none.truncated], [false, [], false])
  })

  it('says what is not known, and what is no reference', async () => {
    const unknown = await world.test.call('GET', `/api/lineage/upstream/${at(data_('nobody'))}`, { as: 'viewer' })
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found'])
    const wrong = await world.test.call('GET', '/api/lineage/upstream/nonsense', { as: 'viewer' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/params/id'])
    const unencoded = await world.test.call('GET', `/api/lineage/upstream/${data_('raw')}`, { as: 'viewer' })
    assert.deepEqual([unencoded.status, unencoded.body.code], [404, 'route_not_found'])
    assert.match(unencoded.body.detail, /percent-encoded/)
    const types = await world.test.call('GET', '/api/lineage/graph?types=table', { as: 'viewer' })
    assert.deepEqual([types.status, types.body.errors[0].pointer], [400, '/query/types'])
    assert.match(types.body.errors[0].message, /^must be one or more of object, series, .*job, with commas/)
    const half = await world.test.call('GET', `/api/lineage/upstream/${at('dataset://only')}`, { as: 'viewer' })
    assert.match(half.body.errors[0].message, /dataset:\/\/<namespace>\/<name>/)
    const job = await world.get(`downstream/${at(job_('clean'))}?depth=1`)
    assert.deepEqual(names(job), ['clean', 'tidy'])
  })
})
