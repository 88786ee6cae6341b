import { createHash } from 'node:crypto'
import { DataError, type DataErrorCode } from '../../../data/errors.ts'
import type { DataPlane } from '../../../data/plane.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { BoundedMap } from '../../../engines/bounded-map.ts'
import type { StatementLineage } from '../../../engines/sql-lineage/index.ts'
import type { TargetLineage, TargetRun } from '../../../schedule-target.ts'
import { type ColumnMapping, isFit, isNode, mappingsOf } from '../../lineage/index.ts'
import { keyPattern, type SqlTargetConfig } from './sql-config.ts'

/** Mappings of one statement. Of one with more, only the data are told. */
const MAX_MAPPINGS = 10_000
/** Mappings that are remembered, of all statements together; each statement counts as one more. */
const MAX_REMEMBERED = 100_000

/** What a statement does to the process that reads it. */
const BROKEN: ReadonlySet<DataErrorCode> = new Set(['sql_error', 'out_of_memory', 'process_died'])

type Statements = Pick<DataPlane, 'lineage' | 'describe'>
/** What a run tells of its lineage, once the columns of its result are known. */
export type LineageOf = (columns: readonly DataColumn[]) => Promise<TargetLineage>

/** The columns that a statement had last, and where they came from. */
interface Remembered {
  readonly names: string
  readonly mappings: readonly ColumnMapping[]
}

type Read = () => Promise<StatementLineage | undefined>
type Config = Pick<SqlTargetConfig, 'sql' | 'relations' | 'into'>

/**
 * Which columns of what a schedule writes come from which. A statement is read, in a process of its own, when it or the columns
 * of its result are new; runs after that cost nothing.
 */
export class StatementWays {
  readonly #plane: Statements
  readonly #remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED, ({ mappings }) => mappings.length + 1)

  constructor(plane: Statements) {
    this.#plane = plane
  }

  /** Reads a statement that is new before its query runs: a query that waited for another could wait for itself. */
  async begin(run: Pick<TargetRun, 'config' | 'signal' | 'log'>): Promise<LineageOf> {
    const config = run.config as unknown as Config
    const read = () => this.#read(config, run.signal)
    if (this.#remembered.has(keyOf(config))) return (columns) => this.#lineageOf(run, columns, read)
    const first = await read().then(
      (lineage) => async () => lineage,
      (error) => async () => {
        throw error
      }
    )
    return (columns) => this.#lineageOf(run, columns, first)
  }

  async #lineageOf(
    run: Pick<TargetRun, 'config' | 'log'>,
    columns: readonly DataColumn[],
    read: Read
  ): Promise<TargetLineage> {
    const config = run.config as unknown as Config
    const inputs = [...new Set(Object.values(config.relations))].filter(isNode).map((reference) => ({ reference }))
    const target = `object://${config.into.bucket}/${keyPattern(config.into.key)}`
    const outputs = isNode(target)
      ? [{ reference: target, columns: columns.map(({ name, type }) => ({ name, type })) }]
      : []
    try {
      const mappings = outputs.length === 0 ? [] : await this.#mappings(config, target, columns, read)
      return { inputs, outputs, columns: mappings, isWhole: true }
    } catch (error) {
      // The rows are written, and the next run may read the statement.
      run.log(`Which columns come from which is not known this time: ${(error as Error).message}`)
      return { inputs, outputs, columns: [], isWhole: false }
    }
  }

  async #mappings(
    config: Config,
    target: string,
    columns: readonly DataColumn[],
    read: Read
  ): Promise<readonly ColumnMapping[]> {
    const names = columns.map(({ name }) => name)
    const key = keyOf(config)
    const known = this.#remembered.get(key)
    const isKnown = known !== undefined && known.names === JSON.stringify(names)
    const mappings = isKnown ? known.mappings : mappingsIn(await read(), config.relations, target, names)
    this.#remembered.set(key, { names: JSON.stringify(names), mappings })
    return mappings
  }

  /** A second time where it can't be understood without the columns of what it reads. */
  async #read({ sql, relations }: Config, signal: AbortSignal): Promise<StatementLineage | undefined> {
    try {
      const first = await this.#plane.lineage({ sql, known: {}, signal })
      if (first.notUnderstood.length === 0) return first
      const known: [table: string, columns: readonly string[]][] = []
      for (const table of first.reads) {
        const reference = referenceIn(relations, table)
        if (reference === undefined) continue
        known.push([table, (await this.#plane.describe(reference, signal)).map(({ name }) => name)])
      }
      if (known.length === 0) return first
      return await this.#plane.lineage({ sql, known: Object.fromEntries(known), signal })
    } catch (error) {
      if (error instanceof DataError && BROKEN.has(error.code)) return undefined
      throw error
    }
  }
}

const keyOf = ({ sql, relations, into }: Config): string =>
  createHash('sha256')
    .update(JSON.stringify([sql, relations, into.bucket, into.key]))
    .digest('base64url')

/** What is not understood may come from all that is read. */
function mappingsIn(
  read: StatementLineage | undefined,
  relations: Config['relations'],
  target: string,
  names: readonly string[]
): ColumnMapping[] {
  const references = [...new Set(Object.values(relations))].filter(isNode)
  const fromAll = (to: string | null, kind: 'computed' | 'filtered') =>
    references.map((reference): ColumnMapping => {
      return { from: { reference, column: null }, to: { reference: target, column: to }, kind }
    })
  const understood =
    read && mappingsOf(withNames(read, names), (table) => referenceIn(relations, table), target).columns
  const isAll = read !== undefined && read.notUnderstood.length === 0
  const rest = isAll
    ? []
    : [...names.filter(isFit).flatMap((name) => fromAll(name, 'computed')), ...fromAll(null, 'filtered')]
  const mappings = [...(understood ?? []), ...rest]
  return mappings.length > MAX_MAPPINGS ? fromAll(null, 'computed') : mappings
}

/** By the names that the columns of the result have, some of which the database has made up. */
function withNames(read: StatementLineage, names: readonly string[]): StatementLineage {
  if (read.outputs.length !== names.length) return read
  return { ...read, outputs: read.outputs.map(({ from }, place) => ({ name: names[place] as string, from })) }
}

/** Relations are named as tables are: case does not matter. */
function referenceIn(relations: Config['relations'], table: string): string | undefined {
  const found = Object.entries(relations).find(([name]) => name.toLowerCase() === table.toLowerCase())?.[1]
  return found !== undefined && isNode(found) ? found : undefined
}
