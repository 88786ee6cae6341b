import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import type { ParsedSql, UnknownFunction } from '../../../data/sql-process/statement-check.ts'
import { type DuckdbErrorKind, duckdbErrorKind } from '../../../engines/duckdb-errors.ts'
import { enclosed } from '../duckdb/expression.ts'
import { columnsIn, type SqlPart, treesIn } from '../duckdb/parse-sql.ts'
import { tablesOf } from '../nodes/transforms/sql.ts'

/** Types of columns that are told, by their names in small letters. */
export type ToldTypes = ReadonlyMap<string, string>

export interface Bindable {
  readonly part: SqlPart
  readonly parsed: ParsedSql
  readonly told: ToldTypes
  /** Columns by which records are taken together, for expressions of many. */
  readonly groupBy: readonly string[]
  /** The tables of a statement. */
  readonly inputs: readonly string[]
}

/** Types that are tried in turn for a column whose type nothing tells. */
const GUESSES = ['VARCHAR', 'DOUBLE', 'TIMESTAMP', 'BOOLEAN', 'JSON', 'BIGINT', 'DATE', 'VARCHAR[]', 'DOUBLE[]']
/** The same where two columns are tried together. */
const PAIR_GUESSES = ['VARCHAR', 'DOUBLE', 'TIMESTAMP', 'BOOLEAN', 'JSON']
const GROUP = '"millrace:group"'

/**
 * What DuckDB finds wrong with SQL before it sees a value: functions and types that are not there, a wrong number of arguments.
 * Columns that nothing is told of are bare NULLs, which go with nearly everything, and then what they might be; only what fits
 * none of these is wrong.
 */
export class Binder {
  readonly #database: DuckDBConnection
  readonly #endsAtMs: number

  /** What is not looked at in time is found when it runs. */
  constructor(database: DuckDBConnection, limitMs: number) {
    this.#database = database
    this.#endsAtMs = performance.now() + limitMs
  }

  /** What is wrong with each of the expressions of one node, or with its statement; undefined where nothing is. */
  async problemsOf(parts: readonly Bindable[]): Promise<(string | undefined)[]> {
    const [first] = parts
    if (first === undefined || this.#isLate()) return parts.map(() => undefined)
    if (parts.length > 1 && parts.every(({ part }) => part.form !== 'statement')) {
      const columns = columnsOf(parts)
      const list = parts.map(({ part }) => enclosed(part.text)).join(', ')
      if ((await this.#bind(selectFrom(list, columns, first, first.told))) === undefined) {
        return parts.map(() => undefined)
      }
    }
    const problems: (string | undefined)[] = []
    for (const part of parts) {
      problems.push(part.part.form === 'statement' ? await this.#ofStatement(part) : await this.#ofExpression(part))
    }
    return problems
  }

  async #ofExpression(bindable: Bindable): Promise<string | undefined> {
    const columns = columnsOf([bindable])
    const list = enclosed(bindable.part.text)
    const found = await this.#bind(selectFrom(list, columns, bindable, bindable.told))
    if (found === undefined || isCatalog(found)) return found && shown(found)
    const free = columns.filter((name) => !bindable.told.has(name.toLowerCase()))
    let guessed: string | undefined
    for (const types of guesses(free)) {
      if (this.#isLate()) return undefined
      const told = new Map([...bindable.told, ...types])
      const problem = await this.#bind(selectFrom(list, columns, bindable, told))
      if (problem === undefined) return undefined
      if (isCatalog(problem)) return shown(problem)
      guessed ??= problem
    }
    if (isBeyondGuessing(bindable.parsed, free)) return undefined
    return shown(isAmbiguous(found) ? (guessed ?? found) : found)
  }

  /** What DuckDB says of a function that it does not have, which names those that are spelt alike. */
  async missing({ functionName, message }: UnknownFunction): Promise<string> {
    const problem = await this.#bind(`SELECT ${sqlName(functionName)}()`)
    return problem !== undefined && isCatalog(problem) ? shown(problem) : message
  }

  /** What columns a table has can't be known, so that only what is not there at all counts. */
  async #ofStatement({ part, parsed, inputs }: Bindable): Promise<string | undefined> {
    const columns = [...new Set([...columnsIn(parsed), 'nothing'].map((name) => name.toLowerCase()))]
    const row = columns.map((name) => `NULL AS ${sqlName(name)}`).join(', ')
    const tables = tablesOf(inputs)
      .map((name) => `${sqlName(name)} AS (SELECT ${row})`)
      .join(', ')
    const problem = await this.#bind(`WITH ${tables} SELECT * FROM (\n${part.text}\n)`)
    // What it stops at else may be a column that is there in truth.
    return problem !== undefined && isCatalog(problem) ? shown(problem) : undefined
  }

  /** What is wrong with a SELECT, which is not run. */
  async #bind(select: string): Promise<string | undefined> {
    try {
      await this.#database.runAndReadAll(`DESCRIBE ${select}`)
      return undefined
    } catch (error) {
      const { message } = error as Error
      // Anything else, such as a lack of memory, is no fault of the SQL.
      const kind = duckdbErrorKind(error)
      return kind !== undefined && ABOUT_THE_SQL.has(kind) ? message : undefined
    }
  }

  #isLate(): boolean {
    return performance.now() > this.#endsAtMs
  }
}

function columnsOf(parts: readonly Bindable[]): string[] {
  const names = parts.flatMap(({ parsed, groupBy }) => [...columnsIn(parsed), ...groupBy])
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
}

function selectFrom(list: string, columns: readonly string[], { part, groupBy }: Bindable, told: ToldTypes): string {
  const row = columns.map((name) => {
    const type = told.get(name.toLowerCase())
    return `NULL${type === undefined ? '' : `::${type}`} AS ${sqlName(name)}`
  })
  const by = part.form === 'group' ? ` GROUP BY ${[GROUP, ...groupBy.map(sqlName)].join(', ')}` : ''
  return `SELECT ${list} FROM (SELECT ${[...row, `NULL AS ${GROUP}`].join(', ')}) AS input${by}`
}

/** All columns alike; of two, each pair of types too. */
function* guesses(free: readonly string[]): Generator<[string, string][]> {
  const names = free.map((name) => name.toLowerCase())
  if (names.length === 0) return
  for (const type of GUESSES) yield names.map((name) => [name, type])
  const [first, second, ...others] = names
  if (first === undefined || second === undefined || others.length > 0) return
  for (const a of PAIR_GUESSES) {
    for (const b of PAIR_GUESSES) {
      if (a !== b)
        yield [
          [first, a],
          [second, b]
        ]
    }
  }
}

/** Parts of lists and objects may be of any type, and so may three columns and more in one expression. */
function isBeyondGuessing(parsed: ParsedSql, free: readonly string[]): boolean {
  if (free.length === 0) return false
  if (free.length > 2) return true
  for (const { class: kind, type, column_names: path } of treesIn(parsed)) {
    if (kind === 'LAMBDA' || PARTS.has(String(type))) return true
    if (kind === 'COLUMN_REF' && (path as string[]).length > ((path as string[])[0] === 'input' ? 2 : 1)) return true
  }
  return false
}

const PARTS = new Set(['ARRAY_EXTRACT', 'ARRAY_SLICE', 'STRUCT_EXTRACT'])

const ABOUT_THE_SQL = new Set<DuckdbErrorKind>([
  'binder',
  'missing_column',
  'ambiguous_call',
  'catalog',
  'conversion',
  'invalid_input',
  'not_implemented',
  'parser'
])
const isCatalog = (message: string): boolean => duckdbErrorKind(message) === 'catalog'
const isAmbiguous = (message: string): boolean => duckdbErrorKind(message) === 'ambiguous_call'

const MAX_SHOWN_CHARS = 300

/** A message of DuckDB without the statement, which is not as the user wrote it. */
function shown(message: string): string {
  const [text = ''] = message.split(/\n+LINE \d+:/, 1)
  const line = text
    .replace(/^\w+ Error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= MAX_SHOWN_CHARS ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_SHOWN_CHARS))} …`
}
