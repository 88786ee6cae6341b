import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { job_, LineageWorld, seenBy } from '../../../../test/support/lineage-world.ts'
import { overlap } from './overlaps.ts'

const T = Date.UTC(2026, 0, 1)

describe('names that have data in common', () => {
  for (const [a, b, isSo] of [
    ['object://lake/out/*', 'object://lake/out/a.csv', true],
    ['object://lake/out/*', 'object://lake/out/deep/a.csv', false],
    ['object://lake/out/**', 'object://lake/out/deep/a.csv', true],
    ['object://lake/out/*', 'object://lake/out/*.parquet', true],
    ['object://lake/out/*.csv', 'object://lake/out/*.parquet', false],
    ['object://lake/out/*', 'object://lake/in/*', false],
    ['object://lake/a*', 'object://other/a*', false],
    ['object://lake/a.csv', 'object://lake/b.csv', false],
    // Very many stars: by how they begin and end.
    [`object://lake/a${'*b'.repeat(500)}*.csv`, `object://lake/${'a'.repeat(1000)}.csv`, true],
    [`object://lake/a${'*b'.repeat(500)}*.csv`, `object://lake/${'a'.repeat(1000)}.txt`, false],
    ['series://src_1', 'series://src_1/oil', true],
    ['series://src_1/oil', 'series://src_1/air', false],
    ['series://src_1', 'series://src_2', false],
    ['connector://cn_1/**', 'connector://cn_1/public.a', true],
    ['connector://cn_1/public.*', 'connector://cn_1/public.a', false],
    ['connector://cn_1/**', 'connector://cn_2/public.a', false]
  ] as const) {
    it(`${a.slice(0, 40)} ${isSo ? 'overlaps with' : 'has nothing of'} ${b.slice(-40)}`, () => {
      assert.equal(overlap(a, b), isSo)
      assert.equal(overlap(b, a), isSo)
    })
  }
})

describe('a graph of names that have data in common', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await world.saw(
      seenBy('write', T, [], ['object://lake/out/*']),
      seenBy('read', T, ['object://lake/out/*.parquet'], ['series://src_1']),
      seenBy('watch', T, ['series://src_1/oil'], []),
      seenBy('upload', T, [], ['object://lake/out/b.csv']),
      seenBy('one', T, ['object://lake/out/a.csv'], [])
    )
  })
  after(() => world.close())

  const jobsDown = async (reference: string, path = 'downstream'): Promise<string[]> => {
    const { nodes } = await world.get(`${path}/${encodeURIComponent(reference)}`)
    return nodes.flatMap(({ id }: { id: string }) => (id.startsWith('job://test/') ? [id.slice(11)] : [])).sort()
  }

  it('leads from what writes many to what reads some of them, and on', async () => {
    assert.deepEqual(await jobsDown(job_('write')), ['one', 'read', 'watch', 'write'])
    assert.deepEqual(await jobsDown(job_('write'), 'impact'), ['one', 'read', 'watch'])
    assert.deepEqual(await jobsDown('series://src_1/oil', 'upstream'), ['read', 'write'])
  })

  it('leads from one to nothing but what has it', async () => {
    assert.deepEqual(await jobsDown('object://lake/out/a.csv'), ['one'])
    assert.deepEqual(await jobsDown(job_('upload')), ['upload'])
    assert.deepEqual(await jobsDown('object://lake/out/b.csv', 'impact'), [])
    const path = async (from: string, to: string) =>
      (await world.get(`path?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).found
    assert.equal(await path(job_('write'), job_('watch')), true)
    assert.equal(await path(job_('write'), job_('one')), true)
    assert.equal(await path(job_('upload'), job_('one')), false)
  })

  it('has one file of many that nobody named, for the time of a question', async () => {
    const nodes = async () => (await world.get('nodes?limit=1')).total
    const [before, file] = [await nodes(), 'object://lake/out/c.parquet']
    const at = encodeURIComponent(file)
    assert.deepEqual(await jobsDown(file), ['read', 'watch'])
    assert.deepEqual(await jobsDown(file, 'upstream'), ['write'])
    assert.deepEqual(await jobsDown(file, 'impact'), ['read', 'watch'])
    const { root, nodes: shown, edges } = await world.get(`graph?root=${at}&depth=1`)
    assert.deepEqual([root, shown[0].id, shown[0].name, shown[0].distance], [file, file, 'out/c.parquet', 0])
    const drawn = edges.map(({ from, to, type }: Record<string, string>) => `${from} ${type} ${to}`)
    assert.ok(drawn.includes(`${file} overlaps object://lake/out/*.parquet`), drawn.join())
    assert.ok(drawn.includes(`object://lake/out/* overlaps ${file}`), drawn.join())
    const ways = `path?from=${encodeURIComponent(job_('write'))}&to=${at}`
    const way = await world.get(ways)
    assert.deepEqual([way.found, way.nodes.at(-1).id], [true, file])
    const onward = await world.get(`path?from=${at}&to=${encodeURIComponent(job_('watch'))}`)
    assert.deepEqual(
      onward.edges.map(({ type }: { type: string }) => type),
      ['overlaps', 'reads', 'writes', 'overlaps', 'reads']
    )
    assert.equal(await nodes(), before, 'a question writes nothing')
  })

  it('has no file that nothing names', async () => {
    const status = async (path: string) =>
      (await world.test.call('GET', `/api/lineage/${path}`, { as: 'viewer' })).status
    const nowhere = encodeURIComponent('object://lake/in/c.parquet')
    for (const path of ['upstream', 'downstream', 'impact']) assert.equal(await status(`${path}/${nowhere}`), 404)
    assert.equal(await status(`graph?root=${nowhere}`), 404)
    assert.equal(await status(`path?from=${nowhere}&to=${encodeURIComponent(job_('one'))}`), 404)
    assert.equal(await status(`nodes/${encodeURIComponent('object://lake/out/c.parquet')}`), 404)
  })
})
