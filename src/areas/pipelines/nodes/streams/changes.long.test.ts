import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { LOGS_CHANGES, missingMariadb, startMariadb } from '../../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../../test/support/servers/sql-postgres.ts'
import { changesSuite } from '../../testing/changes-suite.ts'

changesSuite('PostgreSQL', {
  sourceId: 'postgres',
  kind: 'postgres',
  missing: undefined,
  start: () => startSqlPostgres(makeFolder('changes-pipelines')),
  async execute(server, ...statements) {
    const client = new pg.Client(server)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  },
  async rows(server, query) {
    const client = new pg.Client(server)
    await client.connect()
    const { rows } = await client.query(query)
    await client.end()
    return rows
  },
  streamOf: (table) => `public.${table}`
})

changesSuite('MariaDB', {
  sourceId: 'mariadb',
  kind: 'mysql',
  missing: missingMariadb(),
  start: () => startMariadb(makeFolder('changes-pipelines'), LOGS_CHANGES),
  async execute({ host, port, user, password, database }, ...statements) {
    const client = await createConnection({ host, port, user, password, database })
    for (const statement of statements) await client.query(statement)
    await client.end()
  },
  async rows({ host, port, user, password, database }, query) {
    const client = await createConnection({ host, port, user, password, database })
    const [rows] = await client.query(query)
    await client.end()
    return rows as Record<string, unknown>[]
  },
  streamOf: (table) => table
})
