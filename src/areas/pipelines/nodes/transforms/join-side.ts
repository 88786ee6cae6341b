import { sqlName } from '../../../../data/relation.ts'
import { NodeFault } from '../../contract/context.ts'
import type { StateTable } from '../../contract/state-table.ts'
import type { Flow, StepsContext } from '../../contract/steps.ts'
import { type Column, columnList } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import { fullKeyText } from './key-text.ts'
import { latestUs, timeUs } from './time-column.ts'

/** Names that no column of a user's has. */
export const ID = '"millrace:id"'
export const KEY = '"millrace:key"'
/** Microseconds. */
export const TIME = '"millrace:time"'

const HIDDEN: readonly Column[] = [
  { name: 'millrace:id', type: 'BIGINT' },
  { name: 'millrace:key', type: 'VARCHAR' },
  { name: 'millrace:time', type: 'BIGINT' }
]

const MAX_ROWS = 10_000_000

export interface SideMemo {
  readonly nextId: number
  /** The greatest time so far; text, because JSON has no such numbers. */
  readonly newest: string | null
  readonly columns: readonly Column[]
}

interface SideSettings {
  readonly name: 'left' | 'right'
  readonly keys: readonly string[]
  readonly time: string | undefined
}

/** One input of a join: its records that may still find others, and which of them have found some. */
export class JoinSide {
  readonly records: StateTable
  readonly #found: StateTable
  readonly #context: StepsContext<unknown>
  readonly #settings: SideSettings
  readonly #staged: string
  columns: readonly Column[]
  newest: bigint | undefined
  /** Records from this one on are new in this step. */
  firstNew: number
  #nextId: number
  #stagedColumns: readonly Column[] = []

  constructor(context: StepsContext<unknown>, settings: SideSettings, memo: SideMemo | undefined) {
    this.#context = context
    this.#settings = settings
    this.records = context.state(settings.name)
    this.#found = context.state(`${settings.name}-found`)
    this.#staged = `${sqlName(context.schema)}.${sqlName(`${context.nodeId}:new:${settings.name}`)}`
    this.#nextId = memo?.nextId ?? 0
    this.firstNew = this.#nextId
    this.newest = memo?.newest == null ? undefined : BigInt(memo.newest)
    this.columns = memo?.columns ?? []
  }

  memo(): SideMemo {
    return { nextId: this.#nextId, newest: this.newest?.toString() ?? null, columns: this.columns }
  }

  /** Computes the new records and keeps them aside; fails over records before anything has changed. */
  async stage(flow: Flow | undefined): Promise<number> {
    const { database } = this.#context
    this.firstNew = this.#nextId
    if (flow === undefined) return 0
    this.#stagedColumns = [...HIDDEN, ...flow.columns.filter(({ type }) => type !== '"NULL"')]
    return runCounted(database, `CREATE OR REPLACE TABLE ${this.#staged} AS ${this.#select(flow)}`)
  }

  async probe(flow: Flow): Promise<void> {
    const { database } = this.#context
    const table = `${this.#staged.slice(0, -1)}:probe"`
    await database.run(`CREATE OR REPLACE TABLE ${table} AS ${this.#select(flow)}`)
    await database.run(`DROP TABLE ${table}`)
  }

  /** Takes the new records in. */
  async take(): Promise<void> {
    if (this.#stagedColumns.length === 0) return
    const { database, nodeId } = this.#context
    const list = columnList(this.#stagedColumns)
    const rows = await this.records.insert(`SELECT ${list} FROM ${this.#staged}`, this.#stagedColumns)
    if (this.records.rows > MAX_ROWS) {
      throw new NodeFault(
        'fatal',
        'too_many_rows',
        `Join ${nodeId} holds more than ${MAX_ROWS} records of one input; give it \`within\`, so that old ones can be forgotten`
      )
    }
    this.#nextId += rows
    const reader = await database.runAndReadAll(`SELECT max(${TIME}) FROM ${this.#staged}`)
    const newest = reader.value(0, 0) as bigint | null
    if (newest !== null && (this.newest === undefined || newest > this.newest)) this.newest = newest
    this.columns = this.records.columns.filter(({ name }) => !name.startsWith('millrace:'))
    this.#stagedColumns = []
    await database.run(`DROP TABLE ${this.#staged}`)
  }

  /** Remembers the records by their ids that have found others in this step. */
  async remember(ids: string): Promise<void> {
    const known = this.#found.columns.length === 0 ? '' : ` AND ${ID} NOT IN (SELECT ${ID} FROM ${this.#found.name})`
    const [id, , time] = HIDDEN as [Column, Column, Column]
    await this.#found.insert(`SELECT ${ID}, ${TIME} FROM ${this.records.name} WHERE ${ID} IN (${ids})${known}`, [
      id,
      time
    ])
  }

  /** A SELECT of the records that are to be forgotten and were never joined with another. */
  lonely(where: string): string {
    const found = this.#found.columns.length === 0 ? '' : ` AND ${ID} NOT IN (SELECT ${ID} FROM ${this.#found.name})`
    return `SELECT * FROM ${this.records.name} WHERE (${where})${found}`
  }

  async forget(where: string | 'all'): Promise<void> {
    if (where === 'all') {
      await this.records.clear()
      await this.#found.clear()
    } else {
      await this.records.expire(where)
      await this.#found.expire(where)
    }
  }

  /** With the types that the columns had first, so that nothing fails once some of it is kept. */
  #select({ sql, columns }: Flow): string {
    const { keys, time } = this.#settings
    const known = new Map(this.columns.map(({ name, type }) => [name.toLowerCase(), type]))
    const list = columns
      .filter(({ type }) => type !== '"NULL"')
      .map(({ name, type }) => `${sqlName(name)}::${known.get(name.toLowerCase()) ?? type} AS ${sqlName(name)}`)
    const latest = latestUs(this.#context.now())
    const hidden = [
      `row_number() OVER () + ${this.#nextId - 1} AS ${ID}`,
      `${fullKeyText(keys, columns)} AS ${KEY}`,
      `${time === undefined ? 'NULL::BIGINT' : timeUs(time, columns, latest)} AS ${TIME}`
    ]
    return `SELECT ${[...hidden, ...list].join(', ')} FROM (${sql})`
  }
}
