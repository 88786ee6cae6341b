import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { ask, valuesOf, writeGood } from './asking.ts'
import type { Given } from './contract.ts'
import { rowsOf } from './exported.ts'

const DAY_MS = 86_400_000

/** How points survive, how they expire, and how files are exported. */
export function promisesOfKeeping({ series, newSource }: Given, restart: () => Promise<boolean>): void {
  test('a source that was dropped is gone, and begins anew', async () => {
    const [source, other] = [newSource(), newSource()]
    for (const name of [source, other]) await writeGood(series(), name, 'a,k=v value=1 1\nb value=1 1\na,k=v value=2 2')
    await series().drop(source)
    assert.deepEqual(await series().tags(source, { limit: 10 }), { tags: [], total: 0 })
    assert.equal((await series().stats([source])).size, 0)
    assert.deepEqual((await ask(series(), source, { tags: ['b'] })).unknownTags, ['b'])
    // The new points have another type, and only one of the times.
    await writeGood(series(), source, 'b value="new" 1\na,k=v value=3 3')
    assert.deepEqual([...(await valuesOf(series(), source, 'b'))], [[1n, 'new']])
    assert.deepEqual([...(await valuesOf(series(), source, 'a{k=v}'))], [[3n, 3]])
    const { tags } = await series().tags(source, { limit: 10 })
    assert.deepEqual(
      tags.map(({ type, labels, pointCount }) => [type, labels, pointCount]),
      [
        ['float', { k: 'v' }, 1],
        ['string', {}, 1]
      ]
    )
    await series().drop(source)
    await series().drop(newSource())
    assert.deepEqual((await ask(series(), source)).series, [])
    assert.equal((await ask(series(), other)).stats.pointsRead, 3)
  })

  test('a source has no points before what it retains', async () => {
    const [source, other] = [newSource(), newSource()]
    const fromMs = Date.parse('2026-02-10T06:00:00Z')
    const times = [-40, -2, -0.25, 0, 0.25, 3].map((days) => fromMs + days * DAY_MS)
    const lines = times.map((ms) => `a value=1 ${ms}`).join('\n')
    for (const name of [source, other])
      await writeGood(series(), name, `${lines}\nold value=1 ${times[0]}`, { precision: 'ms' })
    await series().retain(source, fromMs)
    const kept = times.slice(3).map((ms) => BigInt(ms) * 1_000_000n)
    assert.deepEqual([...(await valuesOf(series(), source, 'a')).keys()], kept)
    const buckets = await ask(series(), source, { tags: ['a'], bucket: { count: 1, unit: 'd' }, functions: ['count'] })
    assert.deepEqual(
      buckets.series[0]?.points.map(({ value }) => value),
      [2, 1]
    )
    assert.equal((await series().stats([source])).get(source)?.firstNs, kept[0])
    await writeGood(series(), source, `a value=1 ${times[1]}\na value=5 ${times[4]}`, { precision: 'ms' })
    assert.deepEqual([...(await valuesOf(series(), source, 'a')).values()], [1, 5, 1])
    assert.equal((await valuesOf(series(), other, 'a')).size, times.length)
    const exported = await series().export(source, undefined)
    assert.equal((await rowsOf(exported)).length, 3)
    await exported.release()
  })

  test('others can read a copy of a source, each point once', async () => {
    const source = newSource()
    await writeGood(
      series(),
      source,
      'f value=1.5 1700000000000000001\nf value=2 1800000000000000000\nb value=t 5\ni value=9007199254740993i 5\ns value="te\'xt" -5'
    )
    await writeGood(series(), source, 'f value=3 1800000000000000000')
    await writeGood(series(), source, JSON.stringify({ tag: 'q', time: 1, value: 1, quality: 'bad' }), {
      format: 'json'
    })
    const exported = await series().export(source, undefined)
    assert.deepEqual(await rowsOf(exported), [
      ['b', '5', 1, null, 0],
      ['f', '1700000000000000001', 1.5, null, 0],
      ['f', '1800000000000000000', 3, null, 0],
      ['i', '5', 9007199254740992, '9007199254740993', 0],
      ['q', '1', 1, null, 2],
      ['s', '-5', null, "te'xt", 0]
    ])
    for (const file of exported.files)
      assert.ok(
        exported.folders.some((folder) => file.startsWith(`${folder}/`)),
        file
      )
    await exported.release()
    const some = await series().export(source, ['b', 'nobody'])
    assert.deepEqual(await rowsOf(some), [['b', '5', 1, null, 0]])
    await some.release()
    const none = await series().export(newSource(), undefined)
    assert.deepEqual(none.files.filter(existsSync), [])
    await none.release()
  })

  test('what was acknowledged survives a crash, and the last still wins', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a,k=v value=1 1\na,k=v value=2 2\nt value="x" 1')
    await series().retain(source, 0)
    if (!(await restart())) return
    await writeGood(series(), source, 'a,k=v value=7 2\na,k=v value=8 3')
    assert.deepEqual([...(await valuesOf(series(), source, 'a{k=v}')).values()], [1, 7, 8])
    assert.deepEqual((await series().tags(source, { limit: 1 })).tags[0]?.labels, { k: 'v' })
    assert.deepEqual([...(await valuesOf(series(), source, 't')).values()], ['x'])
  })
}
