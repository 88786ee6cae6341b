import pg from 'pg'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../test/support/servers/sql-postgres.ts'
import { driverContract } from '../testing/contract.ts'
import { LARGE_ROWS, largeStreamSuite } from '../testing/large-streams.ts'
import { handlesOf, largeTable, sqlUnderTest } from '../testing/sql.ts'

driverContract('PostgreSQL as a source', {
  sourceId: 'postgres',
  missing: undefined,
  async start() {
    const started = await startSqlPostgres(makeFolder('drivers-postgres'))
    const { host, port, user, password, database } = started
    const server = { host, port, user, password, database }
    const execute = async (statement: string) => {
      const client = new pg.Client(server)
      await client.connect()
      await client.query(statement)
      await client.end()
    }
    return sqlUnderTest({
      settings: { kind: 'postgres', ...server },
      hasTls: true,
      async makeStranger() {
        // Tables of another schema, which it may look into.
        await execute(`create schema "other place"`)
        await execute(`create table "other place".stock (a integer)`)
        await execute(`create user "odd ""reader" password 'strange'`)
        await execute(`grant usage on schema "other place" to "odd ""reader"`)
        return { user: 'odd "reader', password: 'strange' }
      },
      execute,
      ...handlesOf(started)
    })
  }
})

largeStreamSuite('a large table of PostgreSQL', {
  sourceId: 'postgres',
  missing: undefined,
  async start() {
    const server = await startSqlPostgres(makeFolder('large-postgres'))
    const client = new pg.Client(server)
    await client.connect()
    await client.query(
      `create table large as select n as id, 'row ' || n as label from generate_series(0, ${LARGE_ROWS - 1}) n`
    )
    await client.query('create index on large (id)')
    await client.end()
    return largeTable(server, 'public.large')
  }
})
