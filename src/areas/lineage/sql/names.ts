import { folded } from '../../../engines/sql-lineage/index.ts'
import { invalidField } from '../../../errors.ts'
import { isFit, MAX_NAME_BYTES } from '../openlineage/limits.ts'
import { datasetReference, jobReference, parseNode } from '../references.ts'
import { MAX_COLUMNS, type SqlQuestion } from './schema.ts'

interface Table {
  readonly name: string
  readonly reference: string | null
  readonly columns: readonly string[] | null
}

/** What the tables of a statement are in the lineage. A statement may also read what it `writes`. */
export interface TableNames {
  /** Those that are known before the statement is read. */
  readonly tables: readonly Table[]
  /** Null where it is not known. */
  referenceOf(table: string, writes: string | null): string | null
  /** Null where nobody has said it. */
  columnsOf(table: string, writes: string | null): readonly string[] | null
  /** The reference of what is written: null is the result of a query. */
  targetOf(table: string | null): string | null
  /** Completes "The table, …": why it has no reference. */
  readonly unnamed: string
}

/** What the tables of a statement are, as far as the caller says. */
export class Names implements TableNames {
  readonly unnamed = 'whose name is too long to record'

  readonly #tables: ReadonlyMap<string, Table>
  readonly #namespace: string | undefined
  readonly #output: SqlQuestion['output']

  /** Throws a `Problem` where the caller names what can't be. */
  constructor({ tables = {}, output, job }: SqlQuestion) {
    const entries = Object.entries(tables)
    const count = entries.reduce((sum, [, { columns = [] }]) => sum + columns.length, output?.columns?.length ?? 0)
    if (count > MAX_COLUMNS) throw invalidField('/tables', `must have at most ${MAX_COLUMNS} columns together`)
    for (const [name, { reference, columns = [] }] of entries) {
      const pointer = `/tables/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (reference !== undefined) requireData(reference, `${pointer}/reference`)
      requireNames(columns, `${pointer}/columns`)
    }
    if (output !== undefined) requireData(output.reference, '/output/reference')
    requireNames(output?.columns ?? [], '/output/columns')
    if (job !== undefined) requireJob(job)
    this.#tables = new Map(
      entries.map(([name, { reference = null, columns = null }]) => [folded(name), { name, reference, columns }])
    )
    this.#output = output
    this.#namespace = job?.namespace
  }

  /** All tables that the caller has named. */
  get tables(): readonly Table[] {
    return [...this.#tables.values()]
  }

  columnsOf(table: string, writes: string | null): readonly string[] | null {
    return (table === writes ? this.#output?.columns : undefined) ?? this.#tables.get(folded(table))?.columns ?? null
  }

  /** Null where it was not said, and where the name is too long for a reference. */
  referenceOf(table: string, writes: string | null): string | null {
    if (table === writes && this.#output !== undefined) return this.#output.reference
    const given = this.#tables.get(folded(table))?.reference
    if (given != null) return given
    if (this.#namespace === undefined || !isFit(table)) return null
    const reference = datasetReference(this.#namespace, table)
    return 'problem' in parseNode(reference) ? null : reference
  }

  targetOf(table: string | null): string | null {
    return this.#output?.reference ?? (table === null ? null : this.referenceOf(table, table))
  }
}

const UNFIT = `must have at most ${MAX_NAME_BYTES} bytes in UTF-8`

function requireData(reference: string, pointer: string): void {
  const parsed = parseNode(reference)
  if ('problem' in parsed) throw invalidField(pointer, parsed.problem)
  if (parsed.kind === 'job') throw invalidField(pointer, 'must be data, and not a job')
}

function requireNames(columns: readonly string[], pointer: string): void {
  const place = columns.findIndex((name) => !isFit(name))
  if (place !== -1) throw invalidField(`${pointer}/${place}`, UNFIT)
}

function requireJob({ namespace, name }: NonNullable<SqlQuestion['job']>): void {
  if (!isFit(namespace)) throw invalidField('/job/namespace', UNFIT)
  if (!isFit(name)) throw invalidField('/job/name', UNFIT)
  const parsed = parseNode(jobReference(namespace, name))
  if ('problem' in parsed) throw invalidField('/job', `makes a reference that ${parsed.problem}`)
}
