import type { DuckDBConnection } from '@duckdb/node-api'
import { at } from '../contract/faults.ts'
import type { NodeType, PipelineNode, SelectType, StatefulType } from '../contract/node-type.ts'
import type { Sink } from '../contract/sink.ts'
import type { Batch, BatchPart, Rejected } from '../contract/source.ts'
import { tableName } from '../contract/state-table.ts'
import type { Steps } from '../contract/steps.ts'
import { type Column, emptySelect } from '../duckdb/columns.ts'
import { castsTo } from '../records/told-columns.ts'
import { countConsumers, type RunBooks } from './books.ts'
import { withoutFaults } from './failed-step.ts'
import { Flows } from './flows.ts'
import { reunited } from './reunion.ts'
import { Selects } from './selects.ts'
import { Sifting } from './sifting.ts'
import { givenFlow, type TrackedFlow } from './tracked-flow.ts'
import { Writing } from './writing.ts'

export interface PassageNeeds {
  readonly order: readonly PipelineNode[]
  readonly types: ReadonlyMap<string, NodeType>
  readonly database: DuckDBConnection
  readonly schema: string
  readonly books: RunBooks
  readonly steps: ReadonlyMap<string, Steps>
  readonly sinks: ReadonlyMap<string, Sink>
  /** The columns that nodes speak of, by node. */
  readonly spoken: ReadonlyMap<string, readonly string[]>
  /** Does what a sink has to do, again where that may help; what it throws names the node. */
  retried<T>(node: PipelineNode, work: () => Promise<T>): Promise<T>
  readonly signal: AbortSignal
  /** A node has given records with these columns. */
  noteColumns(nodeId: string, columns: readonly Column[]): void
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

/** Records that are put in at a node in the middle, as if they came from one of its inputs. */
export interface PutIn {
  readonly nodeId: string
  readonly inputId: string
  readonly part: BatchPart
  /** What columns are to hold instead: SQL expressions of the records as they were. */
  readonly set?: Readonly<Record<string, string>> | undefined
}

/** What is on its way through the graph: one batch of each source, or records that come again. */
interface Way {
  readonly flows: Flows
  /** What each node gave: several flows where records differ in the types of their columns. */
  readonly out: Map<string, readonly TrackedFlow[]>
  readonly over: Set<string>
  readonly epoch: number
  readonly again: { readonly nodeId: string; readonly inputId: string; readonly flow: TrackedFlow } | undefined
}

/** The way of batches through the graph, node after node. */
export class Passage {
  readonly #needs: PassageNeeds
  readonly #consumers: ReadonlyMap<string, number>
  readonly #sifting: Sifting
  readonly #writing: Writing
  readonly #selects: Selects
  /** The columns that the inputs of nodes had last, for batches in which one of several inputs has nothing. */
  readonly #lastColumns = new Map<string, readonly Column[]>()
  /** The node that has the records now. */
  busy: PipelineNode | undefined

  constructor(needs: PassageNeeds) {
    this.#needs = needs
    this.#sifting = new Sifting(needs.database, tableName(needs.schema, 'sieve'))
    this.#selects = new Selects(needs.database, needs.spoken)
    this.#writing = new Writing(needs)
    this.#consumers = countConsumers(needs.order)
  }

  async put({ batches, ended, epoch }: Epoch): Promise<void> {
    const flows = this.#newFlows()
    const out = new Map([...batches].map(([id, { parts }]) => [id, parts.map((part) => givenFlow(part))]))
    await this.#through({ flows, out, over: new Set(ended), epoch, again: undefined })
  }

  /** Puts records in at a node in the middle. */
  async putIn({ nodeId, inputId, part, set }: PutIn, epoch: number): Promise<void> {
    const flows = this.#newFlows()
    const node = this.#needs.order.find(({ id }) => id === nodeId) as PipelineNode
    const given = givenFlow(part)
    const flow = set === undefined ? given : await named(node, () => flows.corrected(node, given, set))
    await this.#through({ flows, out: new Map(), over: new Set(), epoch, again: { nodeId, inputId, flow } })
  }

  /** Records that a source has refused, as it would have given them: with the types that it is to give. */
  async putFromSource(
    { nodeId, part, set = {} }: Omit<PutIn, 'inputId'>,
    columns: readonly Column[],
    epoch: number
  ): Promise<void> {
    const flows = this.#newFlows()
    const node = this.#needs.order.find(({ id }) => id === nodeId) as PipelineNode
    const typed = await named(node, async () => {
      const given = givenFlow(part)
      const corrected = Object.keys(set).length === 0 ? given : await flows.corrected(node, given, set, { columns })
      return flows.corrected(node, corrected, castsTo(columns), { before: '', columns })
    })
    await this.#through({ flows, out: new Map([[nodeId, [typed]]]), over: new Set(), epoch, again: undefined })
  }

  /** Lets nodes that hold records back give them, because nothing more comes. */
  async finish(epoch: number): Promise<void> {
    const over = new Set(this.#needs.order.filter(({ inputs }) => inputs.length === 0).map(({ id }) => id))
    await this.#through({ flows: this.#newFlows(), out: new Map(), over, epoch, again: undefined })
  }

  #newFlows(): Flows {
    return new Flows({ ...this.#needs, selects: this.#selects, sifting: this.#sifting })
  }

  async #through(way: Way): Promise<void> {
    const { flows, out, over } = way
    try {
      for (const node of this.#needs.order) {
        this.busy = node
        if (!out.has(node.id)) await named(node, () => this.#pass(node, way))
        const given = out.get(node.id)
        if (given !== undefined) out.set(node.id, await this.#shared(node, given, flows))
        if (node.inputs.length > 0 && node.inputs.every((id) => over.has(id))) over.add(node.id)
      }
    } finally {
      this.busy = undefined
      await flows.drop().catch(() => {}) // where it was interrupted; the schema goes with the run
    }
  }

  /** What goes to several nodes is computed once. */
  async #shared(node: PipelineNode, given: readonly TrackedFlow[], flows: Flows): Promise<readonly TrackedFlow[]> {
    const isShared = (this.#consumers.get(node.id) ?? 0) > 1 || this.#needs.see !== undefined
    const all: TrackedFlow[] = []
    for (const flow of given) {
      this.#lastColumns.set(node.id, flow.columns)
      this.#needs.noteColumns(node.id, flow.columns)
      const kept = isShared ? await named(node, () => flows.materialized(flow)) : flow
      await this.#needs.see?.(node, kept)
      all.push(kept)
    }
    return all
  }

  async #pass(node: PipelineNode, way: Way): Promise<void> {
    const { flows, out, over, again } = way
    const type = this.#needs.types.get(node.id)
    const inputsOf = (id: string) =>
      again?.nodeId === node.id && again.inputId === id ? [again.flow] : (out.get(id) ?? [])
    const inputs = node.inputs.map(inputsOf)
    if (type === undefined || type.role === 'source') return
    const given: TrackedFlow[] = []
    if (type.role === 'transform' && !('open' in type) && type.accounting !== 'reshapes') {
      for (const flow of inputs[0] ?? []) given.push(...some(await flows.through({ node, type }, flow)))
    } else if (type.role === 'sink') {
      for (const [i, list] of inputs.entries()) await this.#writing.writeAll(node, node.inputs[i] as string, list, way)
    } else {
      const ordered: (readonly TrackedFlow[])[] = []
      for (const list of inputs) ordered.push(await reunited(flows, list, 'isOrderFree' in type))
      const rounds = Math.max(1, ...ordered.map((list) => list.length))
      for (let round = 0; round < rounds; round++) {
        const ended = node.inputs.map((id) => round === rounds - 1 && over.has(id))
        const made = await this.#round(
          node,
          type,
          ordered.map((list) => list[round]),
          ended,
          way
        )
        // What a node that remembers has given is gone with its next step.
        for (const flow of made) given.push(rounds === 1 ? flow : await flows.materialized(flow))
      }
    }
    if (given.length > 0) out.set(node.id, given)
  }

  /** At most one flow of each input, for nodes that look at more than one record. */
  async #round(
    node: PipelineNode,
    type: SelectType | StatefulType,
    inputs: readonly (TrackedFlow | undefined)[],
    ended: readonly boolean[],
    way: Way
  ): Promise<TrackedFlow[]> {
    if ('open' in type) return some(await this.#step(node, type, inputs, ended, way.flows))
    if (inputs.every((flow) => flow === undefined)) return []
    const all = inputs.map((flow, i) => {
      const columns = this.#lastColumns.get(node.inputs[i] as string) ?? [{ name: 'nothing', type: 'VARCHAR' }]
      return flow ?? givenFlow({ sql: emptySelect(columns), rows: 0, columns })
    })
    return some(await way.flows.reshaped({ node, type }, all))
  }

  async #step(
    node: PipelineNode,
    type: StatefulType,
    given: readonly (TrackedFlow | undefined)[],
    ended: readonly boolean[],
    flows: Flows
  ): Promise<TrackedFlow | undefined> {
    const { steps, books, signal, database } = this.#needs
    if (given.every((flow) => flow === undefined) && !ended.some(Boolean)) return undefined
    const run = steps.get(node.id) as Steps
    let inputs = given
    const stepped = await run.step({ inputs, ended, signal }).catch(async (error) => {
      inputs = await withoutFaults({ node, type, run, flows, database }, given, error)
      return run.step({ inputs, ended, signal })
    })
    for (const [i, flow] of inputs.entries()) if (flow !== undefined) flows.settle(flow, stepped.taken[i] as number)
    const [first] = inputs
    const origins = await first?.base.originsOf?.(stepped.rejected.map(({ row }) => row))
    const rejected = stepped.rejected.map(({ row: _row, ...letter }, i): Rejected => {
      return { columns: first?.columns, ...letter, origin: origins?.[i] }
    })
    books.stepped(node, type.accounting, stepped, rejected)
    const { output } = stepped
    if (output === undefined) return undefined
    const { isLoose = false, originsOf } = first?.base ?? {}
    const kept = output.numbered === undefined ? {} : { numbered: output.numbered, ...(originsOf && { originsOf }) }
    const { sql, columns } = output
    return givenFlow({ sql, columns, rows: stepped.given, isLoose, ...kept })
  }
}

const some = (flow: TrackedFlow | undefined): TrackedFlow[] => (flow === undefined ? [] : [flow])

async function named<T>(node: PipelineNode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw at(node, error)
  }
}
