import { loadavg } from 'node:os'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { openWorkshop } from '../../src/areas/pipelines/testing/workshop.ts'
import { LOGS_CHANGES, missingMariadb, startMariadb } from '../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../test/support/servers/sql-postgres.ts'
import type { SqlServer } from '../../test/support/servers/sql-server.ts'
import { median } from '../support/servers.ts'

const FLOOR = 10_000
const CHANGES = 200_000
const IN_TRANSACTION = 100
const ROUNDS = 3

interface Database {
  readonly name: string
  readonly sourceId: string
  readonly stream: string
  readonly server: SqlServer
  execute(statements: readonly string[]): Promise<void>
}

/** Changes a second of a table, through a pipeline into Parquet: they are made first, in small transactions, and then read. */
export async function changesPart(): Promise<boolean> {
  console.log(`changes of a table to Parquet, ${CHANGES} of them; load average ${loadavg()[0]?.toFixed(1)}`)
  const passed = [await measured(await postgres())]
  if (missingMariadb() === undefined) passed.push(await measured(await mariadb()))
  return passed.every((ok) => ok)
}

async function measured(database: Database): Promise<boolean> {
  const rates: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) rates.push(await rate(database, `round_${round}`))
  } finally {
    await database.server.stop()
  }
  const perSecond = median(rates)
  console.log(
    `${database.name}: ${Math.round(perSecond)} changes/s (floor ${FLOOR}); rounds ${rates.map(Math.round).join(', ')}`
  )
  return perSecond >= FLOOR
}

/** From the start of the run that finds the changes waiting until the last of them is committed. */
async function rate({ sourceId, stream, server, execute }: Database, table: string): Promise<number> {
  await execute([
    `create table ${table} (id int primary key, name varchar(50), size double precision, at timestamp null)`
  ])
  const workshop = await openWorkshop()
  try {
    const { host, port, user, password, database } = server
    const connector = { sourceId, config: { host, port, user, password, database } }
    const config = { connectorId: 'cn_bench', stream: `${stream}${table}`, changes: true, connector }
    const nodes = [
      { id: 'in', type: 'stream', config },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: `${table}/`, format: 'parquet' }, inputs: ['in'] }
    ]
    const pipelineId = `pl_${table}`
    const { checkpoint } = await workshop.run(nodes, {
      pipelineId,
      onCommit({ checkpoint: { positions } }, run) {
        const { changes } = positions.in as { changes: string }
        if (!('snapshot' in JSON.parse(changes))) run.stop()
      }
    })
    await execute(transactions(table))
    const startedMs = performance.now()
    await workshop.run(nodes, {
      pipelineId,
      checkpoint,
      onCommit({ ledger }, run) {
        if (ledger.recordsRead >= CHANGES) run.stop()
      }
    })
    return CHANGES / ((performance.now() - startedMs) / 1000)
  } finally {
    await workshop.close()
  }
}

/** Half of them inserts, the others updates, and deletes of every fourth row. */
function transactions(table: string): string[] {
  const inserts = CHANGES / 2
  const statements: string[] = []
  for (let from = 0; from < inserts; from += IN_TRANSACTION) {
    const rows = Array.from(
      { length: IN_TRANSACTION },
      (_, i) => `(${from + i}, 'name ${from + i}', 0.5, '2026-01-01 12:00:00')`
    )
    const where = `where id between ${from} and ${from + IN_TRANSACTION - 1}`
    statements.push(
      `insert into ${table} values ${rows.join(', ')}`,
      `update ${table} set size = 1.5 ${where} and id % 4 <> 0`,
      `delete from ${table} ${where} and id % 4 = 0`
    )
  }
  return statements
}

async function postgres(): Promise<Database> {
  const server = await startSqlPostgres(makeFolder('bench-changes'))
  return {
    name: 'PostgreSQL',
    sourceId: 'postgres',
    stream: 'public.',
    server,
    async execute(statements) {
      const client = new pg.Client(server)
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
  }
}

async function mariadb(): Promise<Database> {
  const server = await startMariadb(makeFolder('bench-changes'), LOGS_CHANGES)
  const { host, port, user, password, database } = server
  return {
    name: 'MariaDB',
    sourceId: 'mariadb',
    stream: '',
    server,
    async execute(statements) {
      const client = await createConnection({ host, port, user, password, database })
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
  }
}
