// Once: nothing of it is kept in a database of the platform.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../test/support/servers/sql-postgres.ts'
import type { SqlServer } from '../../../../test/support/servers/sql-server.ts'
import { createOutbound } from '../../outbound/index.ts'
import { openSql } from '../index.ts'

describe('a table of PostgreSQL that is large for its memory', () => {
  let server: SqlServer
  before(async () => {
    server = await startSqlPostgres(makeFolder('same-order'), ['shared_buffers=1MB'])
    const client = new pg.Client(server)
    await client.connect()
    await client.query(`CREATE TABLE large AS SELECT n, repeat('x', 200) AS text FROM generate_series(1, 40000) n`)
    await client.end()
  })
  after(() => server.stop())

  it('is read from its beginning, also after a read that was broken off', async () => {
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const database = await openSql({ kind: 'postgres', ...server }, { outbound })
    let rows = 0
    for await (const chunk of database.read({ table: 'large', chunkRows: 5000 })) {
      rows += chunk.rows
      if (rows >= 15_000) break
    }
    for await (const chunk of database.read({ table: 'large', chunkRows: 5000 })) {
      assert.equal(chunk.values[0]?.[0], 1)
      break
    }
    await database.close()
    await outbound.close()
  })
})
