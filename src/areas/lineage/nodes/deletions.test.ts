import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { LineageWorld, seenBy } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { makeBucket, objectPath, put } from '../../../../test/support/objects/client.ts'
import { type Absence, endedBy, goneSince, merged } from './facts.ts'

const X = 'object://lake/x.csv'
const [Y, ALL] = ['object://lake/raw/y.csv', 'object://lake/raw/*']
const at = encodeURIComponent

describe('what is deleted here', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start({ clock })
    await makeBucket(world.test, 'lake')
    for (const key of ['x.csv', 'raw/y.csv']) await put(world.test, 'lake', key, 'id\n1\n')
    await world.saw(seenBy('etl', clock.now(), [X], [Y]), seenBy('other', clock.now(), [ALL], []))
  })
  after(() => world.close())

  const call = async (method: string, path: string, body?: object) => {
    clock.advance(1000)
    const answer = await world.test.call(method, path, { as: 'admin', ...(body && { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  interface Shown {
    readonly id: string
    readonly name: string
    readonly deleted: boolean
    readonly deletedAt: string | null
  }
  /** Since when a node is deleted, by every question that shows it. */
  async function since(id: string, root: string, asOf?: string): Promise<string | null> {
    const query = asOf === undefined ? '' : `?asOf=${asOf}`
    const answers = await Promise.all([
      world.get(`graph?root=${at(root)}${query.replace('?', '&')}`),
      world.get(`path?from=${at(id)}&to=${at(id)}${query.replace('?', '&')}`),
      ...(id === root ? [] : [world.get(`downstream/${at(root)}${query}`), world.get(`impact/${at(root)}${query}`)]),
      ...(id === root ? [world.get(`upstream/${at(root)}${query}`)] : []),
      ...(asOf === undefined ? [world.get(`nodes?q=${at(id)}`)] : [])
    ])
    const shown = answers.map(({ nodes }) => nodes.find((node: Shown) => node.id === id) as Shown)
    for (const node of shown) assert.equal(node.deleted, node.deletedAt !== null)
    const times = new Set(shown.map(({ deletedAt }) => deletedAt))
    assert.equal(times.size, 1, JSON.stringify(shown))
    return [...times][0] as string | null
  }

  it('is marked with since when, keeps its edges, and was there before', async () => {
    const alive = clock.iso()
    assert.equal(await since(Y, X), null)
    await call('DELETE', objectPath('lake', 'raw/y.csv'))
    const deletedAt = clock.iso()
    clock.advance(1000)
    assert.equal(await since(Y, X), deletedAt)
    assert.equal(await since(Y, X, alive), null)
    assert.equal(await since(ALL, X), null)
    const { edges } = await world.get(`upstream/${at(Y)}`)
    assert.ok(edges.some(({ to, endedAt }: { to: string; endedAt: string | null }) => to === Y && endedAt === null))
  })

  it('is there again when it is made again, and was not meanwhile', async () => {
    const gone = clock.iso()
    const deletedAt = await since(Y, X)
    clock.advance(1000)
    // Somebody wants to read it, which makes nothing.
    await world.saw(seenBy('reader', clock.now(), [Y], []))
    assert.equal(await since(Y, X), deletedAt)
    await put(world.test, 'lake', 'raw/y.csv', 'id\n2\n')
    assert.equal(await since(Y, X), null)
    assert.equal(await since(Y, X, gone), deletedAt)
  })

  it('is there again when a run writes it', async () => {
    await call('POST', '/api/buckets/lake/deletions', { keys: ['raw/y.csv', 'never.csv'] })
    assert.equal(await since(Y, X), clock.iso())
    assert.equal((await world.get('nodes?q=never')).total, 0)
    clock.advance(1000)
    await world.saw(seenBy('etl', clock.now(), [X], [Y]))
    assert.equal(await since(Y, X), null)
  })

  it('is all that a bucket had, of which names of many are there again with the bucket', async () => {
    await call('DELETE', '/api/buckets/lake?force=true')
    const deletedAt = clock.iso()
    for (const id of [X, Y, ALL]) assert.equal(await since(id, id), deletedAt, id)
    clock.advance(1000)
    await makeBucket(world.test, 'lake')
    for (const id of [X, Y]) assert.equal(await since(id, id), deletedAt, id)
    assert.equal(await since(ALL, ALL), null)
    await put(world.test, 'lake', 'x.csv', 'id\n3\n')
    assert.equal(await since(X, X), null)
  })

  it('is every other thing, too', async () => {
    const dashboard = await call('POST', '/api/dashboards', { name: 'mill' })
    const nodes = [
      { id: 'from', type: 'file', config: { reference: X } },
      { id: 'to', type: 'object', config: { bucket: 'lake', prefix: 'out/', format: 'csv' }, inputs: ['from'] }
    ]
    const pipeline = await call('POST', '/api/pipelines', { name: 'mill', nodes })
    const rule = { name: 'mill', dataset: X, type: 'rowCount', config: { min: 1 } }
    const quality = await call('POST', '/api/quality/rules', rule)
    const json = { name: 'mill', type: 'json', schema: { type: 'object' } }
    const schema = await call('POST', '/api/schemas', json)
    const made: [path: string, id: string][] = [
      [`/api/quality/rules/${quality.id}`, `job://quality-rule/${quality.id}`],
      [`/api/dashboards/${dashboard.id}`, `job://dashboard/${dashboard.id}`],
      [`/api/dashboards/${dashboard.id}`, `dashboard://${dashboard.id}`],
      [`/api/pipelines/${pipeline.id}`, `pipeline://${pipeline.id}`],
      [`/api/schemas/${schema.id}`, `schema://${schema.id}`]
    ]
    await world.saw(seenBy('validate', clock.now(), [`schema://${schema.id}`, `pipeline://${pipeline.id}`], []))
    for (const path of new Set(made.map(([one]) => one))) {
      await call('DELETE', path)
      for (const [, id] of made.filter(([one]) => one === path)) assert.equal(await since(id, id), clock.iso(), id)
    }
    await call('POST', `/api/schemas/${schema.id}/restore`)
    assert.equal(await since(`schema://${schema.id}`, `schema://${schema.id}`), null)
  })
})

describe('deletions of a node', () => {
  const ms = fc.integer({ min: 1, max: 30 })
  type Told = { readonly deletedMs: number } | { readonly thereMs: number }
  const told: fc.Arbitrary<Told> = fc.oneof(
    ms.map((deletedMs) => ({ deletedMs })),
    ms.map((thereMs) => ({ thereMs }))
  )

  /** As the tables keep it: a deletion looks for what was there before it was told; what is there ends what is known. */
  function kept(all: readonly Told[]): readonly Absence[] {
    let deleted: readonly Absence[] = []
    const there: number[] = []
    for (const one of all) {
      if ('thereMs' in one) there.push(one.thereMs)
      const news = 'deletedMs' in one ? endedBy([[one.deletedMs, null]], there) : endedBy(deleted, [one.thereMs])
      deleted = merged({ deleted }, { deleted: news }).deleted ?? []
    }
    return deleted
  }

  it('are the same in whatever order they are told, and are so at every time', () => {
    const orders = fc
      .array(told, { maxLength: 15 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
    const property = fc.property(orders, ([all, other]) => {
      const deleted = kept(all)
      assert.deepEqual(kept([...other, ...all]), deleted)
      for (let at = 0; at <= 31; at++) {
        // Of a deletion and a run that names it at the same moment, the deletion counts.
        const moments = all
          .map((one) => ('deletedMs' in one ? { ms: one.deletedMs, gone: 1 } : { ms: one.thereMs, gone: 0 }))
          .filter((one) => one.ms <= at)
        const last = moments.sort((a, b) => a.ms - b.ms || a.gone - b.gone).at(-1)
        assert.equal(goneSince({ deleted }, at) !== null, last?.gone === 1, `at ${at}`)
      }
    })
    fc.assert(property, { numRuns: 300 })
  })
})
