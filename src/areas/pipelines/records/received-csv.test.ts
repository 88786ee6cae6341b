import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCsv } from './received-csv.ts'

const quoted = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

test('what was written as CSV is read as it was', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', ',', '"', '\n', '\r', ' '), maxLength: 6 })
  // A line of one empty field can't be told from an empty line, which is none.
  const line = fc.array(text, { minLength: 1, maxLength: 5 }).filter((fields) => fields.length > 1 || fields[0] !== '')
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (lines, end, isEnded) => {
        const csv = lines.map((fields) => fields.map(quoted).join(',')).join(end) + (isEnded ? end : '')
        assert.deepEqual(parseCsv(csv), lines)
      }
    )
  )
})

test('what is wrong is read as far as it can be, and always to the end', () => {
  assert.deepEqual(parseCsv('"a"b,c\n"open, and\nnever closed'), [['ab', 'c'], ['open, and\nnever closed']])
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r') }), (csv) => void parseCsv(csv)))
})
