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
    ['series://src_1', 'series://src_1/oil', true],
    ['series://src_1/oil', 'series://src_1/air', false],
    ['series://src_1', 'series://src_2', false]
  ] as const) {
    it(`${a} ${isSo ? 'overlaps with' : 'has nothing of'} ${b}`, () => {
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
})
