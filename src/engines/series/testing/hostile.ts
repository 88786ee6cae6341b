import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, valuesOf, writeGood } from './asking.ts'
import type { Given } from './contract.ts'

const HOSTILE = [
  "it's",
  "'; DROP TABLE points; --",
  "\\'; DROP TABLE points; --",
  'back\\slash\\',
  '\\x27\\n\\0',
  'double"quote',
  'line\nbreak\r\ttab',
  '%s %1$s $x {x:String} ?',
  '`backtick` /* comment */ -- #',
  'ü 中文 🏭 e\u0301',
  ' space ',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '=1+1',
  'a,b;c'
]

/** Names and texts are never interpreted, whatever they look like. */
export function promisesOfHostileInput({ series, newSource }: Given): void {
  test('names that look like code are names', async () => {
    const source = newSource()
    const points = HOSTILE.map((tag, i) => ({ tag, time: i, value: i, labels: { [tag]: tag } }))
    await writeGood(series(), source, JSON.stringify(points), { format: 'json' })
    for (const tags of [HOSTILE, undefined]) {
      const answer = await ask(series(), source, { tags })
      assert.deepEqual(
        new Map(answer.series.map(({ tag, points: [point] }) => [tag, point?.value])),
        new Map(points.map(({ tag, value }) => [tag, value]))
      )
    }
    const { tags, total } = await series().tags(source, { limit: 100 })
    assert.equal(total, HOSTILE.length)
    for (const { name, labels } of tags) assert.deepEqual(Object.entries(labels), [[name, name]])
    for (const q of HOSTILE) {
      const found = await series().tags(source, { q, limit: 100 })
      assert.ok(
        found.tags.some(({ name }) => name === q),
        q
      )
    }
  })

  test('texts that look like code are texts', async () => {
    const source = newSource()
    const points = [...HOSTILE, '', 'x'.repeat(60_000)].map((value, time) => ({ tag: 't', time, value }))
    await writeGood(series(), source, JSON.stringify(points), { format: 'json' })
    const found = await valuesOf(series(), source, 't')
    assert.deepEqual(
      [...found.values()],
      points.map(({ value }) => value)
    )
  })

  test('sources are told apart whatever they are called', async () => {
    const sources = HOSTILE.map((name) => `${newSource()}${name}`)
    for (const [i, source] of sources.entries()) await writeGood(series(), source, `a value=${i} 1`)
    const stats = await series().stats(sources)
    for (const [i, source] of sources.entries()) {
      assert.deepEqual([...(await valuesOf(series(), source, 'a'))], [[1n, i]])
      assert.equal(stats.get(source)?.pointCount, 1)
    }
    await series().drop(sources[1] as string)
    assert.equal((await series().stats(sources)).size, sources.length - 1)
  })
}
