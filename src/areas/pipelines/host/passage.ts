import type { DuckDBConnection } from '@duckdb/node-api'
import type { Column, NodeType, PipelineNode, SelectType, StatefulType } from '../nodes/node-type.ts'
import { type JsonRecord, makeRecordsTable } from '../nodes/records-table.ts'
import type { Sink, Wrote } from '../nodes/sink.ts'
import type { Batch } from '../nodes/source.ts'
import type { Steps } from '../nodes/steps.ts'
import { bisect } from './bisect.ts'
import { countConsumers, type RunBooks } from './books.ts'
import { emptySelect, typedAs } from './columns.ts'
import { at, toFault } from './faults.ts'
import { Flows, type TrackedFlow } from './flows.ts'
import { tableName } from './state-table.ts'

const MAX_KNOWN_SHAPES = 1000

export interface PassageNeeds {
  readonly order: readonly PipelineNode[]
  readonly types: ReadonlyMap<string, NodeType>
  readonly database: DuckDBConnection
  readonly schema: string
  readonly books: RunBooks
  readonly steps: ReadonlyMap<string, Steps>
  readonly sinks: ReadonlyMap<string, Sink>
  /** Does what a sink has to do, again where that may help; what it throws names the node. */
  retried<T>(node: PipelineNode, work: () => Promise<T>): Promise<T>
  readonly signal: AbortSignal
  /** Looks on, for a dry run. */
  see?(node: PipelineNode, flow: TrackedFlow): Promise<void>
}

export interface Epoch {
  /** At most one for each source. */
  readonly batches: ReadonlyMap<string, Batch>
  /** Sources that give nothing more. */
  readonly ended: ReadonlySet<string>
  readonly epoch: number
}

/** Of one batch of each source, or of records that come again. */
interface Way {
  readonly flows: Flows
  readonly out: Map<string, TrackedFlow>
  readonly over: Set<string>
  readonly epoch: number
  readonly replay: { readonly nodeId: string; readonly flow: TrackedFlow } | undefined
}

/** The way of batches through the graph, node after node. */
export class Passage {
  readonly #needs: PassageNeeds
  readonly #consumers: ReadonlyMap<string, number>
  /** Columns by node and those of its input; a new one begins where records come in ever new shapes. */
  #known = new Map<string, readonly Column[]>()
  /** The columns that the inputs of nodes had last, for batches in which one of several inputs has nothing. */
  readonly #lastColumns = new Map<string, readonly Column[]>()

  constructor(needs: PassageNeeds) {
    this.#needs = needs
    this.#consumers = countConsumers(needs.order)
  }

  async put({ batches, ended, epoch }: Epoch): Promise<void> {
    if (this.#known.size > MAX_KNOWN_SHAPES) this.#known = new Map()
    const { database, schema, books } = this.#needs
    const rounds = Math.max(1, ...[...batches.values()].map(({ parts }) => parts.length))
    for (let round = 0; round < rounds; round++) {
      const flows = new Flows(database, schema, books, this.#known)
      const given = [...batches].flatMap(([id, { parts }]) => {
        const part = parts[round]
        return part === undefined ? [] : [[id, flows.given(part.sql, part.rows, part.columns)] as const]
      })
      const over = new Set(round === rounds - 1 ? ended : [])
      await this.#through({ flows, out: new Map(given), over, epoch, replay: undefined })
    }
  }

  /** Puts records in at a node in the middle, as if they came from its first input. */
  async replay(nodeId: string, records: readonly JsonRecord[], epoch: number): Promise<void> {
    const { order, database, schema, books } = this.#needs
    const [inputId = ''] = order.find((node) => node.id === nodeId)?.inputs ?? []
    const name = `replay:${epoch}`
    const columns = await makeRecordsTable(database, { schema, name }, records)
    const flows = new Flows(database, schema, books, this.#known)
    const typed = typedAs(this.#lastColumns.get(inputId) ?? [], columns)
    const table = tableName(schema, name)
    const flow = flows.given(`SELECT ${typed.list} FROM ${table}`, records.length, typed.columns)
    await this.#through({ flows, out: new Map(), over: new Set(), epoch, replay: { nodeId, flow } })
    await database.run(`DROP TABLE ${table}`)
  }

  /** What each node gave last. */
  columns(): Record<string, readonly Column[]> {
    return Object.fromEntries(this.#lastColumns)
  }

  async #through(way: Way): Promise<void> {
    const { flows, out, over } = way
    try {
      for (const node of this.#needs.order) {
        if (!out.has(node.id)) await named(node, () => this.#pass(node, way))
        const flow = out.get(node.id)
        if (flow !== undefined) out.set(node.id, await this.#shared(node, flow, flows))
        if (node.inputs.length > 0 && node.inputs.every((id) => over.has(id))) over.add(node.id)
      }
    } finally {
      await flows.drop().catch(() => {}) // where it was interrupted; the schema goes with the run
    }
  }

  /** What goes to several nodes is computed once. */
  async #shared(node: PipelineNode, flow: TrackedFlow, flows: Flows): Promise<TrackedFlow> {
    this.#lastColumns.set(node.id, flow.columns)
    const isShared = (this.#consumers.get(node.id) ?? 0) > 1 || this.#needs.see !== undefined
    const kept = isShared ? await named(node, () => flows.materialized(flow)) : flow
    await this.#needs.see?.(node, kept)
    return kept
  }

  async #pass(node: PipelineNode, { flows, out, over, epoch, replay }: Way): Promise<void> {
    const type = this.#needs.types.get(node.id)
    const isReplayed = replay?.nodeId === node.id
    const inputs = node.inputs.map((id, i) => (isReplayed && i === 0 ? replay.flow : out.get(id)))
    if (type?.role === 'sink') {
      for (const flow of inputs) if (flow !== undefined) await this.#write(node, flow, flows, epoch)
      return
    }
    if (type?.role !== 'transform') return
    if ('open' in type) {
      const flow = await this.#step(node, type, inputs, over, flows)
      if (flow !== undefined) out.set(node.id, flow)
      return
    }
    if (inputs.every((flow) => flow === undefined)) return
    out.set(node.id, await this.#select(node, type, inputs, flows))
  }

  async #select(node: PipelineNode, type: SelectType, inputs: readonly (TrackedFlow | undefined)[], flows: Flows) {
    if (type.accounting !== 'reshapes') return flows.through({ node, type }, inputs[0] as TrackedFlow)
    const all = inputs.map((flow, i) => {
      const columns = this.#lastColumns.get(node.inputs[i] as string) ?? [{ name: 'nothing', type: 'VARCHAR' }]
      return flow ?? flows.given(emptySelect(columns), 0, columns)
    })
    return flows.reshaped({ node, type }, all)
  }

  async #step(
    node: PipelineNode,
    type: StatefulType,
    given: readonly (TrackedFlow | undefined)[],
    over: ReadonlySet<string>,
    flows: Flows
  ) {
    const { steps, books, signal } = this.#needs
    const ended = node.inputs.map((id) => over.has(id))
    if (given.every((flow) => flow === undefined) && !ended.some(Boolean)) return undefined
    const run = steps.get(node.id) as Steps
    let inputs = given
    const stepped = await run.step({ inputs, ended, signal }).catch(async (error) => {
      const fault = toFault(error)
      if (fault.kind !== 'records') throw fault
      inputs = await Promise.all(given.map((flow, i) => flow && this.#probed(node, run, i, flow, flows)))
      return run.step({ inputs, ended, signal })
    })
    for (const [i, flow] of inputs.entries()) if (flow !== undefined) flows.settle(flow, stepped.taken[i] as number)
    books.stepped(node, type.accounting, stepped)
    return stepped.output === undefined
      ? undefined
      : flows.given(stepped.output.sql, stepped.given, stepped.output.columns)
  }

  /** The records of a flow with which the step does not fail. */
  async #probed(node: PipelineNode, run: Steps, input: number, flow: TrackedFlow, flows: Flows): Promise<TrackedFlow> {
    const { database, books } = this.#needs
    const clean = await flows.materialized(flow.chain.length > 0 ? await flows.cleaned(flow) : flow)
    const table = clean.table as string
    const { rejected, rows } = await bisect(database, table, clean.rows as number, (sql) =>
      run.probe(input, { sql, columns: clean.columns, rows: undefined })
    )
    if (rows.length === 0) return clean
    books.rejected(node, rejected)
    await database.run(`DELETE FROM ${table} WHERE rowid IN (${rows.join(', ')})`)
    const left = (clean.rows as number) - rows.length
    return { ...flows.given(clean.sql, left, clean.columns), table }
  }

  async #write(node: PipelineNode, flow: TrackedFlow, flows: Flows, epoch: number): Promise<void> {
    const { sinks, books, signal, retried, see } = this.#needs
    const sink = sinks.get(node.id) as Sink
    await see?.(node, flow)
    let written = flow
    const wrote = await retried(node, () => sink.write(flow, { epoch, signal })).catch(async (error) => {
      const fault = toFault(error)
      if (fault.kind !== 'records') throw fault
      written = await flows.materialized(flow.chain.length > 0 ? await flows.cleaned(flow) : flow)
      return this.#writeCarefully(node, written, epoch)
    })
    flows.settle(written, wrote.taken)
    books.rejected(node, wrote.rejected)
    books.written(node, wrote.written)
  }

  async #writeCarefully(node: PipelineNode, flow: TrackedFlow, epoch: number): Promise<Wrote> {
    const { database, signal, sinks, retried } = this.#needs
    const sink = sinks.get(node.id) as Sink
    const rows = flow.rows as number
    let written = 0
    const more: Wrote['rejected'][number][] = []
    const { rejected } = await bisect(database, flow.table as string, rows, async (sql) => {
      const part = { sql, columns: flow.columns, rows: undefined }
      const wrote = await retried(node, () => sink.write(part, { epoch, signal }))
      written += wrote.written
      more.push(...wrote.rejected)
    })
    return { taken: rows, written, rejected: [...rejected, ...more] }
  }
}

async function named<T>(node: PipelineNode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw at(node, error)
  }
}
