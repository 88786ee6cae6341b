import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PointValue } from '../index.ts'
import { anySeries, asJson, asLines } from './any-series.ts'
import { ask, NOW_MS, narrowed, valuesOf, write, writeGood } from './asking.ts'
import type { Given } from './contract.ts'

/** Written values come back unchanged, in each format and type. */
export function promisesOfWrites({ series, newSource }: Given): void {
  test('every type of value comes back as it was written', async () => {
    const source = newSource()
    const lines = 'f value=1.5 1\ni value=-7i 2\nu value=7u 3\nb value=t 4\ns value="text, \\"quoted\\"" 5'
    assert.deepEqual(await write(series(), source, lines), { accepted: 5, rejected: 0, errors: [] })
    const answer = await ask(series(), source)
    assert.deepEqual(
      answer.series.map(({ tag, points }) => [tag, points]),
      [
        ['b', [{ time: 4n, value: true }]],
        ['f', [{ time: 1n, value: 1.5 }]],
        ['i', [{ time: 2n, value: -7 }]],
        ['s', [{ time: 5n, value: 'text, "quoted"' }]],
        ['u', [{ time: 3n, value: 7 }]]
      ]
    )
    const { tags } = await series().tags(source, { limit: 10 })
    assert.deepEqual(
      tags.map(({ name, type }) => [name, type]),
      Object.entries({ b: 'boolean', f: 'float', i: 'integer', s: 'string', u: 'unsigned' })
    )
  })

  test('JSON, NDJSON and packed bodies say the same as lines', async () => {
    const point = { tag: 'cpu', time: 1_700_000_000_123, value: 1.25, quality: 'bad' }
    for (const [format, body] of [
      ['json', JSON.stringify([point])],
      ['ndjson', `${JSON.stringify(point)}\n`]
    ] as const) {
      const source = newSource()
      await writeGood(series(), source, body, { format, precision: 'ms' })
      const { points } = (await ask(series(), source)).series[0] ?? {}
      assert.deepEqual(points, [{ time: 1_700_000_000_123_000_000n, value: 1.25, quality: 'bad' }])
    }
  })

  test('what would be written is told, and nothing of it is there', async () => {
    const source = newSource()
    const judge = (body: string) =>
      series().judge({
        sourceId: source,
        format: 'line',
        precision: 'ns',
        nowMs: NOW_MS,
        body: Uint8Array.from(Buffer.from(body))
      })
    const lines = 'a value="x" 1\na value=1 2\nb value=\nc value=3 3'
    const codes = async () => (await judge(lines)).errors.map(({ line, code }) => [line, code])
    assert.deepEqual(await codes(), [
      [2, 'type_conflict'],
      [3, 'invalid_field']
    ])
    assert.deepEqual(await series().tags(source, { limit: 10 }), { tags: [], total: 0 })
    await writeGood(series(), source, 'a value=1 1')
    assert.deepEqual(await codes(), [
      [1, 'type_conflict'],
      [3, 'invalid_field']
    ])
    const { tags } = await series().tags(source, { limit: 10 })
    assert.deepEqual(
      tags.map(({ name, type, pointCount }) => [name, type, pointCount]),
      [['a', 'float', 1]]
    )
    assert.deepEqual(await judge('d value=1 1'), { accepted: 1, rejected: 0, errors: [] })
    await writeGood(series(), source, 'd value="text" 1')
  })

  test('good lines are written though others are not', async () => {
    const source = newSource()
    const { accepted, rejected, errors } = await write(
      series(),
      source,
      'a value=1 1\nb value=\nc value=3 3\na value=1i 4'
    )
    assert.deepEqual([accepted, rejected], [2, 2])
    assert.deepEqual(
      errors.map(({ line }) => line),
      [2, 4]
    )
    assert.equal(errors[1]?.code, 'type_conflict')
    const answer = await ask(series(), source)
    assert.deepEqual(
      answer.series.map(({ tag, points }) => [tag, points.length]),
      [
        ['a', 1],
        ['c', 1]
      ]
    )
    assert.deepEqual((await write(series(), source, 'nonsense')).accepted, 0)
  })

  test('whole numbers of 64 bits stay exact', async () => {
    const source = newSource()
    await writeGood(
      series(),
      source,
      'i value=-9223372036854775808i 1\ni value=9223372036854775807i 2\ni value=9007199254740993i 3\nu value=18446744073709551615u 1'
    )
    assert.deepEqual(
      await valuesOf(series(), source, 'i'),
      new Map<bigint, unknown>([
        [1n, -9223372036854775808n],
        [2n, 9223372036854775807n],
        [3n, 9007199254740993n]
      ])
    )
    const ends = await ask(series(), source, {
      tags: ['i', 'u'],
      bucket: { count: 1, unit: 's' },
      functions: ['first', 'last']
    })
    assert.deepEqual(
      ends.series.map(({ points: [point] }) => [point?.first, point?.last]),
      [
        [-9223372036854775808n, 9007199254740993n],
        [18446744073709551615n, 18446744073709551615n]
      ]
    )
    const { tags } = await series().tags(source, { limit: 2 })
    assert.deepEqual(
      tags.map(({ lastValue }) => lastValue),
      [9007199254740993n, 18446744073709551615n]
    )
  })

  test('times are exact to the nanosecond, and of the server where a point has none', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a value=1 1700000000123456789\na value=2 -1\na value=3')
    assert.deepEqual(
      [...(await valuesOf(series(), source, 'a'))],
      [
        [-1n, 2],
        [1_700_000_000_123_456_789n, 1],
        [BigInt(NOW_MS) * 1_000_000n, 3]
      ]
    )
  })

  test('the point that was written last is the one there is', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a value=1 5\na value=2 5\nt value="x" 5\nt value="y" 5')
    assert.deepEqual([...(await valuesOf(series(), source, 'a'))], [[5n, 2]])
    await writeGood(series(), source, 'a value=0.5 5\na value=9 6')
    await writeGood(series(), source, JSON.stringify({ tag: 't', time: 5, value: '', quality: 'uncertain' }), {
      format: 'json'
    })
    for (const tags of [undefined, ['a', 't']]) {
      const answer = await ask(series(), source, { tags })
      assert.deepEqual(answer.series[0]?.points, [
        { time: 5n, value: 0.5 },
        { time: 6n, value: 9 }
      ])
      assert.deepEqual(answer.series[1]?.points, [{ time: 5n, value: '', quality: 'uncertain' }])
      const buckets = await ask(series(), source, {
        tags: tags && ['a'],
        bucket: { count: 1, unit: 's' },
        functions: ['count', 'last']
      })
      assert.deepEqual(buckets.series[0]?.points, [{ time: 0n, count: 2, last: 9 }])
    }
    const { tags } = await series().tags(source, { limit: 10 })
    assert.deepEqual(
      tags.map(({ lastValue }) => lastValue),
      [9, '']
    )
    await writeGood(series(), source, 'a value=7 6')
    assert.equal((await series().tags(source, { limit: 1 })).tags[0]?.lastValue, 7)
  })

  test('what many write at once is there as soon as each is answered', async () => {
    const source = newSource()
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let round = 0; round < 3; round++) {
        const lines = Array.from({ length: 50 }, (_, i) => `w${writer} value=${i} ${round * 50 + i}`)
        await writeGood(series(), source, `${lines.join('\n')}\nshared value=${writer} ${round}`)
        assert.equal((await valuesOf(series(), source, `w${writer}`)).size, (round + 1) * 50)
      }
    })
    await Promise.all(writers)
    const { series: all, stats } = await ask(series(), source)
    assert.equal(all.length, 13)
    assert.equal(stats.pointsRead, 12 * 150 + 3)
  })

  test('any series is read back equal, however it was written', async () => {
    await fc.assert(
      fc.asyncProperty(anySeries, fc.boolean(), async (points, isJson) => {
        const source = newSource()
        const [body, format] = isJson ? [asJson(points), 'json' as const] : [asLines(points), 'line' as const]
        // A JSON number makes a tag of doubles; for another type the tag has to exist before.
        if (isJson) await writeGood(series(), source, asLines(points.slice(0, 1)))
        await writeGood(series(), source, body, { format })
        const expected = new Map<bigint, PointValue>()
        for (const { time, value } of points) expected.set(time, narrowed(value))
        const found = await valuesOf(series(), source, 'any')
        const isFloat = points[0]?.type === 'float'
        assert.deepEqual(
          Array.from(found, ([time, value]) => [time, isFloat ? Number(value) : value]),
          [...expected].sort(([a], [b]) => (a < b ? -1 : 1))
        )
      }),
      { numRuns: 25 }
    )
  })
}
