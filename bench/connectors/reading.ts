import { execFileSync } from 'node:child_process'
import { driverOf, findSource, type SourceConfig } from '../../src/engines/drivers/index.ts'
import { createOutbound } from '../../src/engines/outbound/index.ts'
import { makeFolder } from '../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../test/support/servers/sql-postgres.ts'
import type { SqlServer } from '../../test/support/servers/sql-server.ts'
import { type PipelineServer, startPipelineServer } from '../pipelines/server.ts'
import { judge, type Line } from '../support/lines.ts'
import { median } from '../support/servers.ts'

const ROWS = 1_000_000
const ROUNDS = 5
const TABLE = `CREATE TABLE readings (id bigint PRIMARY KEY, machine integer NOT NULL, at timestamptz NOT NULL, temperature double precision,
  pressure double precision, state text, total numeric(12, 2), ok boolean)`
const FILL = `INSERT INTO readings SELECT n, n % 200, timestamptz '2026-01-01' + n * interval '1 second', 20 + random() * 60, random() * 10,
  (array['running', 'idle', 'fault'])[1 + n % 3], (n % 10000) + 0.25, n % 7 <> 0 FROM generate_series(1, ${ROWS}) n`

interface ReadingFigures {
  readonly psqlMs: number
  readonly driverMs: number
  readonly pipelineMs: number
}

/** What reading from somebody else's database costs. */
export async function readingPart(): Promise<boolean> {
  const { psqlMs, driverMs, pipelineMs } = await measureReading()
  const line = (what: string, tookMs: number, floor: number): Line => ({
    what,
    figure: `${Math.round(tookMs)} ms`,
    beside: `psql \\copy ${Math.round(psqlMs)} ms`,
    ratio: psqlMs / tookMs,
    floor
  })
  const lines = [
    line('PostgreSQL, a million rows, read by the driver', driverMs, 0.6),
    line('PostgreSQL, a million rows → Parquet by a pipeline', pipelineMs, 0.5)
  ]
  return judge(lines)
}

/** A table of a million rows: read by the driver, and by a pipeline into Parquet, beside `psql \copy` to nowhere. In turn, medians. */
async function measureReading(): Promise<ReadingFigures> {
  const database = await startSqlPostgres(makeFolder('bench-connectors'))
  const server = await startPipelineServer()
  try {
    for (const statement of [TABLE, FILL, 'VACUUM ANALYZE readings']) psql(database, statement)
    const connectorId = await connect(server, database)
    const [psqlMs, driverMs, pipelineMs]: [number[], number[], number[]] = [[], [], []]
    // One more, which is not counted: all are warm then.
    for (let round = 0; round <= ROUNDS; round++) {
      psqlMs.push(timed(() => psql(database, '\\copy readings to /dev/null')))
      driverMs.push(await readByDriver(configOf(database)))
      pipelineMs.push(await server.timeToCompleted(`copy ${round}`, nodes(connectorId, `copy-${round}/`)))
    }
    const middle = (all: number[]) => median(all.slice(1))
    return { psqlMs: middle(psqlMs), driverMs: middle(driverMs), pipelineMs: middle(pipelineMs) }
  } finally {
    await server.stop()
    await database.stop()
  }
}

const configOf = ({ host, port, user, password, database }: SqlServer): SourceConfig => ({
  host,
  port,
  user,
  password,
  database
})

function psql({ host, port, user, password, database }: SqlServer, command: string): void {
  const args = ['-q', '-h', host, '-p', String(port), '-U', user, '-d', database, '-c', command]
  execFileSync('psql', args, { env: { ...process.env, PGPASSWORD: password }, stdio: ['ignore', 'ignore', 'inherit'] })
}

function timed(work: () => void): number {
  const startedMs = performance.now()
  work()
  return performance.now() - startedMs
}

async function readByDriver(config: SourceConfig): Promise<number> {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const source = findSource('postgres')
  if (source === undefined) throw new Error('There is no source postgres')
  const opened = await (await driverOf(source)).open(config, source, { outbound, packagesFolder: '/nowhere' })
  const startedMs = performance.now()
  let rows = 0
  for await (const chunk of opened.read({ stream: 'public.readings', signal: AbortSignal.timeout(600_000) })) {
    // Values are made when somebody asks for them.
    rows += chunk.values[0]?.length ?? 0
  }
  const tookMs = performance.now() - startedMs
  await opened.close()
  await outbound.close()
  if (rows !== ROWS) throw new Error(`${rows} rows were read, not ${ROWS}`)
  return tookMs
}

async function connect({ client }: PipelineServer, database: SqlServer): Promise<string> {
  await client.post('/buckets', { name: 'copies' })
  const { id } = await client.post('/connectors', {
    name: 'readings',
    sourceId: 'postgres',
    config: configOf(database)
  })
  await client.post(`/connectors/${id}/discover`)
  return id
}

const nodes = (connectorId: string, prefix: string) => [
  { id: 'in', type: 'stream', config: { connectorId, stream: 'public.readings' }, inputs: [] },
  { id: 'out', type: 'object', config: { bucket: 'copies', prefix, format: 'parquet' }, inputs: ['in'] }
]
