import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { profileSql } from '../src/areas/quality/profile/statement.ts'
import { DRAWN_ROWS, Survey } from '../src/areas/quality/profile/survey.ts'
import { DEFAULT_LIMITS } from '../src/data/limits.ts'
import { openTestPlane, type TestPlane } from '../src/data/testing/plane.ts'
import { systemClock } from '../src/engines/clock.ts'
import { median } from './support/servers.ts'

const ROWS = 10_000_000
const ROUNDS = 3
const LIMIT = 2
const DATASET = 'object://b/wide.parquet'

/** Twenty columns: eight of numbers, seven of texts, three of times, one of truth values, and one that is mostly null. */
const WIDE = `SELECT range AS id, (hash(range) % 100000)::INTEGER AS customer, (hash(range + 1) % 100000) / 100.0::DOUBLE AS amount,
  (hash(range + 2) % 1000000) / 7.0::DOUBLE AS weight, (hash(range + 3) % 50)::SMALLINT AS units, ((hash(range + 4) % 1000000) / 100)::DECIMAL(12, 2) AS price,
  ln(1 + hash(range + 5) % 1000000)::DOUBLE AS score, (hash(range + 6) % 5)::TINYINT AS level,
  'c' || (hash(range + 7) % 50) AS city, ['new', 'paid', 'sent', 'back'][1 + (hash(range + 8) % 4)::INTEGER] AS state,
  'user' || (hash(range + 9) % 1000000) || '@example.org' AS mail, 'AB-' || (10000 + hash(range + 10) % 90000) AS sku,
  'Note on order ' || range || ' of ' || (hash(range + 11) % 1000) AS note, (hash(range + 12) % 1000000)::VARCHAR AS number, md5(range::VARCHAR) AS digest,
  TIMESTAMP '2026-01-01' + INTERVAL (range % 8640000) SECOND AS sold, TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL (range % 100000) MINUTE AS sent,
  DATE '2000-01-01' + (hash(range + 13) % 9000)::INTEGER AS born, range % 3 = 0 AS paid, CASE WHEN range % 100 = 7 THEN range END AS refund FROM range(${ROWS})`

/** A profile of ten million rows of twenty columns, beside what DuckDB's SUMMARIZE says of them. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-profile-bench-'))
  const plane = await openTestPlane()
  try {
    const file = join(folder, 'wide.parquet')
    const connection = await openDuckDb()
    await connection.run(`COPY (${WIDE}) TO '${file}'`)
    const content = readFileSync(file)
    await plane.put('wide.parquet', content)
    console.log(`${ROWS} rows of 20 columns, ${Math.round(content.length / 1024 / 1024)} MiB of Parquet`)
    const isMet = await beside(plane, connection, file)
    connection.closeSync()
    return isMet
  } finally {
    await plane.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As many threads and as much memory as the plane has for a statement. */
async function openDuckDb(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`SET threads = ${DEFAULT_LIMITS.threads}; SET memory_limit = '${DEFAULT_LIMITS.memoryBytes}B'`)
  return connection
}

async function beside(plane: TestPlane, connection: DuckDBConnection, file: string): Promise<boolean> {
  const [own, summaries, statements]: [Spent[], Spent[], Spent[]] = [[], [], []]
  await connection.run(`CREATE VIEW dataset AS SELECT * FROM read_parquet(['${file}'])`)
  const columns = (await plane.plane.describe(DATASET)).map((column) => ({ ...column, isSecret: false }))
  for (let round = 0; round < ROUNDS; round++) {
    summaries.push(await spent(() => connection.runAndReadAll('SUMMARIZE FROM dataset')))
    statements.push(await spent(() => connection.runAndReadAll(profileSql(columns, { drawnRows: DRAWN_ROWS }))))
    own.push(await spent(() => profile(plane)))
    console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  }
  const wall = (times: readonly Spent[]) => median(times.map(({ wallS }) => wallS))
  const processor = (times: readonly Spent[]) => median(times.map(({ processorS }) => processorS))
  // The process of the plane has a lower priority, so on a busy machine the clock on the wall says little.
  told('the statement of a profile and SUMMARIZE, processor time', processor(statements), processor(summaries))
  return told('a profile through the data plane and SUMMARIZE', wall(own), wall(summaries)) <= LIMIT
}

function told(what: string, seconds: number, besideS: number): number {
  const ratio = seconds / besideS
  console.log(`${what}: ${seconds.toFixed(1)} s, ${besideS.toFixed(1)} s; ratio ${ratio.toFixed(2)}`)
  return ratio
}

/** As the API does it: reads the columns, and then looks at all of them. */
async function profile({ plane }: TestPlane): Promise<void> {
  const { signal } = new AbortController()
  const columns = await plane.describe(DATASET, signal)
  const told = await new Survey({ plane, clock: systemClock }, { dataset: DATASET }, undefined, signal).run(columns)
  const wrong = told.columns.find(({ problem, drawn }) => problem !== null || drawn?.exact === true)
  if (told.rows !== ROWS || wrong !== undefined) throw new Error(JSON.stringify(wrong ?? told.rows))
}

interface Spent {
  readonly wallS: number
  /** Of this process alone. */
  readonly processorS: number
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [startedMs, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wallS: (performance.now() - startedMs) / 1000, processorS: (user + system) / 1e6 }
}
