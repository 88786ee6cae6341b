import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, valuesOf, write, writeGood } from './asking.ts'
import type { Given } from './contract.ts'
import { rowsOf } from './exported.ts'

const DAY_MS = 86_400_000

/** A deleted tag does not appear in any answer, and its name can be used for a new one. */
export function promisesOfDeletion({ series, newSource, isExactCount }: Given, restart: () => Promise<boolean>): void {
  /** Everything that can be asked about a source. */
  async function seen(source: string) {
    const { tags, total } = await series().tags(source, { limit: 100 })
    const answer = await ask(series(), source)
    const counts = await ask(series(), source, { bucket: { count: 1, unit: 'd' }, functions: ['count'] })
    const exported = await series().export(source, undefined)
    const rows = await rowsOf(exported)
    await exported.release()
    const stats = (await series().stats([source])).get(source)
    return {
      tags: tags.map(({ name, type, labels, lastValue, firstNs, lastNs, pointCount }) => {
        // A point that was written twice may be counted twice.
        return [name, type, labels, lastValue, firstNs, lastNs, isExactCount ? pointCount : pointCount > 0]
      }),
      total,
      series: answer.series.map(({ tag, points }) => [tag, points]),
      counts: counts.series.map(({ tag, points }) => [tag, points]),
      rows,
      stats: stats && { ...stats, pointCount: isExactCount ? stats.pointCount : stats.pointCount > 0 }
    }
  }

  const OTHERS = 'b value=1 5\nc value="x" 6\na.b value=t 7\na1 value=2i 8'

  test('a tag that was deleted has never been, and takes another type', async () => {
    const [source, other, plain] = [newSource(), newSource(), newSource()]
    for (const name of [source, other])
      await writeGood(series(), name, `${OTHERS}\na,k=v value="n/a" 1\na,k=v value="?" 9`)
    await writeGood(series(), plain, OTHERS)
    assert.equal((await write(series(), source, 'a,k=v value=1 2')).rejected, 1)
    assert.equal(await series().dropTag(source, 'a{k=v}'), true)
    assert.deepEqual(await seen(source), await seen(plain))
    assert.deepEqual((await ask(series(), source, { tags: ['a{k=v}', 'b'] })).unknownTags, ['a{k=v}'])
    // The new points are of another type, and one has a time of before.
    await writeGood(series(), source, 'a,k=v value=3.5 9\na,k=v value=4 10')
    assert.deepEqual(
      [...(await valuesOf(series(), source, 'a{k=v}'))],
      [
        [9n, 3.5],
        [10n, 4]
      ]
    )
    await writeGood(series(), plain, 'a,k=v value=3.5 9\na,k=v value=4 10')
    assert.deepEqual(await seen(source), await seen(plain))
    assert.equal((await write(series(), source, 'a,k=v value="n/a" 11')).rejected, 1)
    assert.equal((await valuesOf(series(), other, 'a{k=v}')).size, 2)
    await series().sweepTag(source, 'a{k=v}')
    assert.deepEqual(await seen(source), await seen(plain))
  })

  test('what is not there is not deleted', async () => {
    const source = newSource()
    assert.equal(await series().dropTag(source, 'a'), false)
    await writeGood(series(), source, 'a value=1 1')
    for (const name of ['A', 'a ', 'a.value', 'b', '', 'a\0', '\0', 'a\x001']) {
      assert.equal(await series().dropTag(source, name), false, JSON.stringify(name))
    }
    assert.equal(await series().dropTag(newSource(), 'a'), false)
    assert.equal(await series().dropTag(source, 'a'), true)
    assert.equal(await series().dropTag(source, 'a'), false)
    assert.equal((await series().stats([source])).size, 0)
    assert.deepEqual((await ask(series(), source)).series, [])
  })

  test('a tag can be deleted again and again, and found page by page in between', async () => {
    const source = newSource()
    const names = ['a', 'a!', 'a.b', 'ab', '9', "it's", '🏭/ü']
    for (let round = 0; round < 3; round++) {
      const points = names.map((tag, i) => ({ tag, time: i, value: round % 2 === 0 ? i : `text ${i}` }))
      await writeGood(series(), source, JSON.stringify(points), { format: 'json' })
      const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const found: string[] = []
      for (;;) {
        const page = await series().tags(source, { limit: 2, after: found.at(-1) })
        assert.equal(page.total, names.length)
        if (page.tags.length === 0) break
        found.push(...page.tags.map(({ name }) => name))
      }
      assert.deepEqual(found, sorted)
      const answer = await ask(series(), source, { tags: names })
      assert.deepEqual(
        answer.series.map(({ tag, points: [point], points: { length } }) => [tag, point?.value, length]),
        points.map(({ tag, value }) => [tag, value, 1])
      )
      assert.deepEqual((await series().tags(source, { q: '1', limit: 10 })).total, 0)
      for (const name of names) {
        assert.equal(await series().dropTag(source, name), true, name)
        if (round === 1) await series().sweepTag(source, name)
      }
      assert.deepEqual(await series().tags(source, { limit: 10 }), { tags: [], total: 0 })
    }
  })

  test('an answer has all that is left, whatever its limit', async () => {
    const source = newSource()
    const lines = Array.from({ length: 50 }, (_, i) => `a value=1 ${i}\nb value=2 ${i}`)
    await writeGood(series(), source, lines.join('\n'))
    await series().dropTag(source, 'a')
    const answer = await ask(series(), source, { limitPoints: 50 })
    assert.deepEqual(
      answer.series.map(({ tag, points }) => [tag, points.length]),
      [['b', 50]]
    )
  })

  test('a tag that retention has emptied gives its type away too', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a value="n/a" 1\nb value=1 1')
    await series().retain(source, DAY_MS)
    assert.equal((await series().tags(source, { limit: 10 })).total, 0)
    assert.equal(await series().dropTag(source, 'a'), true)
    await writeGood(series(), source, `a value=1 ${2 * DAY_MS}`, { precision: 'ms' })
    assert.equal((await series().tags(source, { limit: 10 })).tags[0]?.type, 'float')
  })

  test('a source that is dropped takes its deleted tags along', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a value="n/a" 1')
    await series().dropTag(source, 'a')
    await writeGood(series(), source, 'a value=1 2')
    await series().drop(source)
    assert.equal((await ask(series(), source)).series.length, 0)
    await writeGood(series(), source, 'a value=t 3')
    assert.deepEqual([...(await valuesOf(series(), source, 'a'))], [[3n, true]])
    assert.equal(await series().dropTag(source, 'a'), true)
    assert.equal((await ask(series(), source)).series.length, 0)
  })

  test('each write comes as a whole before a deletion or after it', async () => {
    const source = newSource()
    let next = 0
    let deletions = 0
    const acknowledged: { batch: number; begunAfter: number; deletionsThen: number }[] = []
    const writer = async () => {
      while (next < 60) {
        const batch = next++
        const begunAfter = deletions
        await writeGood(
          series(),
          source,
          Array.from({ length: 8 }, (_, i) => `a value=${batch} ${batch * 8 + i}`).join('\n')
        )
        acknowledged.push({ batch, begunAfter, deletionsThen: deletions })
      }
    }
    const eraser = async () => {
      while (next < 60) {
        const before = next
        if (await series().dropTag(source, 'a')) deletions++
        while (next < before + 10 && next < 60) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await Promise.all([writer(), writer(), writer(), eraser()])
    const found = Map.groupBy(await valuesOf(series(), source, 'a'), ([, value]) => value)
    for (const { batch, begunAfter, deletionsThen } of acknowledged) {
      const count = found.get(batch)?.length ?? 0
      assert.ok(count === 0 || count === 8, `${count} points of a write`)
      if (begunAfter === deletions) assert.equal(count, 8, 'a write that came after the last deletion')
      // The write under way may have come before the last deletion.
      if (deletionsThen < deletions - 1) assert.equal(count, 0, 'a write that was over before the last deletion')
    }
    assert.ok(deletions > 1, `${deletions} deletions`)
  })

  test('a tag that was deleted stays so after a crash', async () => {
    const [source, plain] = [newSource(), newSource()]
    await writeGood(series(), source, `${OTHERS}\na value="n/a" 1\ngone value=1 1`)
    await series().dropTag(source, 'a')
    await series().dropTag(source, 'gone')
    await writeGood(series(), source, 'a value=2 1\na value=3 2')
    await writeGood(series(), plain, `${OTHERS}\na value=2 1\na value=3 2`)
    if (!(await restart())) return
    assert.deepEqual(await seen(source), await seen(plain))
    for (const name of [source, plain]) await writeGood(series(), name, 'a value=4 3\ngone value="new" 4')
    assert.deepEqual(await seen(source), await seen(plain))
  })
}
