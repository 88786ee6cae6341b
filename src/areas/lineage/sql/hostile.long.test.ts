// Once: what statements of attackers do to whoever reads them
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'

const NOTHING = { reads: [], writes: null, columns: [], rows: [], recorded: false, runId: null }

describe('hostile statements', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
  })
  after(() => world.close())

  const ask = (body: object) => world.test.call('POST', '/api/lineage/sql', { as: 'viewer', body })

  for (const dialect of ['duckdb', 'postgres', 'mysql']) {
    for (const sql of ['SELECT 1; SELECT 2', `SELECT ${'('.repeat(5000)}1`, `SELECT ${'1 + '.repeat(40_000)}1`]) {
      it(`${sql.slice(0, 20)}… is told as not understood of ${dialect}, and the next one is read`, async () => {
        const { status, body } = await ask({ sql, dialect })
        assert.equal(status, 200)
        const { notUnderstood, ...rest } = body
        assert.deepEqual([rest, notUnderstood.length], [NOTHING, 1])
        assert.equal((await ask({ sql: 'SELECT a FROM t', dialect })).body.columns.length, 1)
      })
    }

    it(`are given up in ${dialect} where names that come again and again would fill the memory`, async () => {
      const stars = Array.from({ length: 8000 }, () => 'c.*').join(', ')
      const sql = `WITH c AS (SELECT ${'x'.repeat(1000)} FROM t) SELECT ${stars} FROM c`
      const { status, body } = await ask({ sql, dialect })
      assert.equal(status, 200)
      assert.match(body.notUnderstood[0].what, /too large/)
    })
  }

  it('do nothing', async () => {
    const path = join(tmpdir(), `millrace-lineage-${process.pid}.csv`)
    const statements = [
      `COPY (SELECT 1) TO '${path}'`,
      `ATTACH '${path}' AS p`,
      'INSTALL httpfs',
      "SET memory_limit = '1TB'",
      `CREATE TABLE t AS SELECT * FROM query('COPY (SELECT 1) TO ''${path}''')`
    ]
    for (const sql of statements) {
      const { status, body } = await ask({ sql })
      assert.equal(status, 200, sql)
      assert.ok(body.notUnderstood.length > 0, sql)
    }
    assert.ok(!existsSync(path))
  })

  it('of many callers at once are turned away beyond those that can wait, and all are answered', async () => {
    const asked = Array.from({ length: 60 }, () => ask({ sql: 'SELECT a FROM t', dialect: 'mysql' }))
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    statuses.delete(503)
    statuses.delete(429)
    assert.deepEqual([...statuses], [200])
  })
})
