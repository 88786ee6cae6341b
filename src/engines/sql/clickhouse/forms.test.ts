import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayNumber, dayText, ticks, ticksText } from './days.ts'
import { decimalText, scaledDecimal } from './decimal.ts'
import { fromAnswer } from './errors.ts'
import { RowSplitter } from './rows.ts'
import { parseType } from './types.ts'

test('a decimal is the nearest one that the column has', () => {
  const any = fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(12), fc.nat(12))
  fc.assert(
    fc.property(any, ([whole, digits, scale]) => {
      const scaled = scaledDecimal(decimalText(whole, digits), 76, scale) as bigint
      // |scaled / 10^scale - whole / 10^digits| is at most half a unit of the scale.
      const difference = scaled * 10n ** BigInt(digits) - whole * 10n ** BigInt(scale)
      assert.ok((difference < 0n ? -difference : difference) * 2n <= 10n ** BigInt(digits))
    })
  )
  assert.equal(scaledDecimal('1e3', 9, 2), 100_000n)
  assert.equal(scaledDecimal('-12.5e-2', 9, 2), -13n)
  assert.equal(scaledDecimal('9.99', 2, 1), undefined)
  for (const text of ['', '.', '-', '1x', 'NaN', '1e9999']) assert.equal(scaledDecimal(text, 9, 2), undefined, text)
})

test('days and times are what the calendar says', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31'), noInvalidDate: true }), (date) => {
      const text = date.toISOString().replace('T', ' ').replace('Z', '')
      const day = dayNumber(text, -1e6, 1e6) as bigint
      assert.equal(dayText(day), text.slice(0, 10))
      const found = ticks(text, 6, -(2n ** 40n), 2n ** 40n) as bigint
      assert.equal(found, BigInt(date.getTime()) * 1000n)
      assert.equal(ticksText(found, 6), date.toISOString().replace('Z', '000Z'))
    })
  )
  assert.equal(dayNumber('2023-02-29', -1e6, 1e6), undefined)
  assert.equal(ticks('1969-12-31 23:59:59.5', 1, -9n, 9n), -5n)
  assert.equal(ticks('2024-01-01 24:30:00', 0, 0n, 2n ** 40n), undefined)
})

test('rows are the same however the answer is cut into pieces', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '1', 'é', '\\'), maxLength: 5 })
  const any = fc.tuple(fc.array(fc.tuple(field, field), { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }))
  fc.assert(
    fc.property(any, ([rows, cuts]) => {
      const bytes = Buffer.from(rows.map((row) => `${row.join('\t')}\t1\n`).join(''))
      const found: string[][] = []
      const splitter = new RowSplitter(2, (fields) => found.push(fields.map(String)))
      const places = [0, ...cuts.toSorted((a, b) => a - b).filter((cut) => cut < bytes.length), bytes.length]
      for (let i = 1; i < places.length; i++) splitter.push(bytes.subarray(places[i - 1], places[i]))
      splitter.end()
      assert.deepEqual(found, rows)
    })
  )
})

test('a message in place of a row, or half a row, is a failure', () => {
  for (const [rest, code] of [
    ['Code: 159, e.displayText() = DB::Exception: Timeout exceeded, e.what() = DB::Exception\n', 'timeout'],
    [
      '__exception__\r\nabc\r\nCode: 241. DB::Exception: Memory limit exceeded\n42 abc\r\n__exception__\r\n',
      'unavailable'
    ],
    ['a\tb\tCode: 60. DB::Exception: no table (UNKNOWN_TABLE) (version 24.3.1.1 (official build))\n', 'no_such_table'],
    ['a\tb', 'unavailable'],
    ['a\t1\n', 'unavailable']
  ] as const) {
    const splitter = new RowSplitter(2, () => {})
    assert.throws(
      () => {
        splitter.push(Buffer.from(`a\tb\t1\n${rest}`))
        splitter.end()
      },
      { code },
      rest
    )
  }
})

test('messages of old and new servers lose what is no help', () => {
  const old = fromAnswer(
    404,
    `Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() = DB::Exception`
  )
  assert.equal(old.message, `ClickHouse: Table a.b doesn't exist. (60)`)
  const now = fromAnswer(
    404,
    'Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE) (version 24.3.1.1 (official build))\n'
  )
  assert.equal(now.message, 'ClickHouse: Table a.b does not exist. (UNKNOWN_TABLE) (60)')
})

test('types are found within what is wrapped around them', () => {
  const cases = {
    'LowCardinality(Nullable(String))': ['String', [], true],
    "Nullable(DateTime64(3, 'Europe/Berlin'))": ['DateTime64', ['3', "'Europe/Berlin'"], true],
    'SimpleAggregateFunction(sum, Decimal(38, 2))': ['Decimal', ['38', '2'], false],
    'Array(Nullable(Int8))': ['Array', ['Nullable(Int8)'], false]
  } as const
  for (const [text, [name, parameters, nullable]] of Object.entries(cases)) {
    const type = parseType(text)
    assert.deepEqual([type.name, type.parameters, type.nullable], [name, parameters, nullable])
  }
})
