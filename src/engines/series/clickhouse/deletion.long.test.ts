import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { missingClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import type { Series } from '../index.ts'
import { ask, valuesOf, write, writeGood } from '../testing/asking.ts'
import { openClickhouse } from './index.ts'
import { run, type Servers, startOne } from './testing/servers.ts'

/** Two servers of Millrace on one ClickHouse. */
describe('tags that another server deletes', { skip: missingClickhouse() ?? false }, () => {
  let servers: Servers
  let url: string
  let here: Series
  let there: Series
  before(async () => {
    servers = await startOne()
    url = servers.nodes[0]?.url as string
    here = await openClickhouse({ url: servers.engineUrl('two') })
    there = await openClickhouse({ url: servers.engineUrl('two') })
  })
  after(async () => {
    await here?.close()
    await there?.close()
    await servers?.stop()
  })

  test('take no point that is written after that, not even from who knew them well', async () => {
    for (let round = 0; round < 10; round++) {
      const source = `known-${round}`
      await writeGood(here, source, 'a,k=v value="n/a" 1\nb value=1 1')
      await writeGood(there, source, 'a,k=v value="n/a" 2\nb value=1 2')
      assert.equal(await here.dropTag(source, 'a{k=v}'), true)
      await writeGood(there, source, 'a,k=v value=3 3\nb value=1 3')
      await writeGood(here, source, 'a,k=v value=4 4\nb value=1 4')
      for (const series of [here, there]) {
        assert.deepEqual(
          [...(await valuesOf(series, source, 'a{k=v}'))],
          [
            [3n, 3],
            [4n, 4]
          ]
        )
        assert.equal((await valuesOf(series, source, 'b')).size, 4)
      }
      const [tag] = (await here.tags(source, { limit: 1 })).tags
      assert.deepEqual([tag?.type, tag?.labels, tag?.pointCount], ['float', { k: 'v' }, 2])
    }
  })

  test('have the type that the other server gave them anew', async () => {
    await writeGood(here, 'type', 'a value="n/a" 1')
    await writeGood(there, 'type', 'a value="n/a" 2')
    await here.dropTag('type', 'a')
    await writeGood(here, 'type', 'a value=t 3')
    assert.equal((await write(there, 'type', 'a value=4 4')).errors[0]?.code, 'type_conflict')
    assert.equal(await there.dropTag('type', 'a'), true)
    assert.equal(await here.dropTag('type', 'a'), false)
    await writeGood(here, 'type', 'a value=5 5')
    assert.deepEqual([...(await valuesOf(there, 'type', 'a'))], [[5n, 5]])
  })

  test('are deleted whatever the clocks of servers say', async () => {
    // A deletion by a server whose clock is a day ahead.
    await writeGood(here, 'clock', 'a value=1 1')
    const ahead = (BigInt(Date.now()) + 86_400_000n) << 20n
    await run(url, `INSERT INTO two.deleted_tags VALUES ('clock', 0, 'a', ${ahead})`)
    await writeGood(here, 'clock', 'a value=2 2')
    assert.deepEqual([...(await valuesOf(here, 'clock', 'a'))], [[2n, 2]])
    assert.equal(await there.dropTag('clock', 'a'), true)
    assert.equal((await valuesOf(here, 'clock', 'a')).size, 0)
    await writeGood(here, 'clock', 'a value=3 3')
    assert.deepEqual([...(await valuesOf(there, 'clock', 'a'))], [[3n, 3]])
  })

  test('hold each write as a whole or not at all, on whichever server it was', async () => {
    const lines = (batch: number) => Array.from({ length: 8 }, (_, i) => `a value=${batch} ${batch * 8 + i}`).join('\n')
    let next = 0
    let deletions = 0
    const begunAfter: number[] = []
    const writer = async (series: Series) => {
      while (next < 100) {
        const batch = next++
        begunAfter[batch] = deletions
        await writeGood(series, 'whole', lines(batch))
      }
    }
    const eraser = async () => {
      while (next < 90) {
        const before = next
        if (await there.dropTag('whole', 'a')) deletions++
        await eventually(() => next >= Math.min(before + 8, 90))
      }
    }
    await Promise.all([writer(here), writer(there), writer(here), writer(there), eraser()])
    const found = Map.groupBy(await valuesOf(here, 'whole', 'a'), ([, value]) => value as number)
    for (const [batch, then] of begunAfter.entries()) {
      const count = found.get(batch)?.length ?? 0
      assert.ok(count === 0 || count === 8, `${count} points of a write`)
      if (then === deletions) assert.equal(count, 8, 'a write that began after the last deletion')
    }
    assert.ok(deletions > 2, `${deletions} deletions`)
  })

  test('leave the disk later, also what came late, and nothing else does', async () => {
    const rows = async (table: string) =>
      Number(await run(url, `SELECT count() FROM two.${table} WHERE source = 'disk'`))
    const names = ['a', 'a!', 'a\x01', 'ab', 'b']
    const body = JSON.stringify(names.map((tag) => ({ tag, time: 1, value: 1, labels: { k: tag } })))
    await writeGood(here, 'disk', body, { format: 'json' })
    await here.sweepTag('disk', 'a')
    await here.dropTag('disk', 'a')
    await writeGood(here, 'disk', JSON.stringify({ tag: 'a', time: 2, value: 'x' }), { format: 'json' })
    assert.equal(await rows('points'), 6)
    // A point that a server had under way when the tag was deleted.
    await run(url, `INSERT INTO two.points VALUES ('disk', 0, 'a', 7, 7, '', 0, 0, 7)`)
    assert.deepEqual((await ask(here, 'disk')).stats.pointsRead, 5)
    await here.sweepTag('disk', 'a')
    await eventually(async () => (await rows('points')) === 5)
    await eventually(async () => (await rows('tag_stats')) === 5)
    await eventually(async () => (await rows('labels')) === 4)
    assert.deepEqual((await ask(here, 'disk')).stats.pointsRead, 5)
    assert.deepEqual([...(await valuesOf(here, 'disk', 'a')).values()], ['x'])
    await here.drop('disk')
    await eventually(async () => (await rows('deleted_tags')) === 0)
  })
})
