import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeGood } from './asking.ts'
import type { Given } from './contract.ts'

/** The tags and figures of a source, without its points. */
export function promisesOfTags({ series, newSource, isExactCount }: Given): void {
  test('tags are listed page by page in the order of their bytes', async () => {
    const source = newSource()
    const names = ['Z', 'a', 'a.b', 'a1', 'b', 'ab', 'ä', 'Ä', '中', '🏭', 'Ｚ', 'pump.Pressure', 'pump.pressure']
    const points = names.map((tag, i) => ({ tag, time: i, value: i }))
    await writeGood(series(), source, JSON.stringify(points), { format: 'json' })
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const limit of [1, 4, 100]) {
      const found: string[] = []
      for (;;) {
        const page = await series().tags(source, { limit, after: found.at(-1) })
        assert.equal(page.total, names.length)
        assert.ok(page.tags.length <= limit)
        if (page.tags.length === 0) break
        found.push(...page.tags.map(({ name }) => name))
      }
      assert.deepEqual(found, sorted)
    }
    const matching = await series().tags(source, { q: 'PRESS', limit: 1, after: 'pump.Pressure' })
    assert.deepEqual([matching.tags.map(({ name }) => name), matching.total], [['pump.pressure'], 2])
    const umlauts = await series().tags(source, { q: 'ä', limit: 10 })
    assert.deepEqual(
      umlauts.tags.map(({ name }) => name),
      ['Ä', 'ä']
    )
    assert.deepEqual(await series().tags(source, { q: 'nothing', limit: 10 }), { tags: [], total: 0 })
    assert.deepEqual(await series().tags(newSource(), { limit: 10 }), { tags: [], total: 0 })
  })

  test('a tag has its labels, and the facts of its points', async () => {
    const source = newSource()
    await writeGood(
      series(),
      source,
      'cpu,host=h1,rack=r\\ 2 usage=1 5\ncpu,host=h1,rack=r\\ 2 usage=3 1700000000000000001'
    )
    await writeGood(series(), source, 'cpu,host=h1,rack=r\\ 2 usage=2 -7')
    assert.deepEqual(await series().tags(source, { limit: 10 }), {
      total: 1,
      tags: [
        {
          name: 'cpu.usage{host=h1,rack=r 2}',
          type: 'float',
          labels: { host: 'h1', rack: 'r 2' },
          firstNs: -7n,
          lastNs: 1_700_000_000_000_000_001n,
          lastValue: 3,
          pointCount: 3
        }
      ]
    })
  })

  test('a source has the facts of all its tags', async () => {
    const [source, other, empty] = [newSource(), newSource(), newSource()]
    await writeGood(series(), source, 'a value=1 5\nb value=t 3\na value=2 9')
    await writeGood(series(), other, 'a value=1 1')
    const stats = await series().stats([source, empty, other])
    assert.deepEqual(stats.get(source), { tagCount: 2, pointCount: 3, firstNs: 3n, lastNs: 9n })
    assert.deepEqual(stats.get(other), { tagCount: 1, pointCount: 1, firstNs: 1n, lastNs: 1n })
    assert.equal(stats.has(empty), false)
    assert.equal((await series().stats([])).size, 0)
    await writeGood(series(), source, 'a value=7 9')
    const count = (await series().stats([source])).get(source)?.pointCount as number
    assert.ok(isExactCount ? count === 3 : count === 3 || count === 4, `${count} points`)
  })
}
