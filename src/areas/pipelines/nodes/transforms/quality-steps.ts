import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../../data/relation.ts'
import { BoundedMap } from '../../../../engines/bounded-map.ts'
import { NodeFault } from '../../contract/context.ts'
import { toFault } from '../../contract/faults.ts'
import { ROW } from '../../contract/source.ts'
import { type StateTable, tableName } from '../../contract/state-table.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from '../../contract/steps.ts'
import { type Column, columnList, columnsOf, signatureOf } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import { recordJson } from '../../records/sieve.ts'
import { typeConflict } from '../../records/type-conflict.ts'
import type { QualityConfig } from './quality.ts'
import { boundTo, without } from './quality-binding.ts'
import { type Check, checksOf } from './quality-checks.ts'
import { holds, Tally, type TallyMemo } from './quality-tally.ts'

type Rejected = Stepped['rejected'][number]

const MAX_HELD = 100_000_000
const MAX_KNOWN_SHAPES = 100
const DELETE_AT_ONCE = 10_000
/** A name that no column of a user's has. */
const PLACES = '"millrace:places"'

export async function openQuality(context: StepsContext<QualityConfig>): Promise<Steps> {
  for (const { config } of context.config.rules ?? []) {
    if (config.pattern !== undefined) await requirePattern(context.database, config.pattern)
  }
  return new QualitySteps(context)
}

/** Asks every record of its own; those that are right go on, or wait until all have come. */
class QualitySteps implements Steps {
  readonly #context: StepsContext<QualityConfig>
  readonly #tally: Tally
  /** Records that wait; undefined where none does. */
  readonly #held: StateTable | undefined
  readonly #checks = new BoundedMap<string, readonly Check[]>(MAX_KNOWN_SHAPES)
  #stop: NodeFault | undefined

  constructor(context: StepsContext<QualityConfig>) {
    this.#context = context
    this.#tally = new Tally(context.config, context.memo as TallyMemo | undefined)
    this.#held = holds(context.config) ? context.state('held') : undefined
    // What has ended the last run ends this one too, before it reads more.
    if (!context.isReplay) this.#stop = this.#tally.fault(false)
  }

  memo(): unknown {
    return this.#tally.memo
  }

  stop(): NodeFault | undefined {
    return this.#stop
  }

  refused(letters: readonly { readonly code: string }[]): void {
    if (this.#context.isReplay) return
    this.#tally.add(
      letters.length,
      letters.map(({ code }) => [code])
    )
  }

  async probe(_input: number, flow: Flow): Promise<void> {
    await this.#requireFit(flow)
    const checks = await this.#checksFor(flow)
    await this.#either(checks, (asked) =>
      runCounted(this.#context.database, `SELECT count(*) FROM (${foundIn(`(${flow.sql})`, '0', asked)})`)
    )
  }

  async step({ inputs: [flow], ended: [hasEnded = false], signal }: Step): Promise<Stepped> {
    const looked = flow === undefined ? NOTHING : await this.#look(flow, signal)
    const { isReplay } = this.#context
    // Dead letters that are put through by themselves decide nothing about the others, and wait for none of them.
    if (this.#held === undefined || isReplay) {
      if (!isReplay) this.#judge(hasEnded)
      return looked
    }
    const kept = looked.given
    if (looked.output !== undefined) await this.#held.insert(looked.output.sql, looked.output.columns)
    this.#requireRoom(this.#held)
    this.#judge(hasEnded)
    const waiting = { ...looked, output: undefined, given: 0, kept, held: this.#held.rows }
    if (!hasEnded || this.#stop !== undefined || this.#held.rows === 0) return waiting
    return { ...waiting, ...(await this.#release(this.#held)), held: 0 }
  }

  #judge(hasEnded: boolean): void {
    const warning = this.#tally.warning(hasEnded)
    if (warning !== undefined) this.#context.log('warn', warning)
    this.#stop = this.#tally.fault(hasEnded)
    // What comes after the end is counted by itself.
    if (hasEnded && this.#stop === undefined) this.#tally.reset()
  }

  /** All that waits goes on. */
  async #release(held: StateTable): Promise<Pick<Stepped, 'output' | 'given' | 'released'>> {
    const { database } = this.#context
    const table = this.#table('out')
    const { columns } = held
    const given = await runCounted(
      database,
      `CREATE OR REPLACE TABLE ${table} AS SELECT ${columnList(columns)} FROM ${held.name}`
    )
    await held.clear()
    return { output: { sql: `SELECT * FROM ${table}`, columns, rows: given }, given, released: given }
  }

  /** Tells the records apart; what is right is in a table afterwards. */
  async #look(flow: Flow, signal: AbortSignal): Promise<Stepped> {
    await this.#requireFit(flow)
    const { database, isReplay } = this.#context
    const checks = await this.#checksFor(flow)
    const batch = this.#table('batch')
    const taken = await runCounted(database, `CREATE OR REPLACE TABLE ${batch} AS ${flow.numbered}`)
    const found = await this.#either(checks, (asked) => this.#failing(batch, flow.columns, asked, signal))
    for (let from = 0; from < found.length; from += DELETE_AT_ONCE) {
      const some = found.slice(from, from + DELETE_AT_ONCE).map(({ row }) => row)
      await database.run(`DELETE FROM ${batch} WHERE ${ROW} IN (SELECT unnest([${some.join(', ')}]::BIGINT[]))`)
    }
    if (!isReplay) {
      const names = found.map(({ places }) => places.map((place) => (checks[placeOf(place)] as Check).name))
      this.#tally.add(taken, names)
    }
    const rejected = found.map(({ row, record, places }) => ({ row, record, ...wordsOf(checks, places) }))
    const given = taken - rejected.length
    const [sql, numbered] = [`SELECT * EXCLUDE (${ROW}) FROM ${batch}`, `SELECT * FROM ${batch}`]
    const output = given === 0 ? undefined : { sql, numbered, columns: flow.columns, rows: given }
    return { output, taken: [taken], given, filtered: 0, rejected, held: 0 }
  }

  /** The records that fail, each with the places of the rules that it fails. */
  async #failing(
    batch: string,
    columns: readonly Column[],
    asked: readonly Asked[],
    signal: AbortSignal
  ): Promise<Failing[]> {
    const found: Failing[] = []
    const places = `SELECT ${ROW}, list(place)::VARCHAR AS ${PLACES} FROM (${foundIn(`(SELECT * FROM ${batch})`, ROW, asked)}) GROUP BY ${ROW}`
    const sql = `SELECT ${ROW}, ${PLACES}, ${recordJson(columns)} FROM ${batch} JOIN (${places}) AS found USING (${ROW}) ORDER BY ${ROW}`
    const result = await this.#context.database.stream(sql)
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      signal.throwIfAborted()
      for (const [row, text, record] of chunk.getRows() as [bigint, string, string][]) {
        const own = (JSON.parse(text) as number[]).sort((one, other) => placeOf(one) - placeOf(other))
        found.push({ row: Number(row), places: own, record })
      }
    }
    return found
  }

  /**
   * Asks plainly and, where some record makes that fail, once more so that a record of which a rule can't be told is
   * known by it. What can't be asked like that either fails as it failed first.
   */
  async #either<T>(checks: readonly Check[], ask: (asked: readonly Asked[]) => Promise<T>): Promise<T> {
    try {
      return await ask(checks.flatMap(plainly))
    } catch (error) {
      if (toFault(error).kind !== 'records') throw error
      return ask(checks.flatMap(carefully)).catch((again) => {
        throw /TRY can not be used/.test(String(again)) ? error : again
      })
    }
  }

  /** Records that wait are in one table, in which a column has one type. */
  async #requireFit({ columns }: Flow): Promise<void> {
    if (this.#held === undefined || this.#context.isReplay) return
    const conflict = await typeConflict(this.#held, columns, 'records that came before have it')
    if (conflict !== undefined) throw conflict
  }

  #requireRoom({ rows }: StateTable): void {
    if (rows <= MAX_HELD) return
    const message = `More than ${MAX_HELD} records wait for the end; divide what is read between several runs`
    throw new NodeFault('fatal', 'too_many_rows', message)
  }

  /** With the types as DuckDB spells them. */
  async #checksFor({ sql, columns, isLoose = false }: Flow): Promise<readonly Check[]> {
    const key = `${isLoose} ${signatureOf(columns)}`
    const known = this.#checks.get(key)
    if (known !== undefined) return known
    const described = await columnsOf(this.#context.database, sql)
    const checks: Check[] = []
    for (const check of checksOf(this.#context.config.rules ?? [], described)) {
      checks.push(isLoose ? await boundTo(this.#context.database, sql, described, check) : check)
    }
    this.#checks.set(key, checks)
    return checks
  }

  #table(name: string): string {
    return tableName(this.#context.schema, `${this.#context.nodeId}:${name}`)
  }
}

const NOTHING: Stepped = { output: undefined, taken: [0], given: 0, filtered: 0, rejected: [], held: 0 }

/** A record that fails, with the places of the rules: below 0 where it can't be told whether it does. */
interface Failing {
  readonly row: number
  readonly places: readonly number[]
  readonly record: string
}

/** What is asked of records in SQL, and the place that those get for which it holds. */
interface Asked {
  readonly holds: string
  readonly place: number
  /** Columns in which there is no value. */
  readonly odd: readonly string[]
}

const plainly = (check: Check, place: number): Asked[] => [
  ...unclearOf(check, place),
  ...(check.isUnclear ? [] : [{ holds: check.fails, place, odd: check.odd }])
]

/** Right below TRY there must be no coalesce and no CASE: DuckDB writes beyond its memory there (duckdb/duckdb#25280). */
function carefully(check: Check, place: number): Asked[] {
  const tried = `TRY((${check.fails}) IS NOT DISTINCT FROM true)`
  const both = [
    { holds: tried, place, odd: check.odd },
    { holds: `${tried} IS NULL`, place: -1 - place, odd: check.odd }
  ]
  return [...unclearOf(check, place), ...(check.isUnclear ? [] : both)]
}

/** Of these it is known without asking that it can't be told. */
function unclearOf({ odd, isUnclear }: Check, place: number): Asked[] {
  const holds = isUnclear ? 'true' : odd.map((name) => `${sqlName(name)} IS NOT NULL`).join(' OR ')
  return holds === '' ? [] : [{ holds, place: -1 - place, odd: [] }]
}

/**
 * A SELECT of records and places. Each question is a filter of its own: what several expressions of a list have in common,
 * DuckDB computes once and outside of TRY.
 */
const foundIn = (from: string, row: string, asked: readonly Asked[]): string =>
  asked
    .map(
      ({ holds, place, odd }) => `SELECT ${row}, ${place} AS place FROM ${without(from, odd)} AS input WHERE ${holds}`
    )
    .join(' UNION ALL ') || `SELECT ${row}, 0 AS place FROM ${from} AS input WHERE false`

const placeOf = (place: number): number => (place < 0 ? -1 - place : place)

function wordsOf(checks: readonly Check[], places: readonly number[]): Pick<Rejected, 'code' | 'reason'> {
  const [first = 0, ...others] = places
  const { reason, unclear } = checks[placeOf(first)] as Check
  const more = others.map((place) => (checks[placeOf(place)] as Check).name)
  const also = more.length === 0 ? '' : `; it also fails ${more.slice(0, MAX_ALSO).join(', ')}`
  const rest = more.length > MAX_ALSO ? ` and ${more.length - MAX_ALSO} more` : ''
  return { code: first < 0 ? 'rule_unclear' : 'rule_failed', reason: `${first < 0 ? unclear : reason}${also}${rest}` }
}

const MAX_ALSO = 5

async function requirePattern(database: DuckDBConnection, pattern: string): Promise<void> {
  try {
    await database.run('SELECT regexp_matches($text, $pattern)', { text: '', pattern })
  } catch (error) {
    throw new NodeFault(
      'fatal',
      'invalid_pattern',
      `${pattern} is no regular expression of RE2: ${toFault(error).message}`
    )
  }
}
