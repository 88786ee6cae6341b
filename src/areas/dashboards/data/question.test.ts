import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseTextPattern } from '../../../data/glob.ts'
import type { Panel } from '../model/schema.ts'
import { questionOf, type Setting } from './question.ts'
import { seriesOf } from './sql-frames.ts'
import { namesFrom } from './substitution.ts'
import { spanOf, stepSeconds } from './time-span.ts'

const value = fc.string({ unit: fc.constantFrom('*', '?', '[', ']', '!', 'a', '$', 'x', '.', '{', "'"), maxLength: 6 })

describe('names with variables', () => {
  it('have the chosen value as text, also in a pattern', () => {
    fc.assert(
      fc.property(value, (text) => {
        const chosen = new Map([['line', [text]]])
        assert.deepEqual(namesFrom('press.$line', chosen), [{ text: `press.${text}`, isPattern: false }])
        const [pattern] = namesFrom('p*.$line', chosen)
        assert.ok(pattern?.isPattern)
        const { matches } = parseTextPattern(pattern.text)
        assert.ok(matches(`press.${text}`), pattern.text)
        assert.ok(!matches(`press.${text}z`))
        assert.ok(!matches(`press.${text.replaceAll('*', 'any').replaceAll('?', 'q')}y`))
      })
    )
  })

  it('are one for each combination, and leave alone what is no variable', () => {
    const chosen = new Map([
      ['line', ['1', '2']],
      ['what', ['t', 'p']]
    ])
    const texts = namesFrom('$line.$what$cost', chosen).map(({ text }) => text)
    assert.deepEqual(texts, ['1.t$cost', '1.p$cost', '2.t$cost', '2.p$cost'])
    assert.deepEqual(namesFrom('$line', new Map([['line', []]])), [])
  })
})

describe('the question of a panel', () => {
  const setting: Setting = {
    variables: [
      { name: 'line', type: 'list', values: [{ value: '1' }] },
      { name: 'shifts', type: 'list', multiple: true, values: [{ value: 'early' }] },
      { name: 'unused', type: 'constant', value: 'x' }
    ],
    chosen: new Map([
      ['line', ["1'; DROP TABLE x"]],
      ['shifts', ['early', 'late']],
      ['unused', ['x']]
    ]),
    range: { from: '-1h', to: 'now' },
    timeZone: 'UTC',
    maxPoints: 100
  }
  const panel = (query: Panel['query'], type: Panel['type'] = 'line'): Panel => ({
    ...{ id: 'p', title: '', type, position: { x: 0, y: 0, w: 1, h: 1 } },
    ...(query && { query })
  })

  it('has values beside the SQL, never in it, and only those that it names', () => {
    const sql = 'SELECT * FROM input WHERE line = $line AND shift = any($shifts)'
    const question = questionOf(panel({ reference: 'series://s', sql }), setting)
    assert.ok(question.kind === 'sql')
    assert.deepEqual([question.sql, question.shape], [sql, 'picture'])
    assert.deepEqual({ ...question.parameters }, { line: "1'; DROP TABLE x", shifts: ['early', 'late'] })
  })

  it('is about one source, and about tags for each value', () => {
    const question = questionOf(panel({ sourceId: '$line', tags: ['t.$shifts', 'a*'] }), setting)
    assert.ok(question.kind === 'points')
    assert.deepEqual(
      question.tags?.map(({ text }) => text),
      ['t.early', 't.late', 'a*']
    )
    assert.throws(() => questionOf(panel({ sourceId: '$shifts' }), setting), { code: 'unprocessable' })
  })

  it('is nothing for a text', () => assert.equal(questionOf(panel(undefined, 'text'), setting).kind, 'nothing'))
})

describe('the width of buckets', () => {
  it('is a second or more, and gives no more buckets than points', () => {
    const seconds = fc.double({ min: 0.001, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(seconds, fc.integer({ min: 10, max: 10_000 }), (long, maxPoints) => {
        const step = stepSeconds({ seconds: long }, maxPoints)
        assert.ok(Number.isInteger(step) && step >= 1 && long / step <= maxPoints)
      })
    )
    assert.equal(stepSeconds(spanOf({ from: '-6h', to: 'now' }, 1e12), 1000), 30)
    assert.throws(() => spanOf({ from: 'now', to: '-1h' }, 0), { code: 'unprocessable' })
  })
})

describe('rows as series', () => {
  it('are divided by their texts, in the order of time, with all else beside it', () => {
    const columns = [
      { name: 'line', type: 'VARCHAR' },
      { name: 'day', type: 'DATE' },
      { name: 'n', type: 'BIGINT' }
    ]
    const rows = [
      ['b', '2026-01-02', 2],
      ['a', '2026-01-01', 3],
      ['b', '2026-01-01', 1]
    ]
    const { frames } = seriesOf({ columns, rows }, 'UTC')
    assert.deepEqual(
      frames.map(({ name, labels, values }) => [name, labels, values]),
      [
        [
          'b',
          { line: 'b' },
          [
            ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
            [1, 2]
          ]
        ],
        ['a', { line: 'a' }, [['2026-01-01T00:00:00.000Z'], [3]]]
      ]
    )
    assert.deepEqual(
      frames[0]?.columns.map(({ type }) => type),
      ['time', 'number']
    )
  })

  it('are at most two hundred', () => {
    const columns = [
      { name: 't', type: 'TIMESTAMP' },
      { name: 'name', type: 'VARCHAR' }
    ]
    const rows = Array.from({ length: 300 }, (_, n) => ['2026-01-01T00:00:00.000Z', `n${n}`])
    const { frames, isCut } = seriesOf({ columns, rows }, 'UTC')
    assert.deepEqual([frames.length, isCut], [200, true])
  })
})
