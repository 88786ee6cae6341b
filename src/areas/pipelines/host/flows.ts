import type { DuckDBConnection } from '@duckdb/node-api'
import type { Column, PipelineNode, SelectType } from '../nodes/node-type.ts'
import type { Rejected } from '../nodes/source.ts'
import type { Flow } from '../nodes/steps.ts'
import { bisect } from './bisect.ts'
import { columnsOf, signatureOf } from './columns.ts'
import { runCounted } from './database.ts'
import { toFault } from './faults.ts'
import { tableName } from './state-table.ts'

export interface SelectNode {
  readonly node: PipelineNode
  readonly type: SelectType
}

/** What nodes are told of the records that went through them. */
export interface Books {
  passed(node: PipelineNode, taken: number, given: number, accounting: SelectType['accounting']): void
  rejected(node: PipelineNode, records: readonly Rejected[]): void
}

/**
 * Records as a SELECT over a table (or files) whose count is known, through nodes that map each record to one and at most one
 * that filters. So many nodes cost as much as one statement, and once the result is counted, all of them are.
 */
export interface TrackedFlow extends Flow {
  readonly base: { readonly sql: string; readonly rows: number; readonly columns: readonly Column[] }
  /** The table that holds exactly these records, where there is one. */
  readonly table: string | undefined
  readonly chain: readonly SelectNode[]
}

/** Makes flows of one batch; all its tables go with it. */
export class Flows {
  readonly #database: DuckDBConnection
  readonly #schema: string
  readonly #books: Books
  /** Columns by node and the columns it was given; they never change while the pipeline runs. */
  readonly #known: Map<string, readonly Column[]>
  readonly #tables: string[] = []
  #made = 0

  constructor(database: DuckDBConnection, schema: string, books: Books, known: Map<string, readonly Column[]>) {
    this.#database = database
    this.#schema = schema
    this.#books = books
    this.#known = known
  }

  /** Records that are there to be read as often as wanted. */
  given(sql: string, rows: number, columns: readonly Column[]): TrackedFlow {
    return { sql, columns, rows, maxRows: rows, base: { sql, rows, columns }, table: undefined, chain: [] }
  }

  /** The flow after one more node, not run yet. */
  async through(select: SelectNode, input: TrackedFlow): Promise<TrackedFlow> {
    const { node, type } = select
    const filtersTwice = type.accounting === 'filters' && input.chain.some((link) => link.type.accounting === 'filters')
    const from = filtersTwice ? await this.materialized(input) : input
    const sql = this.#selectOf(select, from)
    const columns = await this.#columnsAfter(node, sql, from.columns)
    const rows = type.accounting === 'maps' ? from.rows : undefined
    const maxRows = from.base.rows
    return { sql, columns, rows, maxRows, base: from.base, table: undefined, chain: [...from.chain, select] }
  }

  /** The result of a node that makes other records of those of its inputs. */
  async reshaped(select: SelectNode, inputs: readonly TrackedFlow[]): Promise<TrackedFlow> {
    const { node, type } = select
    const counted = await Promise.all(inputs.map((flow) => (flow.rows === undefined ? this.materialized(flow) : flow)))
    for (const flow of counted) this.settle(flow, flow.rows as number)
    const sources = node.inputs.map((id, i) => ({
      id,
      from: fromOf(counted[i] as TrackedFlow),
      columns: counted[i]?.columns ?? []
    }))
    const sql = type.select(node.config as never, sources)
    const columns = await this.#columnsAfter(
      node,
      sql,
      sources.flatMap((source) => source.columns)
    )
    const { table, rows } = await this.#makeTable(sql)
    this.#books.passed(
      node,
      counted.reduce((sum, flow) => sum + (flow.rows as number), 0),
      rows,
      'reshapes'
    )
    return { ...this.given(`SELECT * FROM ${table}`, rows, columns), table }
  }

  /** The same records in a table; those that can't be computed are rejected, each at its node. */
  async materialized(flow: TrackedFlow): Promise<TrackedFlow> {
    if (flow.table !== undefined) return flow
    try {
      const { table, rows } = await this.#makeTable(flow.sql)
      this.settle(flow, rows)
      return { ...this.given(`SELECT * FROM ${table}`, rows, flow.columns), table }
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind !== 'records' || flow.chain.length === 0) throw fault
      return this.cleaned(flow)
    }
  }

  /** Node by node and, where need be, record by record. */
  async cleaned(flow: TrackedFlow): Promise<TrackedFlow> {
    const { sql, rows, columns } = flow.base
    const first = await this.#makeTable(sql)
    let current: TrackedFlow = { ...this.given(`SELECT * FROM ${first.table}`, rows, columns), table: first.table }
    for (const select of flow.chain) current = await this.#throughCarefully(select, current)
    return current
  }

  /** Tells the books once it is known how many records came out at the end of the chain. */
  settle(flow: TrackedFlow, rows: number): void {
    let taken = flow.base.rows
    for (const { node, type } of flow.chain) {
      const given = type.accounting === 'filters' ? rows : taken
      this.#books.passed(node, taken, given, type.accounting)
      taken = given
    }
  }

  async drop(): Promise<void> {
    for (const table of this.#tables.splice(0)) await this.#database.run(`DROP TABLE IF EXISTS ${table}`)
  }

  async #throughCarefully(select: SelectNode, input: TrackedFlow): Promise<TrackedFlow> {
    const { node, type } = select
    const rows = input.rows as number
    const columns = await this.#columnsAfter(node, this.#selectOf(select, input), input.columns)
    const table = this.#newTable()
    await this.#database.run(`CREATE TABLE ${table} AS SELECT * FROM (${this.#selectOf(select, input)}) LIMIT 0`)
    let given = 0
    const { rejected } = await bisect(this.#database, input.table as string, rows, async (part) => {
      const sql = this.#selectOf(select, { ...input, sql: part })
      given += await runCounted(this.#database, `INSERT INTO ${table} ${sql}`)
    })
    this.#books.rejected(node, rejected)
    this.#books.passed(node, rows - rejected.length, given, type.accounting)
    return { ...this.given(`SELECT * FROM ${table}`, given, columns), table }
  }

  #selectOf({ node, type }: SelectNode, input: TrackedFlow): string {
    const [id = ''] = node.inputs
    return type.select(node.config as never, [{ id, from: fromOf(input), columns: input.columns }])
  }

  async #columnsAfter(node: PipelineNode, sql: string, given: readonly Column[]): Promise<readonly Column[]> {
    const key = `${node.id}\n${signatureOf(given)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const columns = await columnsOf(this.#database, sql)
    this.#known.set(key, columns)
    return columns
  }

  async #makeTable(sql: string): Promise<{ table: string; rows: number }> {
    const table = this.#newTable()
    const rows = await runCounted(this.#database, `CREATE TABLE ${table} AS ${sql}`)
    return { table, rows }
  }

  #newTable(): string {
    this.#made += 1
    const table = tableName(this.#schema, `flow_${this.#made}`)
    this.#tables.push(table)
    return table
  }
}

const fromOf = (flow: Flow): string => `(${flow.sql})`
