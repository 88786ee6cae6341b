// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { columnsOfLines, isPlain, valueOfLine } from './copy-text.ts'

/** As PostgreSQL writes its text format. */
const written = (value: string | null) =>
  value === null ? '\\N' : value.replace(/[\\\b\f\n\r\t\v]/g, (sign) => `\\${NAMES[sign] ?? sign}`)
const NAMES: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v'
}

const value = fc.option(
  fc.oneof(
    fc.string({ unit: ANY_CHARACTER }),
    fc.string({ unit: fc.constantFrom('\\', 'N', 'n', '\n', '\t', '', 'x', '\r') })
  )
)

describe('lines of COPY', () => {
  it('are the values that were written', () => {
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1 }))
    const property = fc.property(rows, (all) => {
      const width = all[0]?.length ?? 0
      const lines = all.map((row) => row.map(written).join('\t'))
      assert.ok(lines.every((line) => !line.includes('\n')))
      const hasEscapes = all.some((row) => row.some((one) => one !== null && written(one) !== one))
      assert.equal(isPlain(Buffer.from(lines.map((line) => `${line}\n`).join(''))), !hasEscapes)
      const columns = columnsOfLines(
        lines,
        Array.from({ length: width }, () => (text: string) => text)
      )
      assert.deepEqual(
        columns,
        Array.from({ length: width }, (_, i) => all.map((row) => row[i]))
      )
      for (const [i, line] of lines.entries()) {
        for (let at = 0; at < width; at++) assert.equal(valueOfLine(line, at), all[i]?.[at])
      }
    })
    fc.assert(property)
  })
})
