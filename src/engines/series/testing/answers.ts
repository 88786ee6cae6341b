import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableFromIPC } from '@uwdata/flechette'
import { answerBytes, ask, question, refused, writeGood } from './asking.ts'
import type { Given } from './contract.ts'

/** What an answer looks like, what is refused, and how a query ends early. */
export function promisesOfAnswers({ series, newSource }: Given): void {
  const everySecond = async (count: number) => {
    const source = newSource()
    const lines = Array.from({ length: count }, (_, i) => `a value=${i % 10} ${i}`)
    await writeGood(series(), source, lines.join('\n'), { precision: 's' })
    return source
  }

  test('empty buckets are filled as asked for', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a value=1 1\na value=4 4', { precision: 's' })
    for (const [fill, expected] of [
      ['none', [1, 4]],
      ['null', [null, 1, null, null, 4, null]],
      ['previous', [null, 1, 1, 1, 4, 4]],
      ['linear', [null, 1, 2, 3, 4, null]]
    ] as const) {
      const range = { fromNs: 0n, toNs: 6_000_000_000n, bucket: { count: 1, unit: 's' } as const }
      const answer = await ask(series(), source, { ...range, fill, tags: ['a', 'nobody'] })
      assert.deepEqual(
        answer.series[0]?.points.map(({ value }) => value),
        expected,
        fill
      )
      assert.deepEqual(answer.series[1]?.points, [])
      assert.deepEqual(answer.unknownTags, ['nobody'])
      assert.equal(answer.stats.pointsRead, 2)
    }
  })

  test('tags come in the order asked for; unknown ones are named', async () => {
    const source = newSource()
    await writeGood(series(), source, 'b value=1 1\nä value=2 1\na value=3 1\n🏭 value=4 1\nＺ value=5 1')
    const answer = await ask(series(), source, { tags: ['ä', 'x', 'a', 'b'], units: { a: 'bar' }, aggregation: null })
    assert.deepEqual(
      answer.series.map(({ tag, unit, points }) => [tag, unit, points.length]),
      [
        ['ä', null, 1],
        ['x', null, 0],
        ['a', 'bar', 1],
        ['b', null, 1]
      ]
    )
    assert.deepEqual(answer.unknownTags, ['x'])
    const all = await ask(series(), source, { fromNs: 2n })
    assert.deepEqual(
      all.series.map(({ tag, points }) => [tag, points.length]),
      ['a', 'b', 'ä', 'Ｚ', '🏭'].map((tag) => [tag, 0])
    )
  })

  test('a source without points has an empty answer', async () => {
    const source = newSource()
    assert.deepEqual((await ask(series(), source)).series, [])
    const answer = await ask(series(), source, {
      tags: ['a'],
      bucket: { count: 1, unit: 'h' },
      fromNs: 0n,
      toNs: 10n,
      fill: 'null'
    })
    assert.deepEqual(
      answer.series.map(({ points }) => points),
      [[]]
    )
    assert.deepEqual(answer.unknownTags, ['a'])
  })

  test('a picture is kept with fewer points', async () => {
    const source = await everySecond(1000)
    const answer = await ask(series(), source, { maxPoints: 50 })
    const points = answer.series[0]?.points ?? []
    assert.ok(points.length <= 50 && points.length > 40, `${points.length} points`)
    assert.equal(points[0]?.time, 0n)
    assert.equal(points.at(-1)?.time, 999_000_000_000n)
    assert.deepEqual(answer.stats.downsampled, { from: 1000, to: points.length })
  })

  test('an answer can be CSV or Arrow', async () => {
    const source = newSource()
    await writeGood(series(), source, 'a,k=v value=1.5 1000000\na,k=v value=2 2000000\nb value=-1 1000000')
    const csv = (await answerBytes(series(), question(source, { format: 'csv' }))).toString()
    const lines = csv.trimEnd().split(/\r?\n/)
    assert.equal(lines.length, 4)
    assert.match(lines[1] as string, /^a\{k=v\},1970-01-01T00:00:00\.001Z,1\.5/)
    const bucket = { count: 1, unit: 's' } as const
    const arrow = await answerBytes(series(), question(source, { format: 'arrow', bucket, functions: ['sum', 'max'] }))
    const table = tableFromIPC(Uint8Array.from(arrow), { useBigInt: true })
    assert.deepEqual([...table.getChild('tag')], ['a{k=v}', 'b'])
    assert.deepEqual([...table.getChild('sum')], [3.5, -1])
    assert.deepEqual([...table.getChild('max')], [2, -1])
  })

  test('an answer with too many points is refused before it begins', async () => {
    const source = await everySecond(100)
    for (const tags of [['a'], undefined]) {
      const raw = await refused(series().query(question(source, { tags, limitPoints: 99 })), 'too_many_points')
      assert.equal(raw.facts.limit, 99)
      const buckets = { tags, bucket: { count: 1, unit: 's' }, limitPoints: 99 } as const
      await refused(series().query(question(source, buckets)), 'too_many_points')
      const filled = { ...buckets, fill: 'null', fromNs: 0n, toNs: 200_000_000_000n } as const
      await refused(series().query(question(source, filled)), 'too_many_points')
    }
    assert.equal((await ask(series(), source, { limitPoints: 100 })).series[0]?.points.length, 100)
  })

  test('a long answer comes in pieces, and can be left', async () => {
    const source = await everySecond(20_000)
    const whole = await answerBytes(series(), question(source))
    assert.equal(JSON.parse(whole.toString()).series[0].points.length, 20_000)
    const { body } = await series().query(question(source))
    for await (const piece of body) {
      assert.ok(piece.length < whole.length / 2, `${piece.length} bytes at once`)
      break
    }
    assert.equal((await ask(series(), source, { maxPoints: 10 })).stats.pointsRead, 20_000)
  })

  test('a query ends with its signal, before and while it is read', async () => {
    const source = await everySecond(20_000)
    await refused(series().query(question(source), AbortSignal.abort()), 'cancelled')
    const early = new AbortController()
    const asked = series().query(question(source), early.signal)
    early.abort()
    await refused(asked, 'cancelled')
    const late = new AbortController()
    const { body } = await series().query(question(source), late.signal)
    const reading = (async () => {
      for await (const _ of body) late.abort()
    })()
    await refused(reading, 'cancelled')
  })
}
