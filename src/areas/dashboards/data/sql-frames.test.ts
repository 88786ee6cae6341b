import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { seriesOf, tableOf } from './sql-frames.ts'

const columns = (time: string) => [
  { name: 'day', type: time },
  { name: 'line', type: 'VARCHAR' },
  { name: 'pieces', type: 'INTEGER' }
]

/** As DuckDB writes dates. */
function dateOf(ms: number): string {
  const at = new Date(ms)
  const year = at.getUTCFullYear()
  const day = at.toISOString().slice(-19, -14)
  const digits = String(year > 0 ? year : 1 - year).padStart(4, '0')
  return `${digits}-${day}${year > 0 ? '' : ' (BC)'}`
}

describe('rows of SQL', () => {
  it('with dates are shown as those with the times at which these begin, whatever the year', () => {
    const day = fc.integer({ min: -100_000_000 + 400, max: 100_000_000 - 400 }).map((days) => days * 86_400_000)
    const near = fc.integer({ min: -800_000, max: 800_000 }).map((days) => days * 86_400_000)
    const row = fc.tuple(fc.oneof(near, day), fc.constantFrom('a', 'b'), fc.integer())
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        const dates = rows.map(([ms, line, pieces]) => [dateOf(ms), line, pieces])
        const times = rows.map(([ms, line, pieces]) => [new Date(ms).toISOString(), line, pieces])
        const [asDates, asTimes] = [columns('DATE'), columns('TIMESTAMP WITH TIME ZONE')]
        const shown = seriesOf({ columns: asDates, rows: dates }, 'UTC')
        assert.deepEqual(shown, seriesOf({ columns: asTimes, rows: times }, 'UTC'))
        assert.deepEqual(
          tableOf({ columns: asDates, rows: dates }, 'UTC'),
          tableOf({ columns: asTimes, rows: times }, 'UTC')
        )
        for (const { columns: found, values } of shown.frames) {
          assert.deepEqual(found[0], { name: 'day', type: 'time', unit: null })
          const inOrder = (values[0] as string[]).map((text) => Date.parse(text))
          assert.deepEqual(
            inOrder,
            inOrder.toSorted((a, b) => a - b)
          )
        }
      })
    )
  })

  it('have days that begin where the dashboard is', () => {
    const table = {
      columns: [{ name: 'd', type: 'DATE' }],
      rows: [['2026-01-01'], ['2026-07-01'], ['infinity'], [null]]
    }
    const days = (timeZone: string) => tableOf(table, timeZone).values[0]
    assert.deepEqual(days('UTC'), ['2026-01-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z', 'infinity', null])
    const there = ['2026-01-01T05:00:00.000Z', '2026-07-01T04:00:00.000Z', 'infinity', null]
    assert.deepEqual(days('America/New_York'), there)
    assert.deepEqual(seriesOf(table, 'America/New_York').frames[0]?.values[0], there)
  })

  it('have times that are none last, and keep the order of those within one millisecond', () => {
    const rows = [null, 'infinity', '2026-01-01T00:00:00.000000002Z', '2026-01-01T00:00:00.000000001Z'].map((time) => [
      time
    ])
    const { frames } = seriesOf({ columns: [{ name: 't', type: 'TIMESTAMP_NS' }], rows }, 'UTC')
    assert.deepEqual(frames[0]?.values[0], [
      '2026-01-01T00:00:00.000000001Z',
      '2026-01-01T00:00:00.000000002Z',
      'infinity',
      null
    ])
  })
})
