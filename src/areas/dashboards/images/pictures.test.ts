import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawPanel } from '../../../engines/pictures/index.ts'
import type { PanelData } from '../data/schema.ts'
import type { Panel } from '../model/schema.ts'
import { panelPicture } from './panel-picture.ts'
import { placed } from './placed.ts'

const panel = (id: string, x: number, y: number, more: Partial<Panel> = {}): Panel => ({
  id,
  title: `${id} $line`,
  type: 'stat',
  query: { sourceId: 'src_a' },
  position: { x, y, w: 8, h: 4 },
  ...more
})
const data = (panelId: string, repeatValue: string | null = null, more: Partial<PanelData> = {}): PanelData => ({
  panelId,
  repeatValue,
  status: 'ok',
  error: null,
  from: null,
  to: null,
  frames: [],
  readAt: '',
  ageMs: 0,
  reduced: null,
  truncated: false,
  masked: [],
  ...more
})
const placesOf = (panels: Panel[], answers: PanelData[]) =>
  placed(panels, answers).map(({ panel: { id }, position: { x, y } }) => [id, x, y])

describe('a panel that is repeated', () => {
  const repeat = { variable: 'line' }
  it('lies beside the first one as far as nothing else does, and below it', () => {
    const answers = ['1', '2', '3'].map((line) => data('a', line))
    assert.deepEqual(placesOf([panel('a', 0, 0, { repeat })], answers), [
      ['a', 0, 0],
      ['a', 8, 0],
      ['a', 16, 0]
    ])
    const beside = [panel('a', 0, 0, { repeat }), panel('b', 8, 0), panel('below', 0, 4)]
    assert.deepEqual(placesOf(beside, [...answers, data('b'), data('below')]), [
      ['a', 0, 0],
      ['a', 0, 4],
      ['a', 0, 8],
      ['b', 8, 0],
      ['below', 0, 12]
    ])
  })
})

describe('the picture of a panel', () => {
  const circumstances = { timeZone: 'UTC', chosen: new Map([['line', ['1', '2']]]), annotations: [] }
  const frame = (type: 'number' | 'text', values: unknown[]) => ({
    name: '',
    labels: {},
    columns: [{ name: 'v', type, unit: null }],
    values: [values]
  })

  it('has the chosen values in its title, and says where rows are missing', () => {
    assert.equal(panelPicture(panel('a', 0, 0), data('a'), circumstances).title, 'a 1, 2')
    const repeated = panelPicture(panel('a', 0, 0, { repeat: { variable: 'line' } }), data('a', '2'), circumstances)
    assert.equal(repeated.title, 'a 2')
    const cut = data('a', null, { truncated: true })
    assert.equal(panelPicture(panel('a', 0, 0), cut, circumstances).title, 'a 1, 2 (not all rows)')
  })

  it('does not say that there are no data where they are no numbers', () => {
    for (const [frames, message] of [
      [[frame('text', ['off'])], 'The data have no numbers that can be drawn.'],
      [[frame('number', ['NaN', 'Infinity'])], 'The data have no numbers that can be drawn.'],
      [[frame('number', [1])], undefined],
      [[frame('number', [null])], undefined],
      [[], undefined]
    ] as const) {
      assert.equal(
        panelPicture(panel('a', 0, 0), data('a', null, { frames: [...frames] }), circumstances).message,
        message
      )
    }
  })

  it('has the options that say how it looks', () => {
    const options = {
      logarithmic: true,
      connectNulls: true,
      pageRows: 5,
      buckets: 8,
      sparkline: false,
      legend: 'right'
    } as const
    const thresholds = [{ value: null, color: 'green' as const }]
    const { options: given } = panelPicture(
      panel('a', 0, 0, { options: { ...options, thresholds } }),
      data('a'),
      circumstances
    )
    assert.deepEqual(given, { ...options, thresholds: [{ value: -Number.MAX_VALUE, color: 'green' }] })
  })

  it('has all series in one table, and the beginnings of days as days', () => {
    const series = (name: string, ...days: number[]) => ({
      name,
      labels: {},
      columns: [
        { name: 'day', type: 'time' as const, unit: null },
        { name: 'v', type: 'number' as const, unit: null }
      ],
      values: [days.map((day) => `2026-03-0${day}T05:00:00.000Z`), days]
    })
    const frames = [series('press 1', 1, 2), series('press 2', 3)]
    const there = { ...circumstances, timeZone: 'America/New_York' }
    const picture = panelPicture(panel('t', 0, 0, { type: 'table' }), data('t', null, { frames }), there)
    assert.deepEqual(picture.frames[0]?.values[0], ['press 1', 'press 1', 'press 2'])
    assert.deepEqual(picture.frames[0]?.values[2], [1, 2, 3])
    const svg = drawPanel(picture, { width: 600, height: 300 }, 'light')
    for (const text of ['press 1', 'press 2', '>2026-03-01<', '>2026-03-03<']) assert.ok(svg.includes(text), text)
  })

  it('names bars by the first column where no other is a text or a time', () => {
    const column = (name: string, type: 'number' | 'text' | 'time') => ({ name, type, unit: null })
    const framesOf = (columns: ReturnType<typeof column>[], more: Partial<Panel> = {}) => {
      const values = columns.map((_, i) => [i + 7, null])
      const frames = [{ name: '', labels: {}, columns, values }]
      return panelPicture(panel('a', 0, 0, { type: 'bar', ...more }), data('a', null, { frames }), circumstances).frames
    }
    const typesOf = (...given: Parameters<typeof framesOf>) => framesOf(...given)[0]?.columns.map(({ type }) => type)
    const [hour, count] = [column('hour', 'number'), column('count', 'number')]
    assert.deepEqual(typesOf([hour, count]), ['text', 'number'])
    assert.deepEqual(framesOf([hour, count])[0]?.values, [
      [7, '–'],
      [8, null]
    ])
    assert.deepEqual(typesOf([count]), ['number'])
    assert.deepEqual(typesOf([hour, column('machine', 'text')]), ['number', 'text'])
    assert.deepEqual(typesOf([hour, column('at', 'time')]), ['number', 'time'])
    // With one number of each column, each column is a bar.
    assert.deepEqual(typesOf([hour, count], { options: { reduce: 'sum' } }), ['number', 'number'])
    assert.deepEqual(typesOf([hour, count], { type: 'line' }), ['number', 'number'])
  })

  it('reduces values to one as the panel says', () => {
    const frames = [frame('number', [1, 2, 6, null])]
    const of = (reduce: 'avg' | 'count' | 'first' | 'last' | 'min' | 'max' | 'sum') =>
      panelPicture(panel('a', 0, 0, { options: { reduce } }), data('a', null, { frames }), circumstances).frames[0]
        ?.values[0]
    assert.deepEqual(
      [of('avg'), of('count'), of('first'), of('last'), of('min'), of('max'), of('sum')].flat(),
      [3, 3, 1, 6, 1, 6, 9]
    )
  })
})
