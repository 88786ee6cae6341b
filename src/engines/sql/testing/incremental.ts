import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SqlColumn, SqlValue } from '../index.ts'
import type { Given } from './contract.ts'
import { columnsOf, freshName, readChunks, readRows, rowsOf } from './under-test.ts'

const columns: SqlColumn[] = [
  { name: 'id', type: 'integer' },
  { name: 'whole', type: 'bigint' },
  { name: 'time', type: 'timestamp' },
  { name: 'part', type: 'decimal' },
  { name: 'double', type: 'double' },
  { name: 'name', type: 'text' }
]

/** Few values, so that many rows have the same one; close together, so that rounding would show. */
const anyRank = fc.option(fc.nat(6), { freq: 8 })

function rowOf(id: number, rank: number | null): SqlValue[] {
  if (rank === null) return [id, null, null, null, null, null]
  return [
    id,
    2n ** 62n + BigInt(rank),
    `2024-02-29 23:59:59.00000${rank}`,
    `12345678901234567890.000000000${rank}`,
    0.1 + rank * 2 ** -54 * 4,
    `n${rank}`
  ]
}

export function incrementalContract(given: Given): void {
  test('reading on from where one left off sees every row once, however many share a value', async () => {
    const arbitrary = fc.record({
      ranks: fc.array(anyRank, { maxLength: 40 }),
      later: fc.array(fc.nat(6), { maxLength: 15 }),
      limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      chunkRows: fc.integer({ min: 1, max: 9 }),
      column: fc.constantFrom('whole', 'time', 'part', 'double', 'name')
    })
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ ranks, later, limit, chunkRows, column }) => {
        const table = freshName()
        const database = given.database()
        const write = (rows: SqlValue[][]) =>
          database.write({ table, columns, values: columnsOf(rows, columns.length), rows: rows.length, create: true })
        await write(ranks.map((rank, id) => rowOf(id, rank)))
        const seen: number[] = []
        let after: string | null = null
        const readOn = async () => {
          for (;;) {
            const request = { table, cursor: { column, after }, chunkRows, ...(limit === undefined ? {} : { limit }) }
            const chunks = await readChunks(database, request)
            const rows = chunks.flatMap(rowsOf)
            for (const chunk of chunks) assert.ok(chunk.rows <= chunkRows)
            seen.push(...rows.map(([id]) => id as number))
            after = chunks.at(-1)?.position ?? after
            if (limit === undefined || rows.length < limit) return
          }
        }
        await readOn()
        const withValue = ranks.flatMap((rank, id) => (rank === null ? [] : [{ id, rank }]))
        assert.deepEqual(
          seen.toSorted(ascending),
          withValue.map(({ id }) => id)
        )
        const order = seen.map((id) => ranks[id] as number)
        assert.deepEqual(order, order.toSorted(ascending))

        // Rows that come later are seen if their value is beyond what was read.
        const last = Math.max(-1, ...withValue.map(({ rank }) => rank))
        const added = later.map((rank, i) => ({ id: 1000 + i, rank }))
        await write(added.map(({ id, rank }) => rowOf(id, rank)))
        seen.length = 0
        await readOn()
        assert.deepEqual(
          seen.toSorted(ascending),
          added.filter(({ rank }) => rank > last).map(({ id }) => id)
        )
      }),
      { numRuns: 20 }
    )
  })

  test('a query is read the same way', async () => {
    const table = freshName()
    const database = given.database()
    const rows = [1, 1, 2, 2, 3].map((rank, id) => rowOf(id, rank))
    await database.write({ table, columns, values: columnsOf(rows, columns.length), rows: 5, create: true })
    const query = `  select id as a, whole as b from ${table} -- all of it\n;`
    assert.equal((await readRows(database, { query })).length, 5)
    assert.equal((await readRows(database, { query, limit: 3 })).length, 3)
    const cursor = { column: 'b', after: String(2n ** 62n + 1n) }
    const [chunk] = await readChunks(database, { query, cursor, limit: 1 })
    assert.deepEqual(chunk?.values[0]?.toSorted(), [2, 3])
    assert.equal(chunk?.position, String(2n ** 62n + 2n))
    assert.deepEqual(
      await readChunks(database, { query, cursor: { column: 'b', after: chunk?.position }, limit: 9 }).then((rest) =>
        rest.flatMap(rowsOf)
      ),
      [[4, 2n ** 62n + 3n]]
    )
  })
}

function ascending(a: number, b: number): number {
  return a - b
}
