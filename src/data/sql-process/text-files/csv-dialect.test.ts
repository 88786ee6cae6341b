import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { dialectOf, namesOf } from './csv-dialect.ts'
import { recordsOf } from './csv-records.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-dialect-'))
const path = join(folder, 'a.csv')
after(() => rmSync(folder, { recursive: true }))

const written = (field: string, delimiter: string): string =>
  field.includes(delimiter) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
const lineOf = (fields: readonly string[], delimiter: string) =>
  fields.map((field) => written(field, delimiter)).join(delimiter)

const delimiters = fc.constantFrom(',', ';', '\t', '|')
const field = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', ',', ';', '"', '\n', "'", '#', 'ü'), maxLength: 6 })
/** Some rows of the same number of fields, at least two. */
const tables = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }))

describe('how a CSV is written', () => {
  it('divides what was written into the same fields', () => {
    const property = fc.property(tables, delimiters, (rows, delimiter) => {
      const kept = rows.filter((row) => row.some((one) => one !== ''))
      const text = `${rows.map((row) => lineOf(row, delimiter)).join('\n')}\n`
      const { records, broken } = recordsOf(text, { delimiter, quote: '"', escaping: '"' })
      assert.deepEqual(
        records.map(({ fields }) => fields),
        kept
      )
      assert.equal(broken, 0)
    })
    fc.assert(property)
  })

  it('is what most lines show, whatever one in ten is like', async () => {
    const odd = fc.constantFrom('x', '# note', 'a,b;c|d', '1;2;3;4;5;6;7', ';;;;', '"open', '"a" b', ',,,,,,,,,', '')
    const values = fc.constantFrom('name 1', '2.5', 'Smith, J', '1,5', 'a;b', 'x|y', '"quoted" text', '2026-01-01', '')
    const given = fc.record({
      delimiter: delimiters,
      width: fc.integer({ min: 2, max: 6 }),
      places: fc.array(fc.nat(99), { maxLength: 10 }),
      odd,
      values: fc.array(values, { minLength: 30, maxLength: 30 })
    })
    const property = fc.asyncProperty(given, async ({ delimiter, width, places, odd: line, values: some }) => {
      const names = Array.from({ length: width }, (_, at) => `column ${at}`)
      const rows = Array.from({ length: 100 }, (_, row) =>
        places.includes(row)
          ? line
          : lineOf(['id', ...names.slice(1).map((_, at) => some[(row * width + at) % 30] as string)], delimiter)
      )
      writeFileSync(path, `${[lineOf(names, delimiter), ...rows].join('\n')}\n`)
      const dialect = await dialectOf(path, undefined)
      assert.deepEqual([dialect?.delimiter, dialect?.header], [delimiter, true])
      assert.deepEqual(dialect?.names.slice(0, width), names)
      assert.equal(dialect?.rowsFrom, 1)
      // Where nothing else is in quotation marks, broken ones are none.
      if (!line.startsWith('"')) assert.equal(dialect?.quote, '"')
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it('gives each column a name of its own', () => {
    assert.deepEqual(namesOf(['a', '', 'b', ' c ', 'a', 'A', 'b'], 8), [
      ...['a', 'column1', 'b', 'c', 'a_1', 'A_2', 'b_1'],
      'column7'
    ])
    const property = fc.property(fc.array(fc.constantFrom('a', 'A', 'a_1', 'a_1_1', '', 'column1', ' ')), (given) => {
      const names = namesOf(given, given.length).map((name) => name.toLowerCase())
      assert.equal(new Set(names).size, given.length)
    })
    fc.assert(property)
  })
})
