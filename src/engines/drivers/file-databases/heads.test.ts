// Once: no database.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { HEAD_BYTES, headFault } from './heads.ts'

function sqliteFile(pageBytes: number): Uint8Array {
  const database = new DatabaseSync(':memory:')
  database.exec(`PRAGMA page_size = ${pageBytes}; CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(200000))`)
  const file = database.serialize()
  database.close()
  return file
}

describe('the first bytes of database files', () => {
  it('tell whole files from those that are cut off, wherever that is', () => {
    for (const pageBytes of [512, 4096, 65_536]) {
      const file = Buffer.from(sqliteFile(pageBytes))
      const faultAt = (size: number) => headFault('sqlite', file.subarray(0, Math.min(size, HEAD_BYTES)), size)
      assert.equal(faultAt(file.length), undefined)
      fc.assert(fc.property(fc.nat(file.length - 1), (size) => faultAt(size) !== undefined))
    }
  })

  it('are none of a database for anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: HEAD_BYTES }), fc.nat(), (bytes, size) => {
        for (const kind of ['sqlite', 'duckdb'] as const) {
          assert.match(headFault(kind, Buffer.from(bytes), size) ?? '', /is no (SQLite|DuckDB) database/)
        }
      })
    )
  })
})
