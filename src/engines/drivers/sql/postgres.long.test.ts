import pg from 'pg'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../test/support/servers/sql-postgres.ts'
import { driverContract } from '../testing/contract.ts'
import { LARGE_ROWS, largeStreamSuite } from '../testing/large-streams.ts'
import { sqlUnderTest } from '../testing/sql.ts'

driverContract('PostgreSQL as a source', {
  sourceId: 'postgres',
  missing: undefined,
  async start() {
    const {
      stop,
      restart,
      present,
      certificate: _,
      certifiedName: __,
      ...server
    } = await startSqlPostgres(makeFolder('drivers-postgres'))
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
      async present(certificate) {
        await present(certificate)
        return { host: 'localhost', tls: true }
      },
      stop: () => stop(),
      async restart() {
        await stop('SIGKILL')
        await restart()
      }
    })
  }
})

largeStreamSuite('a large table of PostgreSQL', {
  sourceId: 'postgres',
  missing: undefined,
  async start() {
    const { host, port, user, password, database, stop, restart } = await startSqlPostgres(makeFolder('large-postgres'))
    const config = { host, port, user, password, database }
    const client = new pg.Client(config)
    await client.connect()
    await client.query(
      `create table large as select n as id, 'row ' || n as label from generate_series(0, ${LARGE_ROWS - 1}) n`
    )
    await client.query('create index on large (id)')
    await client.end()
    return {
      config,
      stream: 'public.large',
      cursor: 'id',
      counted: 'id',
      stop: () => stop(),
      async restart() {
        await stop('SIGKILL')
        await restart()
      }
    }
  }
})
