import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SqlValue } from '../../index.ts'
import type { Given } from '../../testing/contract.ts'
import { freshName, readChunks, readRows, rowsOf } from '../../testing/under-test.ts'

/** Types that only ClickHouse has. */
export function typesOfClickhouse(given: Given): void {
  async function run(sql: string): Promise<string> {
    const { host, port } = given.server().settings
    const response = await fetch(`http://${host}:${port}/`, {
      method: 'POST',
      body: sql,
      headers: { connection: 'close' }
    })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return text
  }

  /** Writes a value and reads it back; the other columns are NULL. */
  async function written(type: string, value: SqlValue, others: readonly string[] = []): Promise<string> {
    const table = freshName()
    const names = ['a', ...others.map((_, i) => `b${i}`)]
    const types = [type, ...others.map((other) => `Nullable(${other})`)]
    await run(`CREATE TABLE ${table} (${names.map((name, i) => `${name} ${types[i]}`)}) ENGINE = Memory`)
    const columns = names.map((name) => ({ name, type: 'text' as const }))
    const values = [[value], ...others.map(() => [null])]
    await given.database().write({ table, columns, values, rows: 1 })
    return table
  }

  test('types of its own come back as they were, whether all can go as bytes or not', async () => {
    for (const [type, value] of [
      ['UInt64', 2n ** 64n - 1n],
      ['UInt32', 2n ** 32n - 1n],
      ['Int8', -128],
      ['Float32', 0.1],
      ['Float64', 4.292949236818822e47],
      ['Decimal(38, 0)', `-${'9'.repeat(38)}`],
      ['Decimal(9, 9)', '0.123456789'],
      ['Decimal(18, 1)', '-0.1'],
      ['Date', '1970-01-01'],
      ['Date', '2105-12-31'],
      ['DateTime', '2024-03-31 01:30:00.000000'],
      [`DateTime('Europe/Berlin')`, '2024-10-27 00:30:00.000000'],
      [`DateTime('Europe/Berlin')`, '2024-10-27 01:30:00.000000'],
      ['UUID', '00112233-4455-6677-8899-aabbccddeeff'],
      [`Enum8('a b' = -1, 'it\\'s' = 2)`, `it's`],
      ['Array(String)', `['a','b']`],
      ['FixedString(3)', 'abc'],
      ['String', Buffer.from([0, 255, 254, 9, 10, 92])],
      ['String', 'a\tb\nc\\d\r\0\b\f\\N'],
      ['String', '\uFFFD']
    ] as const) {
      // As a text, a double may lose its last bit.
      for (const others of type === 'Float64' ? [[]] : [[], ['UUID']]) {
        const found = (await readRows(given.database(), { table: await written(type, value, others) }))[0]?.[0]
        assert.deepEqual(found instanceof Uint8Array ? Buffer.from(found) : found, value, `${type} ${others}`)
      }
    }
  })

  test('numbers are rounded as elsewhere, and what does not fit is refused', async () => {
    for (const [type, value, expected] of [
      ['Decimal(9, 2)', '1.005', '1.01'],
      ['Decimal(9, 2)', -1.25e-1, '-0.13'],
      ['DateTime', '2024-01-01 00:00:00.999', '2024-01-01 00:00:00.000000'],
      ['UInt8', true, 1]
    ] as const) {
      assert.deepEqual(await readRows(given.database(), { table: await written(type, value) }), [[expected]], type)
    }
    for (const [type, value] of [
      ['Int8', 128],
      ['UInt64', -1n],
      ['Int32', 1.5],
      ['Decimal(9, 2)', '10000000'],
      ['Date', '1969-12-31'],
      ['Date', '2024-02-30'],
      ['DateTime', '2107-01-01 00:00:00'],
      ['String', null],
      ['Float64', 'x'],
      [`Enum8('a' = 1)`, 'b']
    ] as const) {
      await assert.rejects(written(type, value), { code: 'bad_value', isAboutRows: true }, type)
    }
  })

  test('reading goes on rightly in columns of any type', async () => {
    for (const [type, values] of [
      ['UInt64', [2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 1n]],
      ['Float32', [0.1, 0.2, 0.3].map(Math.fround)],
      ['Nullable(Decimal(38, 10))', ['1', '1.0000000001', '10']],
      ['DateTime', ['1970-01-01 00:00:00', '2024-01-01 00:00:00', '2024-01-01 00:00:01']],
      ['Date', ['1970-01-01', '2024-01-01', '2024-01-02']],
      [`Enum8('b' = 1, 'a' = 2, 'c' = 3)`, ['b', 'a', 'c']],
      ['String', ['', '\t\\', 'x']],
      ['UUID', [1, 2, 3].map((n) => `00000000-0000-0000-0000-00000000000${n}`)]
    ] as const) {
      const table = freshName()
      await run(`CREATE TABLE ${table} (a ${type}) ENGINE = Memory`)
      const columns = [{ name: 'a', type: 'text' }] as const
      await given.database().write({ table, columns, values: [[...values, ...values]], rows: 6 })
      let after: string | null = null
      const seen: number[] = []
      for (let i = 0; i < 4; i++) {
        const chunks = await readChunks(given.database(), { table, cursor: { column: 'a', after }, limit: 1 })
        seen.push(chunks.flatMap(rowsOf).length)
        after = chunks.at(-1)?.position ?? after
      }
      assert.deepEqual(seen, [2, 2, 2, 0], type)
    }
  })
}
