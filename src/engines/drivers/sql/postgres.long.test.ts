import pg from 'pg'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../test/support/servers/sql-postgres.ts'
import { driverContract } from '../testing/contract.ts'
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
      restart
    })
  }
})
