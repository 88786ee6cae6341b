import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawPanel } from './panel.ts'
import type { Cell, Frame, PanelOptions, PanelPicture } from './picture.ts'
import { assertSound } from './testing/inspect.ts'

const SIZE = { width: 600, height: 300 }
const START = Date.UTC(2026, 0, 1)

const overTime = (name: string, values: readonly Cell[]): Frame => ({
  name,
  columns: [
    { name: 'time', type: 'time' },
    { name: 'value', type: 'number' }
  ],
  values: [values.map((_, i) => START + i * 60_000), values]
})

const byName = (names: readonly string[], values: readonly Cell[]): Frame => ({
  name: '',
  columns: [
    { name: 'name', type: 'text' },
    { name: 'value', type: 'number' }
  ],
  values: [names, values]
})

function drawn(type: PanelPicture['type'], frames: readonly Frame[], options: PanelOptions) {
  const svg = drawPanel({ type, title: '', frames, options, timeZone: 'UTC' }, SIZE, 'light')
  return { svg, texts: assertSound(svg).texts }
}

/** The path of the first line. */
const pathIn = (svg: string) => / d="([^"]+)" fill="none"/.exec(svg)?.[1] ?? ''
/** Bars within the plot, as numbers. */
const barsIn = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#0b6bb3" rx="1.5"/g)].map(
    (found) => found.slice(1).map(Number) as [number, number, number, number]
  )

describe('the option', () => {
  it('logarithmic puts tens at equal distances, and says what has no place', () => {
    const { svg, texts } = drawn('line', [overTime('a', [1, 10, 100, 0, 1000])], { logarithmic: true })
    const heights = [...pathIn(svg).matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
    const [first = 0, second = 0, third = 0] = heights
    assert.ok(Math.abs(first - second - (second - third)) < 0.05, heights.join(' '))
    assert.ok(texts.includes('without 1 value not above 0'))
    const stacked = drawn('area', [overTime('a', [1, 10]), overTime('b', [5, 50])], {
      logarithmic: true,
      stacked: true
    })
    assert.ok(stacked.texts.includes('10'))
    const none = drawn('line', [overTime('a', [-1, 0])], { logarithmic: true })
    assert.ok(none.texts.includes('0'), 'an even axis')
  })

  it('connectNulls draws one line over gaps', () => {
    const frames = [overTime('a', [1, 2, null, null, 5, 6])]
    assert.equal(pathIn(drawn('line', frames, {}).svg).match(/M/g)?.length, 2)
    assert.equal(pathIn(drawn('line', frames, { connectNulls: true }).svg).match(/M/g)?.length, 1)
    const stacked = drawn('area', frames, { connectNulls: true, stacked: true })
    assert.equal(pathIn(stacked.svg).match(/[ML]/g)?.length, 6, 'what is between lies on the line')
  })

  it('horizontal lays bars down, the first at the top', () => {
    const { svg, texts } = drawn('bar', [byName(['one', 'two', 'three'], [10, 20, 40])], { horizontal: true })
    const bars = barsIn(svg)
    assert.equal(bars.length, 3)
    const [[x, top, width] = [], [, below, twice] = []] = bars
    assert.ok(x === 0 && (below as number) > (top as number))
    assert.ok(Math.abs((twice as number) - 2 * (width as number)) < 0.05)
    assert.ok(['one', 'two', 'three', '0', '40'].every((text) => texts.includes(text)))
    const times = drawn('bar', [overTime('a', [3, 4, 5, 6])], { horizontal: true })
    assert.equal(barsIn(times.svg).length, 4)
    assert.ok(times.texts.includes('00:02'))
    const names = Array.from({ length: 90 }, (_, i) => `n${i}`)
    const many = drawn(
      'bar',
      [
        byName(
          names,
          names.map((_, i) => i)
        )
      ],
      { horizontal: true }
    )
    assert.ok(
      many.texts.some((text) => /^the first 1\d of 90$/.test(text)),
      many.texts.join()
    )
  })

  it('buckets counts values in ranges of them', () => {
    const frames = [overTime('a', [1, 1, 9]), overTime('b', [1, 5, 9]), overTime('c', [2, 9, 9])]
    const { svg, texts } = drawn('heatmap', frames, { buckets: 2, min: 0, max: 10, unit: 'V' })
    // A cell for each of the ranges that have values at a time: one, two and one.
    assert.equal([...svg.matchAll(/<rect x="-?[\d.]+" y="[\d.]+" width="17\d[\d.]*"/g)].length, 4, svg)
    assert.ok(texts.includes('10\u202fV') && !texts.includes('a'))
    assert.deepEqual(texts.slice(-2), ['1', '3'], 'how many')
    assert.ok(!drawn('heatmap', frames, { buckets: 2, legend: 'none' }).texts.includes('3'))
  })

  it('legend is below, at the right or nowhere', () => {
    const frames = [overTime('first', [1, 2]), overTime('second', [3, 4])]
    const placeOf = (legend: PanelOptions['legend'], given = frames) =>
      [
        ...drawn('line', given, { ...(legend && { legend }) }).svg.matchAll(
          /<text x="([\d.]+)" y="([\d.]+)"[^>]*>(first|second)</g
        )
      ].map(([, x, y]) => [Number(x) > 400, Number(y) > 250])
    assert.deepEqual(placeOf(undefined), [
      [false, true],
      [false, true]
    ])
    assert.deepEqual(placeOf('right'), [
      [true, false],
      [true, false]
    ])
    assert.deepEqual(placeOf('none'), [])
    const many = Array.from({ length: 60 }, (_, i) => overTime(`series ${i}`, [i]))
    assert.ok(drawn('line', many, { legend: 'right' }).texts.some((text) => /^and 4\d more$/.test(text)))
  })

  it('pageRows is how many rows a table has at most', () => {
    const frame = byName(
      Array.from({ length: 20 }, (_, i) => `row ${i}`),
      Array.from({ length: 20 }, (_, i) => i)
    )
    assert.deepEqual(drawn('table', [frame], { pageRows: 2 }).texts, [
      'name',
      'row 0',
      'row 1',
      'value',
      '0',
      '1',
      '18 more rows'
    ])
    assert.equal(drawn('table', [frame], { pageRows: 100 }).texts.at(-1), '11 more rows')
  })

  it('sparkline: false leaves the number alone', () => {
    const frames = [overTime('a', [1, 2, 3])]
    assert.match(drawn('stat', frames, {}).svg, /<path/)
    assert.doesNotMatch(drawn('stat', frames, { sparkline: false }).svg, /<path/)
  })
})
