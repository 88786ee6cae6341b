import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { LOGS_CHANGES, missingMariadb, startMariadb } from '../../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../../test/support/servers/sql-postgres.ts'
import { changesSuite } from '../../testing/changes-suite.ts'

changesSuite('PostgreSQL', {
  sourceId: 'postgres',
  missing: undefined,
  start: () => startSqlPostgres(makeFolder('changes-pipelines')),
  async execute(server, ...statements) {
    const client = new pg.Client(server)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  },
  streamOf: (table) => `public.${table}`
})

changesSuite('MariaDB', {
  sourceId: 'mariadb',
  missing: missingMariadb(),
  start: () => startMariadb(makeFolder('changes-pipelines'), LOGS_CHANGES),
  async execute({ host, port, user, password, database }, ...statements) {
    const client = await createConnection({ host, port, user, password, database })
    for (const statement of statements) await client.query(statement)
    await client.end()
  },
  streamOf: (table) => table
})
