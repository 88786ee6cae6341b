import type { DataPlane } from '../../../data/plane.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { KnownTables, StatementLineage } from '../../../engines/sql-lineage/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Above, lowering, notTaken, withoutColumns, writtenIn } from '../columns/lowering.ts'
import type { Lineage } from '../lineage.ts'
import { jobReference } from '../references.ts'
import { knownColumns } from './known-columns.ts'
import { Names, type TableNames } from './names.ts'
import { type Asked, StatementReader } from './reader.ts'
import { MAX_COLUMNS, type SqlAnswer, type SqlQuestion, type SqlRecord } from './schema.ts'
import { sightingOf } from './sighting.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly plane: Pick<DataPlane, 'lineage'>
  readonly lineage: Lineage
  /** Who may see what. */
  classification(): Promise<Above>
}

/** What is said at most of what was left out. */
const MOST_REPORTS = 100

/** Statements that callers send to have them read. */
export class SqlStatements {
  readonly #needs: Needs
  readonly #reader: StatementReader

  constructor(needs: Needs) {
    this.#needs = needs
    this.#reader = new StatementReader(needs.plane)
  }

  async ask(body: SqlQuestion, signal: AbortSignal): Promise<SqlAnswer> {
    const names = new Names(body)
    return answerOf(await this.#readNamed(body, names, signal), names)
  }

  /** Tells the lineage what the statement does, as a run of its job. */
  async record(actor: Actor, body: SqlRecord, signal: AbortSignal): Promise<SqlAnswer> {
    const { metadata, clock, makeId, lineage, classification } = this.#needs
    const names = new Names(body)
    const read = await this.#readNamed(body, names, signal)
    const run = { id: body.runId ?? makeId('run'), timeMs: clock.now(), state: 'completed', isWhole: true } as const
    const job = jobReference(body.job.namespace, body.job.name)
    const { sighting, leftOut } = sightingOf(read, names, { job, run, who: actor.id })
    if (sighting === undefined) return answerOf(read, names)
    const left = await lowering(metadata.db, classification, actor, writtenIn(sighting))
    const { kept, gone } = withoutColumns(sighting, left)
    await metadata.transaction((tx) => lineage.saw(tx, [kept]))
    const news = [...new Set([...gone.map(notTaken), ...leftOut])].slice(0, MOST_REPORTS).map((what) => ({ what }))
    const notUnderstood = [...read.notUnderstood, ...news]
    return { ...answerOf({ ...read, notUnderstood }, names), recorded: true, runId: run.id }
  }

  close(): Promise<void> {
    return this.#reader.close()
  }

  async #readNamed({ sql, dialect = 'duckdb', output }: SqlQuestion, names: Names, signal: AbortSignal) {
    const read = await this.read({ sql, dialect, signal }, names)
    return output?.columns === undefined ? read : withNames(read, output.columns)
  }

  /** A second time where the statement names tables whose columns are known here, though the caller has not named them. */
  async read({ sql, dialect, signal }: Omit<Asked, 'known'>, names: TableNames): Promise<StatementLineage> {
    const known = await this.#columnsOf(
      names.tables.map(({ name, columns }) => [name, columns]),
      names,
      MAX_COLUMNS
    )
    const first = await this.#reader.read({ sql, dialect, known, signal })
    const { reads, writes } = first
    const more: [string, readonly string[] | null][] = reads
      .filter((table) => table !== writes && !Object.hasOwn(known, table))
      .map((table) => [table, names.columnsOf(table, writes)])
    const isOpen = writes !== null && !Object.hasOwn(known, writes)
    if (isOpen) more.push([writes, names.columnsOf(writes, writes)])
    const count = Object.values(known).reduce((sum, columns) => sum + columns.length, 0)
    const others = await this.#columnsOf(more, names, MAX_COLUMNS - count, writes)
    const all = { ...known, ...others }
    return Object.keys(others).length === 0 ? first : this.#reader.read({ sql, dialect, known: all, signal })
  }

  /** Of tables with columns that may be given; of the others, those that the lineage knows. */
  async #columnsOf(
    tables: readonly (readonly [name: string, columns: readonly string[] | null])[],
    names: TableNames,
    most: number,
    writes: string | null = null
  ): Promise<KnownTables> {
    const referenceOf = (name: string) => names.referenceOf(name, writes)
    const references = tables.flatMap(([name, columns]) => (columns === null ? (referenceOf(name) ?? []) : []))
    const found = references.length === 0 ? new Map() : await knownColumns(this.#needs.metadata, references, most)
    return Object.fromEntries(
      tables.flatMap(([name, given]) => {
        const columns = given ?? found.get(referenceOf(name))
        return columns === undefined ? [] : [[name, columns]]
      })
    )
  }
}

/** The columns of a query, by the names that they have where it goes. */
function withNames(read: StatementLineage, columns: readonly string[]): StatementLineage {
  const { writes, outputs, notUnderstood } = read
  if (writes !== null || outputs.length === 0) return read
  if (outputs.length === columns.length)
    return { ...read, outputs: outputs.map(({ from }, place) => ({ name: columns[place] as string, from })) }
  const what = `The columns of the output: ${columns.length} are named, and the query has ${outputs.length}.`
  return { ...read, notUnderstood: [...notUnderstood, { what }] }
}

function answerOf({ reads, writes, outputs, rows, notUnderstood }: StatementLineage, names: Names): SqlAnswer {
  const reference = names.targetOf(writes)
  return {
    reads: reads.map((table) => ({ table, reference: names.referenceOf(table, writes) })),
    writes: writes === null && reference === null ? null : { table: writes, reference },
    columns: outputs.map(({ name, from }) => ({ name, from: [...from] })),
    rows: [...rows],
    notUnderstood: [...notUnderstood],
    recorded: false,
    runId: null
  }
}
