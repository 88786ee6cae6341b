import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../common/json.ts'
import { jsonText } from '../../common/values.ts'
import { foundColumns, REST, Rows, toldColumns } from './columns.ts'
import { shifted } from './durations.ts'
import { type JsonRecord, recordsIn } from './records.ts'
import { parseTime, printTime } from './times.ts'

describe('records', () => {
  it('are found by their path', () => {
    const body = {
      data: { rows: [{ id: 1 }, { id: 2 }] },
      by: { x: { v: { id: 3 } }, y: { v: { id: 4 } } },
      'a.b': [5],
      none: null
    }
    const ids = (place: string | readonly string[]) => recordsIn(body, place).map(({ id, value }) => id ?? value)
    assert.deepEqual(ids('data.rows'), [1, 2])
    assert.deepEqual(ids('data.rows.*'), [1, 2])
    assert.deepEqual(ids('data.rows.1'), [2])
    assert.deepEqual(ids('by.*.v'), [3, 4])
    assert.deepEqual(ids(['a.b']), [5])
    for (const place of ['none', 'gone', 'data.gone', 'constructor', '__proto__'])
      assert.deepEqual(ids(place), [], place)
    assert.deepEqual(recordsIn([{ id: 1 }], ''), [{ id: 1 }])
    assert.deepEqual(recordsIn({ id: 1 }, ''), [{ id: 1 }])
    assert.deepEqual(recordsIn(undefined, ''), [])
  })

  it('are the same again once they were rows', () => {
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
    )
    const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), number, fc.constantFrom('2026-03-01T08:00:00Z', true, ''))
    const name = fc.oneof(
      fc.constantFrom('id', 'Id', 'name', REST, '__proto__', 'constructor', ''),
      fc.string({ maxLength: 3 })
    )
    const record = fc
      .array(fc.tuple(name, member), { maxLength: 6 })
      .map((members): JsonRecord => Object.fromEntries(members))
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 4 }),
        fc.array(record, { minLength: 1, maxLength: 4 }),
        (first, all) => {
          const rows = new Rows(foundColumns(first, { key: 'id' }, []))
          for (const one of all) rows.add(one, {})
          const { values } = rows.take()
          for (const [at, one] of all.entries()) {
            const again: [string, unknown][] = rows.columns.flatMap(
              ({ name: column, type }, index): [string, unknown][] => {
                const cell = values[index]?.[at] ?? null
                if (cell === null) return []
                const value = type === 'json' ? parseJson(String(cell)) : cell
                return column === REST ? Object.entries(value as object) : [[column, value]]
              }
            )
            assert.deepEqual(plain(Object.fromEntries(again)), plain(one))
          }
        }
      )
    )
  })

  it('have the columns that are told, and keep what does not fit', () => {
    const stream = {
      key: ['id', 'group'],
      cursor: { field: 'meta.at' },
      columns: { id: 'bigint', at: 'timestamptz', day: 'date', price: 'decimal' }
    }
    const rows = new Rows(toldColumns(stream, ['group']) ?? [])
    rows.add(
      { id: 1, at: '2026-03-01T10:00:00.5+02:00', day: '2026-03-01', price: 1.5, meta: { at: 't' } },
      { group: 'g' }
    )
    rows.add({ id: 'x', at: 'never', day: 5, price: true, more: [1] }, { group: 'g' })
    const { values } = rows.take()
    assert.deepEqual(
      rows.columns.map(({ name, type }) => `${name} ${type}`),
      ['id bigint', 'at timestamptz', 'day date', 'price decimal', 'group json', 'meta.at text', '_rest json']
    )
    assert.deepEqual(
      values.map(([cell]) => cell),
      [1n, '2026-03-01 08:00:00.500000', '2026-03-01', '1.5', '"g"', 't', '{"meta":{"at":"t"}}']
    )
    assert.deepEqual(
      values.map(([, cell]) => cell),
      [null, null, null, null, '"g"', null, '{"id":"x","at":"never","day":5,"price":true,"more":[1]}']
    )
  })
})

/** Without what has no value, and with numbers by what they are worth. */
function plain(record: JsonRecord): unknown {
  const members = Object.entries(record).filter(([, value]) => value !== null)
  return parseJson(jsonText(Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))) ?? 'null')
}

describe('times of services', () => {
  const FORMATS: readonly [string | undefined, number][] = [
    [undefined, 1],
    ['%Y-%m-%dT%H:%M:%S.%fZ', 1],
    ['%Y-%m-%dT%H:%M:%S.%_msZ', 1],
    ['%Y-%m-%dT%H:%M:%S%z', 1000],
    ['%Y-%m-%dT%H:%M:%S-12:00', 1000],
    ['%Y-%m-%d %H:%M:%S', 1000],
    ['%d/%m/%Y %H:%M', 60_000],
    ['%Y%m%dT%H', 3_600_000],
    ['%d %b %Y', 86_400_000],
    ['%Y%m%d', 86_400_000],
    ['modified_on:gt:%Y-%m-%dT%H:%M:%S%z', 1000],
    ['%s', 1000],
    ['%s_as_float', 1],
    ['%ms', 1],
    ['%epoch_microseconds', 1]
  ]

  for (const [format, unit] of FORMATS) {
    it(`are read as they are written: ${format ?? 'RFC 3339'}`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: Date.parse('2200-01-01') }), (ms) => {
          assert.equal(parseTime(printTime(ms, format), format), Math.floor(ms / unit) * unit)
        })
      )
    })
  }

  it('may have another form than was said, or none', () => {
    assert.equal(parseTime('2026-03-01T10:00:00+02:00', '%Y-%m-%d'), Date.parse('2026-03-01T08:00:00Z'))
    assert.equal(parseTime('2026-03-01 08:00', undefined), Date.parse('2026-03-01T08:00:00Z'))
    assert.equal(parseTime(1_772_000_000, '%s'), 1_772_000_000_000)
    for (const none of ['', 'x', '2026-13-01', '2026-02-30', null, {}, true, '2026-01-01T25:00']) {
      assert.equal(parseTime(none, undefined), undefined, String(none))
    }
  })

  it('are as far apart as durations say', () => {
    const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
    assert.equal(shifted(day('2026-01-31'), 'P1M'), day('2026-02-28'))
    assert.equal(shifted(day('2026-03-31'), 'P1M', -1), day('2026-02-28'))
    assert.equal(shifted(day('2024-02-29'), 'P1Y'), day('2025-02-28'))
    assert.equal(shifted(day('2026-01-01'), 'P1W2DT3H4M5S'), day('2026-01-10') + 11_045_000)
    for (const none of ['', 'P', 'PT', '1D', 'P0D', undefined]) assert.equal(shifted(5, none), 5)
  })
})
