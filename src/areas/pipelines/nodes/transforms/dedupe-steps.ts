import { durationMs } from '../../contract/config-parts.ts'
import { NodeFault } from '../../contract/context.ts'
import { ROW } from '../../contract/source.ts'
import { type StateTable, tableName } from '../../contract/state-table.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from '../../contract/steps.ts'
import type { Column } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import type { SqlPart } from '../../duckdb/parse-sql.ts'
import type { DedupeConfig } from './dedupe.ts'
import { findFirsts, findRecentFirsts, KEY, NTH, TIME } from './dedupe-firsts.ts'
import { keyText } from './key-text.ts'
import { latestUs, timeCasts, timeUs } from './time-column.ts'

const MAX_KEYS = 10_000_000
const KEY_COLUMNS: readonly Column[] = [
  { name: 'millrace:key', type: 'VARCHAR' },
  { name: 'millrace:time', type: 'BIGINT' }
]

/** The keys of records that went on are in a table, with their times. */
export class DedupeSteps implements Steps {
  readonly #context: StepsContext<DedupeConfig>
  readonly #seen: StateTable
  readonly #withinUs: bigint | undefined
  /** The greatest time so far, in microseconds. */
  #newest: bigint | undefined

  constructor(context: StepsContext<DedupeConfig>) {
    const { config, memo } = context
    this.#context = context
    this.#seen = context.state('seen')
    this.#withinUs = config.within === undefined ? undefined : BigInt(durationMs(config.within)) * 1000n
    const { newest } = (memo ?? {}) as { newest?: string }
    this.#newest = newest === undefined ? undefined : BigInt(newest)
  }

  memo(): unknown {
    return this.#newest === undefined ? {} : { newest: this.#newest.toString() }
  }

  async probe(_input: number, flow: Flow): Promise<void> {
    const { database } = this.#context
    const table = this.#table('probe')
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${this.#keyed(flow)}`)
    await database.run(`DROP TABLE ${table}`)
  }

  casts(_input: number, columns: readonly Column[]): readonly SqlPart[] {
    return timeCasts(this.#context.config.time, columns)
  }

  async step({ inputs: [flow] }: Step): Promise<Stepped> {
    if (flow === undefined)
      return { output: undefined, taken: [0], given: 0, filtered: 0, rejected: [], held: this.#seen.rows }
    const { database } = this.#context
    const batch = this.#table('batch')
    const taken = await runCounted(database, `CREATE OR REPLACE TABLE ${batch} AS ${this.#keyed(flow)}`)
    const firsts = this.#table('firsts')
    const seen = this.#seen.columns.length === 0 ? undefined : this.#seen.name
    if (this.#withinUs === undefined) await findFirsts(database, { batch, firsts, seen })
    else await findRecentFirsts(database, { batch, firsts, seen, withinUs: this.#withinUs, newest: this.#newest })
    const keys = `SELECT ${KEY}, coalesce(${TIME}, f.newest) AS ${TIME} FROM ${batch} b JOIN ${firsts} f ON b.${NTH} = f.nth`
    const given = await this.#seen.insert(keys, KEY_COLUMNS)
    await this.#forget(batch)
    await database.run(`DELETE FROM ${batch} WHERE ${NTH} NOT IN (SELECT nth FROM ${firsts})`)
    await database.run(`DROP TABLE ${firsts}`)
    const sql = `SELECT * EXCLUDE (${KEY}, ${TIME}, ${NTH}, ${ROW}) FROM ${batch}`
    const numbered = `SELECT * EXCLUDE (${KEY}, ${TIME}, ${NTH}) FROM ${batch}`
    const output = given === 0 ? undefined : { sql, numbered, columns: flow.columns, rows: given }
    return { output, taken: [taken], given, filtered: taken - given, rejected: [], held: this.#seen.rows }
  }

  async #forget(batch: string): Promise<void> {
    if (this.#withinUs !== undefined) {
      const reader = await this.#context.database.runAndReadAll(`SELECT max(${TIME}) FROM ${batch}`)
      const newest = reader.value(0, 0) as bigint | null
      if (newest !== null && (this.#newest === undefined || newest > this.#newest)) this.#newest = newest
      if (this.#newest !== undefined) await this.#seen.expire(`${TIME} < ${this.#newest - this.#withinUs}`)
    }
    if (this.#seen.rows <= MAX_KEYS) return
    throw new NodeFault(
      'fatal',
      'too_many_keys',
      `There are more than ${MAX_KEYS} different records to remember; say with \`within\` how long each has to be`
    )
  }

  #keyed({ numbered, columns }: Flow): string {
    const { by, time } = this.#context.config
    const nowUs = BigInt(this.#context.now()) * 1000n
    const at = time === undefined ? `${nowUs}::BIGINT` : timeUs(time, columns, latestUs(this.#context.now()))
    return `SELECT *, ${keyText(by, columns)} AS ${KEY}, ${at} AS ${TIME}, row_number() OVER () AS ${NTH} FROM (${numbered})`
  }

  #table(name: string): string {
    return tableName(this.#context.schema, `${this.#context.nodeId}:${name}`)
  }
}
