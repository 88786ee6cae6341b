import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { KnownColumns } from '../src/areas/quality/evaluation/known-columns.ts'
import { Pass, type PassNeeds } from '../src/areas/quality/evaluation/pass.ts'
import type { Asked } from '../src/areas/quality/evaluation/question.ts'
import { DEFAULT_LIMITS } from '../src/data/limits.ts'
import { openTestPlane, type TestPlane } from '../src/data/testing/plane.ts'
import { systemClock } from '../src/engines/clock.ts'

const ROWS = 10_000_000
const ROUNDS = 5
const BARE_LIMIT = 1.3
const EACH_LIMIT = 1
const MANY_LIMIT = 2
const MANY = 50

const ORDERS = `SELECT range AS id, CASE WHEN range % 1000 = 7 THEN NULL ELSE (hash(range) % 100000)::INTEGER END AS customer,
  (hash(range + 1) % 100000) / 100.0::DOUBLE AS amount, 'c' || (hash(range + 2) % 50) AS city,
  ['new', 'paid', 'sent', 'back'][1 + (hash(range + 3) % 4)::INTEGER] AS state,
  TIMESTAMP '2026-01-01' + INTERVAL (range % 8640000) SECOND AS sold FROM range(${ROWS})`

/** The same three questions as somebody would write them by hand. */
const BARE = (
  file: string
) => `SELECT a.*, b.* FROM (SELECT count(*), count(*) FILTER (WHERE customer IS NULL), count(amount),
    count(*) FILTER (WHERE amount < 0 OR amount > 900 OR isnan(amount)) FROM '${file}') a,
  (SELECT sum(n), sum(n) FILTER (WHERE n > 1) FROM (SELECT count(*) AS n FROM '${file}' WHERE id IS NOT NULL GROUP BY id)) b`

/** The same as tools do it that ask each question by itself: how many rows there are, and how many are wrong. */
const EACH = (file: string) => [
  `SELECT count(*) FROM '${file}'`,
  `SELECT count(*) FROM '${file}' WHERE customer IS NULL`,
  `SELECT count(*) FROM '${file}' WHERE id IS NOT NULL`,
  `SELECT count(*) FROM '${file}' WHERE id IN (SELECT id FROM '${file}' WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1)`,
  `SELECT count(*) FROM '${file}' WHERE amount IS NOT NULL`,
  `SELECT count(*) FROM '${file}' WHERE amount IS NOT NULL AND NOT (amount BETWEEN 0 AND 900)`
]

const rule = (type: Asked['type'], config: Asked['config'], at = 0): Asked => ({
  id: `${type} ${JSON.stringify(config)} ${at}`,
  type,
  config,
  warnThreshold: null,
  failThreshold: '100%',
  on: []
})

const THREE = [
  rule('notNull', { column: 'customer' }),
  rule('unique', { columns: ['id'] }),
  rule('range', { column: 'amount', min: 0, max: 900 })
]

/** Fifty questions row by row, of four types over five columns; none is like another. */
const manyRules = (): Asked[] =>
  Array.from({ length: MANY }, (_, at) => {
    const kinds = [
      rule('range', { column: 'amount', min: at, max: 900 + at }),
      rule('notNull', { column: 'customer', where: `amount > ${at}` }),
      rule('allowedValues', { column: 'state', values: ['new', 'paid', `x${at}`] }),
      rule('range', { column: 'sold', min: '2026-01-02', max: `2026-04-${String((at % 28) + 1).padStart(2, '0')}` }),
      rule('range', { column: 'customer', max: 90_000 + at })
    ]
    return kinds[at % kinds.length] as Asked
  })

/** A pass over ten million rows beside the same statement in DuckDB alone, and fifty rules beside the slowest of them. */
export async function run(): Promise<boolean> {
  tellLoad()
  const folder = mkdtempSync(join(tmpdir(), 'millrace-quality-bench-'))
  const plane = await openTestPlane()
  try {
    const file = join(folder, 'orders.parquet')
    const connection = await openDuckDb()
    await connection.run(`COPY (${ORDERS}) TO '${file}'`)
    const content = readFileSync(file)
    await plane.put('orders.parquet', content)
    console.log(`${ROWS} rows, ${Math.round(content.length / 1024 / 1024)} MiB of Parquet`)
    const passed = [await beside(plane, connection, file), await many(plane)]
    tellLoad()
    connection.closeSync()
    return passed.every((ok) => ok)
  } finally {
    await plane.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const tellLoad = () => console.log(`load average ${loadavg()[0]?.toFixed(1)}`)

async function openDuckDb(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`SET threads = ${DEFAULT_LIMITS.threads}; SET memory_limit = '${DEFAULT_LIMITS.memoryBytes}B'`)
  return connection
}

async function beside(plane: TestPlane, connection: DuckDBConnection, file: string): Promise<boolean> {
  const [own, bare, each]: [number[], number[], number[]] = [[], [], []]
  // The first evaluation of a dataset also reads its columns.
  console.log(`the first pass: ${(await timed(() => pass(plane, THREE))).toFixed(0)} ms`)
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => connection.runAndReadAll(BARE(file))))
    own.push(await timed(() => pass(plane, THREE)))
    each.push(
      await timed(async () => {
        for (const sql of EACH(file)) await connection.runAndReadAll(sql)
      })
    )
  }
  const what = 'notNull, unique and range in one pass, beside'
  const passed = [
    told(`${what} DuckDB alone`, own, bare, BARE_LIMIT),
    told(`${what} DuckDB rule by rule`, own, each, EACH_LIMIT)
  ]
  return passed.every((ok) => ok)
}

async function many(plane: TestPlane): Promise<boolean> {
  const rules = manyRules()
  const kinds = rules.slice(0, 5)
  const alone: number[][] = kinds.map(() => [])
  const together: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, one] of kinds.entries()) alone[at]?.push(await timed(() => pass(plane, [one])))
    together.push(await timed(() => pass(plane, rules)))
  }
  const [slowest = []] = alone.toSorted((a, b) => Math.min(...b) - Math.min(...a))
  return told(`${MANY} rules in one pass, beside the slowest of them alone`, together, slowest, MANY_LIMIT)
}

async function pass(plane: TestPlane, rules: readonly Asked[]): Promise<void> {
  const outcomes = await new Pass(needsOf(plane), 'object://b/orders.parquet', new AbortController().signal).run(rules)
  const wrong = [...outcomes.values()].find(({ status }) => status !== 'passed')
  if (wrong !== undefined) throw new Error(JSON.stringify(wrong))
}

const known = new KnownColumns()

/** Nothing here is classified, and no sample is read. */
const needsOf = ({ plane }: TestPlane): PassNeeds => ({
  clock: systemClock,
  evaluationMs: 120_000,
  plane,
  known,
  guard: { maskForAll: async () => undefined },
  schemaOf: async () => ({})
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** By the best rounds of either: others use the machine too. */
function told(what: string, own: readonly number[], beside: readonly number[], limit: number): boolean {
  const [ms, besideMs] = [Math.min(...own), Math.min(...beside)]
  const ratio = ms / besideMs
  console.log(`${what}: ${ms.toFixed(0)} ms, ${besideMs.toFixed(0)} ms; ratio ${ratio.toFixed(2)} (limit ${limit})`)
  return ratio <= limit
}
