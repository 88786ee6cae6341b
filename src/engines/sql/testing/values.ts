import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { SQL_TYPES, type SqlColumn, type SqlType, type SqlValue } from '../index.ts'
import type { Given } from './contract.ts'
import { columnsOf, freshName, readRows } from './under-test.ts'

const anyText = fc
  .oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...`'"\\\`\n\t\r\b{},N%;-ü𝄞`) })
  )
  .map((text) => text.toWellFormed().replaceAll('\0', '0')) // PostgreSQL can't store these

function anyTime(earliest: string) {
  const from = Date.parse(`${earliest}T00:00:00Z`)
  return fc
    .tuple(fc.integer({ min: from / 1000, max: Date.parse('2105-01-01T00:00:00Z') / 1000 }), fc.nat(999_999))
    .map(([seconds, micros]) => {
      const whole = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
      return `${whole}.${String(micros).padStart(6, '0')}`
    })
}

function anyRow({ earliestTime, hasNonFinite }: Given['test']): fc.Arbitrary<SqlValue[]> {
  const double = fc.double(hasNonFinite ? {} : { noNaN: true, noDefaultInfinity: true })
  const values: Record<SqlType, fc.Arbitrary<SqlValue>> = {
    boolean: fc.boolean(),
    integer: fc.integer(),
    bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    double,
    decimal: fc.tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.nat(9_999_999_999)).map(([whole, part]) => {
      return `${whole}.${String(part).padStart(10, '0')}`
    }),
    text: anyText,
    date: anyTime(earliestTime).map((time) => time.slice(0, 10)),
    timestamp: anyTime(earliestTime),
    timestamptz: anyTime(earliestTime),
    json: fc.json({ maxDepth: 2, stringUnit: 'grapheme', noUnicodeString: true } as fc.JsonSharedConstraints),
    blob: fc.uint8Array({ maxLength: 60 })
  }
  return fc.tuple(...SQL_TYPES.map((type) => fc.option(values[type], { freq: 8 })))
}

/** The value in one form, however a database writes it. */
function plain(value: SqlValue, type: SqlType): unknown {
  if (value === null) return null
  switch (type) {
    case 'boolean':
      return Boolean(value)
    case 'decimal':
      return (value as string).replace(/(\.\d{10})0*$/, '$1').replace(/^-(?=0\.0*$)/, '')
    case 'json':
      return JSON.parse(value as string)
    case 'blob':
      return typeof value === 'string'
        ? Buffer.from(value).toString('hex')
        : Buffer.from(value as Uint8Array).toString('hex')
    case 'double':
      return Object.is(value, -0) ? 0 : value
    default:
      return value
  }
}

export function valuesContract(given: Given): void {
  test('values come back as they were written', async () => {
    const table = freshName()
    const columns: SqlColumn[] = [
      { name: 'n', type: 'integer' },
      ...SQL_TYPES.map((type) => ({ name: `c_${type}`, type }))
    ]
    let next = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow(given.test), { minLength: 1, maxLength: 40 }), async (rows) => {
        const first = next
        const numbered = rows.map((row, i): SqlValue[] => [first + i, ...row])
        next += rows.length
        const values = columnsOf(numbered, columns.length)
        const taken = await given.database().write({ table, columns, values, rows: rows.length, create: true })
        assert.equal(taken, rows.length)
        const cursor = { column: 'n', after: String(first - 1) }
        const found = await readRows(given.database(), { table, cursor, chunkRows: 7 })
        const compared = (row: readonly SqlValue[]) => row.map((value, i) => plain(value, columns[i]?.type ?? 'text'))
        assert.deepEqual(found.map(compared), numbered.map(compared))
      }),
      { numRuns: 25 }
    )
  })

  test('a table that was made says what its columns are, and is left alone when it is there', async () => {
    const table = freshName()
    const columns: SqlColumn[] = [
      { name: 'id', type: 'bigint', nullable: false },
      { name: 'text', type: 'text' }
    ]
    for (const id of [1n, 2n]) {
      await given.database().write({ table, columns, values: [[id], ['x']], rows: 1, create: true })
    }
    assert.deepEqual(await given.database().describe(table), [
      { name: 'id', type: 'bigint', nullable: false },
      { name: 'text', type: 'text', nullable: true }
    ])
    assert.equal((await readRows(given.database(), { table })).length, 2)
  })

  test('of large rows a chunk has few, and many rows go into several statements', async () => {
    const table = freshName()
    const columns: SqlColumn[] = [
      { name: 'n', type: 'integer' },
      { name: 'text', type: 'text' }
    ]
    const rows = 1_800
    const values = [Array.from({ length: rows }, (_, i) => i), Array.from({ length: rows }, () => 'x'.repeat(10_000))]
    await given.database().write({ table, columns, values, rows, create: true })
    let found = 0
    for await (const chunk of given.database().read({ table, cursor: { column: 'n', after: null } })) {
      assert.ok(chunk.rows <= 1_000, `${chunk.rows} rows in one chunk`)
      assert.equal(chunk.values[0]?.[0], found)
      found += chunk.rows
    }
    assert.equal(found, rows)
  })
}
