import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

export const ROWS = 2_000_000

/** How many rows there are of each kind: `comma` can be corrected, `nothing` can't, `broken` is a line that is no record. */
export type Kinds = Readonly<Record<'good' | 'comma' | 'nothing' | 'broken', number>>

/** A file with typical mistakes, and what is known of it. */
export interface DirtyFile {
  readonly path: string
  readonly kinds: Kinds
  /** The text of each line that has to become a dead letter, by line number. */
  readonly dirt: ReadonlyMap<number, { readonly kind: keyof Kinds; readonly text: string }>
  /** Count and sum of the values that have to be there in the end, by tag. */
  readonly series: ReadonlyMap<string, { readonly count: number; readonly sum: number }>
  /** Fingerprints of the Parquet rows that have to be there in the end, and of those that are. */
  fingerprints(paths: readonly string[]): Promise<{ readonly expected: string; readonly found: string }>
  close(): void
}

const OPERATORS = [
  'Maschinenführer Müller',
  'Jürgen Größmann',
  'Zoë Ångström',
  'François Lefèvre',
  'Søren Æbelø',
  'Ada'
]
const BROKEN_PER_MILLE = 3
const BAD_PER_CENT = 1

/** The first line has the names, so row r is in line r + 2. */
const MAKE = `CREATE TABLE rows AS
  SELECT r + 2 AS line, TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_milliseconds(r * 100) AS time,
    'plant/hall-7/line-3/press-' || lpad((r % 1000)::VARCHAR, 6, '0') || '/celsius' AS tag,
    20 + (hash(r) % 1000) / 10.0::DOUBLE AS celsius,
    [${OPERATORS.map((name) => `'${name}'`).join(', ')}][1 + (hash(r, 1) % ${OPERATORS.length})::BIGINT] AS operator,
    CASE WHEN hash(r, 2) % 1000 < ${BROKEN_PER_MILLE} THEN 'broken' WHEN hash(r, 3) % 100 >= ${BAD_PER_CENT} THEN 'good'
      WHEN hash(r, 4) % 3 = 0 THEN 'comma' ELSE 'nothing' END AS kind,
    hash(r, 5) % 2 = 0 AS coin
  FROM range(${ROWS}) t(r)`

const LINE = `concat(strftime(time AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ'), ';', tag, ';',
  CASE kind WHEN 'comma' THEN replace(celsius::VARCHAR, '.', ',') WHEN 'nothing' THEN if(coin, 'n/a', '-') ELSE celsius::VARCHAR END,
  CASE WHEN kind = 'broken' AND coin THEN '' ELSE ';' || operator END,
  CASE WHEN kind = 'broken' AND NOT coin THEN ';?' ELSE '' END)`

export async function makeDirtyFile(folder: string): Promise<DirtyFile> {
  const path = join(folder, 'dirty.csv')
  const database = await (await DuckDBInstance.create(':memory:')).connect()
  await database.run("SET TimeZone = 'UTC'")
  await database.run(MAKE)
  await writeLatin1(database, path)
  const kinds = Object.fromEntries(await rowsOf(database, 'SELECT kind, count(*)::INTEGER FROM rows GROUP BY kind'))
  const series = await rowsOf(
    database,
    `SELECT tag, count(*)::INTEGER, sum(celsius) FROM rows WHERE ${IN_THE_END} GROUP BY tag`
  )
  const dirt = await rowsOf(database, `SELECT line::INTEGER, kind FROM rows WHERE kind <> 'good' ORDER BY line`)
  const texts = await linesOf(path, new Set(dirt.map(([line]) => line as number)))
  return {
    path,
    kinds: kinds as Kinds,
    dirt: new Map(
      dirt.map(([line, kind]) => [
        line as number,
        { kind: kind as keyof Kinds, text: texts.get(line as number) as string }
      ])
    ),
    series: new Map(series.map(([tag, count, sum]) => [tag as string, { count: count as number, sum: sum as number }])),
    async fingerprints(paths) {
      const files = `read_parquet([${paths.map((one) => `'${one}'`).join(', ')}])`
      const [[expected], [found]] = (await rowsOf(
        database,
        `${fingerprint(`rows WHERE ${IN_THE_END}`)} UNION ALL ${fingerprint(files)}`
      )) as [[string], [string]]
      return { expected, found }
    },
    close: () => database.closeSync()
  }
}

const IN_THE_END = `kind IN ('good', 'comma')`

/** The fingerprint does not depend on the order of rows, but on how often each occurs. */
const fingerprint = (from: string): string =>
  `SELECT concat(count(*), ' rows ', sum(hash(time::TIMESTAMPTZ, tag, celsius, operator)::HUGEINT)) FROM ${from}`

const rowsOf = async (database: DuckDBConnection, sql: string): Promise<unknown[][]> =>
  (await database.runAndReadAll(sql)).getRows()

async function writeLatin1(database: DuckDBConnection, path: string): Promise<void> {
  await database.run(
    `COPY (SELECT ${LINE} AS "time;tag;celsius;operator" FROM rows ORDER BY line) TO '${path}.utf8' (FORMAT csv, HEADER true, DELIMITER '\x01', QUOTE '\x02', ESCAPE '\x02')`
  )
  const from = createReadStream(`${path}.utf8`, { encoding: 'utf8', highWaterMark: 1 << 20 })
  await pipeline(from, createWriteStream(path, { encoding: 'latin1', decodeStrings: false } as object))
  await rm(`${path}.utf8`)
}

/** Lines as they are in the file itself. */
async function linesOf(path: string, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const content = await readFile(path)
  const found = new Map<number, string>()
  for (let line = 1, from = 0; from < content.length; line++) {
    const end = content.indexOf(10, from)
    if (wanted.has(line)) found.set(line, content.toString('latin1', from, end))
    from = end + 1
  }
  return found
}
