import type { DuckDBConnection } from '@duckdb/node-api'
import { toFault } from '../contract/faults.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { type Rejected, ROW } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import { runCounted } from '../duckdb/database.ts'
import { map } from '../nodes/transforms/map.ts'
import { type Caught, recordJson } from '../records/sieve.ts'
import type { RunBooks } from './books.ts'
import { FlowTables, tableFlow } from './flow-tables.ts'
import { isAboutTypes, refusalOf } from './refusals.ts'
import { widened } from './reunion.ts'
import type { SelectNode, Selects } from './selects.ts'
import { orAtFault, outside, type Sifting } from './sifting.ts'
import { givenFlow, type TrackedFlow } from './tracked-flow.ts'

export interface FlowsNeeds {
  readonly database: DuckDBConnection
  readonly schema: string
  readonly books: Pick<RunBooks, 'passed' | 'refused'>
  readonly selects: Selects
  /** Finds records at fault; one for all batches, because it remembers what expressions hold. */
  readonly sifting: Sifting
  /** The columns that nodes speak of, by node. */
  readonly spoken: ReadonlyMap<string, readonly string[]>
}

/** Makes flows of one batch; all its tables go with it. */
export class Flows {
  readonly #needs: FlowsNeeds
  readonly #tables: FlowTables

  constructor(needs: FlowsNeeds) {
    this.#needs = needs
    this.#tables = new FlowTables(needs.database, needs.schema)
  }

  /** The flow after one more node, not run yet; undefined where the node refuses all of it. */
  async through(select: SelectNode, input: TrackedFlow): Promise<TrackedFlow | undefined> {
    const { node, type } = select
    const filtersTwice = type.accounting === 'filters' && input.chain.some((link) => link.type.accounting === 'filters')
    const from = filtersTwice ? await this.materialized(input) : input
    const sql = this.#needs.selects.of(select, from)
    try {
      const columns = await this.#needs.selects.columnsAfter(select, sql, from.columns)
      const rows = type.accounting === 'maps' ? from.rows : undefined
      const numbered = this.#needs.selects.numbered(select, from)
      const chain = [...from.chain, select]
      return { ...from, sql, numbered, columns, rows, maxRows: from.base.rows, table: undefined, chain }
    } catch (error) {
      if (from.base.isLoose !== true || !isAboutTypes(error)) throw error
      await this.refuse(node, from, error)
      return undefined
    }
  }

  /** The result of a node that makes other records of those of its inputs; undefined where the node refuses them. */
  async reshaped(select: SelectNode, inputs: readonly TrackedFlow[]): Promise<TrackedFlow | undefined> {
    const { node, type } = select
    const counted: TrackedFlow[] = []
    for (const flow of inputs) counted.push(flow.rows === undefined ? await this.materialized(flow) : flow)
    const sources = node.inputs.map((id, i) => {
      const { sql, columns } = counted[i] as TrackedFlow
      return { id, from: `(${sql}) AS input`, columns, also: '' }
    })
    const sql = type.select(node.config as never, sources)
    try {
      const all = sources.flatMap((source) => source.columns)
      const columns = await this.#needs.selects.columnsAfter(select, sql, all)
      const { table, rows } = await this.#tables.make(`SELECT *, row_number() OVER () - 1 AS ${ROW} FROM (${sql})`)
      for (const flow of counted) this.settle(flow, flow.rows as number)
      const taken = counted.reduce((sum, flow) => sum + (flow.rows as number), 0)
      this.#needs.books.passed(node, taken, rows, 'reshapes')
      return tableFlow(table, { sql: '', rows, columns, numbered: '' })
    } catch (error) {
      if (!counted.some(({ base }) => base.isLoose === true) || !isAboutTypes(error)) throw error
      for (const flow of counted) await this.refuse(node, flow, error)
      return undefined
    }
  }

  /** The same records in a table; those that can't be computed are rejected, each at its node. */
  async materialized(flow: TrackedFlow): Promise<TrackedFlow> {
    if (flow.table !== undefined) return flow
    try {
      const { table, rows } = await this.#tables.make(flow.numbered)
      this.settle(flow, rows)
      return tableFlow(table, { ...flow.base, rows, columns: flow.columns })
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind !== 'records' || flow.chain.length === 0) throw fault
      return this.cleaned(flow)
    }
  }

  /** Node by node, without the records that can't be computed. */
  async cleaned(flow: TrackedFlow): Promise<TrackedFlow> {
    if (flow.chain.length === 0) return this.materialized(flow)
    const strained = await this.#strained(flow)
    if (strained !== undefined) return strained
    const first = await this.#tables.make(flow.base.numbered)
    let current = tableFlow(first.table, flow.base)
    for (const select of flow.chain) current = await this.#throughCarefully(select, current)
    return current
  }

  /** All records of a flow become dead letters of a node that does not take their types. */
  async refuse(node: PipelineNode, flow: TrackedFlow, error: unknown, inputId?: string): Promise<Rejected[]> {
    const whole = await this.materialized(flow)
    const spoken = this.#needs.spoken.get(node.id) ?? []
    const { code, reason } = refusalOf(toFault(error), whole.columns, spoken)
    const rejected = await this.recordsOf(whole, 'true', (record) => ({ ...record, code, reason }))
    await this.reject(node, whole, rejected, inputId)
    return rejected
  }

  /** Records of a materialized flow, by their `ROW`. */
  async recordsOf<T>(
    { table, columns }: TrackedFlow,
    where: string,
    make: (record: { row: number; record: string; columns: readonly Column[] }) => T
  ): Promise<T[]> {
    const reader = await this.#needs.database.runAndReadAll(
      `SELECT ${ROW}, ${recordJson(columns)} FROM ${table} WHERE ${where} ORDER BY ${ROW}`
    )
    return reader.getRows().map(([row, record]) => make({ row: Number(row), record: String(record), columns }))
  }

  /** Tells the books of records that a node refuses, with where they come from. */
  async reject(
    node: PipelineNode,
    flow: TrackedFlow,
    rejected: readonly (Rejected & { readonly row: number })[],
    inputId?: string
  ): Promise<void> {
    const origins = await flow.base.originsOf?.(rejected.map(({ row }) => row))
    const from = node.inputs.length > 1 && inputId !== undefined ? { inputId } : {}
    const letters = rejected.map(({ row: _row, ...rest }, i): Rejected => ({ ...rest, ...from, origin: origins?.[i] }))
    this.#needs.books.refused(node, letters)
  }

  /** Tells the books once it is known how many records came out at the end of the chain, and how many each node refused. */
  settle(flow: TrackedFlow, rows: number, refused: readonly number[] = []): void {
    let taken = flow.base.rows
    for (const [i, { node, type }] of flow.chain.entries()) {
      taken -= refused[i] ?? 0
      const refusedLater = refused.slice(i + 1).reduce((sum, count) => sum + count, 0)
      const given = type.accounting === 'filters' ? rows + refusedLater : taken
      this.#needs.books.passed(node, taken, given, type.accounting)
      taken = given
    }
  }

  /** The records of a materialized flow for which this holds. */
  async without(flow: TrackedFlow, rows: readonly number[]): Promise<TrackedFlow> {
    if (rows.length === 0) return flow
    const { table, rows: left } = await this.#tables.make(
      `${flow.numbered} WHERE ${ROW} NOT IN (SELECT unnest([${rows.join(', ')}]::BIGINT[]))`
    )
    return tableFlow(table, { ...flow.base, rows: left, columns: flow.columns })
  }

  /** The records of several materialized flows as one, in their order. */
  async united(members: readonly TrackedFlow[], columns: readonly Column[]): Promise<TrackedFlow> {
    const [first] = members as [TrackedFlow]
    if (members.length === 1) return first
    const all = members.map((flow) => widened(flow, columns)).join(' UNION ALL ')
    const { table, rows } = await this.#tables.make(`SELECT * FROM (${all}) ORDER BY ${ROW}`)
    const isLoose = members.some(({ base }) => base.isLoose === true)
    return tableFlow(table, { ...first.base, rows, columns, isLoose })
  }

  /** The records of flows in their order: stretches of one flow, then of another. */
  async alternating(flows: readonly TrackedFlow[]): Promise<TrackedFlow[]> {
    const all = flows.map(({ table }, i) => `SELECT ${ROW}, ${i} AS flow FROM ${table}`).join(' UNION ALL ')
    const reader = await this.#needs.database.runAndReadAll(
      `SELECT any_value(flow), min(${ROW}), max(${ROW}), count(*) FROM (SELECT *, row_number() OVER (ORDER BY ${ROW}) - row_number() OVER (PARTITION BY flow ORDER BY ${ROW}) AS stretch FROM (${all})) GROUP BY flow, stretch ORDER BY 2`
    )
    return (reader.getRows() as [number, bigint, bigint, bigint][]).map(([i, from, to, count]) => {
      const flow = flows[i] as TrackedFlow
      const where = `WHERE ${ROW} BETWEEN ${from} AND ${to}`
      const [sql, numbered] = [`${flow.sql} ${where}`, `${flow.numbered} ${where}`]
      return givenFlow({ ...flow.base, sql, numbered, rows: Number(count), columns: flow.columns })
    })
  }

  get sifting(): Sifting {
    return this.#needs.sifting
  }

  async drop(): Promise<void> {
    await this.#tables.drop()
    await this.#needs.sifting.drop()
  }

  /** Records that a node is given again, with other values in some columns; where those can't be computed, they are refused again. */
  async corrected(
    node: PipelineNode,
    flow: TrackedFlow,
    set: Readonly<Record<string, string>>,
    { before = 'The correction fails: ', columns }: { before?: string; columns?: readonly Column[] } = {}
  ): Promise<TrackedFlow> {
    // The columns that it gives are known by its id, and another correction gives others.
    const id = `${node.id}:set:${JSON.stringify(set)}`
    const select = { node: { ...node, id, config: { select: set, keep: true } }, type: map }
    const { flow: corrected, caught } = await this.#sifted(select, await this.materialized(flow))
    const failed = caught.map((letter) => ({ ...letter, reason: before + letter.reason, ...(columns && { columns }) }))
    await this.reject(node, flow, failed, node.inputs[0])
    return corrected
  }

  /**
   * The same without a copy of the records to look at: those whose casts fail are found where the records are, and all others are
   * put through once. Undefined where that does not explain all that fails.
   */
  async #strained(flow: TrackedFlow): Promise<TrackedFlow | undefined> {
    const { sifting, selects } = this.#needs
    if (flow.chain.some(({ node }) => selects.isOfWhole(node))) return undefined
    const refused: (readonly Caught[])[] = []
    let current: Pick<TrackedFlow, 'sql' | 'numbered' | 'columns'> = flow.base
    for (const select of flow.chain) {
      const found = await sifting.judge(select.type.sql?.(select.node.config as never) ?? [], current)
      refused.push(found?.caught ?? [])
      const left = found === undefined ? '' : ` WHERE ${outside(found.table)}`
      const given = { ...current, numbered: `SELECT * FROM (${current.numbered})${left}` }
      const sql = this.#needs.selects.of(select, current)
      const columns = await this.#needs.selects.columnsAfter(select, sql, current.columns)
      current = { sql, numbered: this.#needs.selects.numbered(select, given), columns }
    }
    if (refused.every((caught) => caught.length === 0)) return undefined
    const made = await orAtFault(() => this.#tables.make(current.numbered))
    if (made === undefined) return undefined
    for (const [i, { node }] of flow.chain.entries()) await this.reject(node, flow, refused[i] ?? [])
    const counts = refused.map((caught) => caught.length)
    this.settle(flow, made.rows, counts)
    return tableFlow(made.table, { ...flow.base, rows: made.rows, columns: current.columns })
  }

  async #throughCarefully(select: SelectNode, input: TrackedFlow): Promise<TrackedFlow> {
    const { node, type } = select
    const { flow, caught } = await this.#sifted(select, input)
    await this.reject(node, input, caught)
    this.#needs.books.passed(node, (input.rows as number) - caught.length, flow.rows as number, type.accounting)
    return flow
  }

  async #sifted(select: SelectNode, input: TrackedFlow): Promise<{ flow: TrackedFlow; caught: readonly Caught[] }> {
    const { node, type } = select
    const { database } = this.#needs
    const columns = await this.#needs.selects.columnsAfter(select, this.#needs.selects.of(select, input), input.columns)
    const table = this.#tables.newName()
    await database.run(
      `CREATE TABLE ${table} AS SELECT * FROM (${this.#needs.selects.numbered(select, input)}) LIMIT 0`
    )
    const put = (where: string) =>
      runCounted(
        database,
        `INSERT INTO ${table} ${this.#needs.selects.numbered(select, { ...input, numbered: `${input.numbered} WHERE ${where}` })}`
      )
    const parts = type.sql?.(node.config as never) ?? []
    const { given, caught, isInOrder } = await this.#needs.sifting.sift(
      parts,
      input as TrackedFlow & { table: string },
      put
    )
    const base = { ...input.base, rows: given, columns }
    if (isInOrder) return { flow: tableFlow(table, base), caught }
    const sorted = await this.#tables.make(`SELECT * FROM ${table} ORDER BY ${ROW}`)
    return { flow: tableFlow(sorted.table, base), caught }
  }
}
