import type { DeadLetter } from '../checkpoint.ts'
import type { Accounting, PipelineNode } from '../nodes/node-type.ts'
import type { Rejected } from '../nodes/source.ts'
import type { Stepped } from '../nodes/steps.ts'
import type { Books } from './flows.ts'
import { emptyFigures, emptyLedger, type Ledger, type NodeFigures } from './ledger.ts'
import type { RunSpec } from './run-spec.ts'

/** What became of every record of a run, node by node. */
export class RunBooks implements Books {
  readonly ledger: Ledger
  readonly nodes: Record<string, NodeFigures>
  readonly #consumers: ReadonlyMap<string, number>
  #deadLetters: DeadLetter[] = []

  constructor({ nodes, counted }: Pick<RunSpec, 'nodes' | 'counted'>) {
    this.ledger = { ...(counted?.ledger ?? emptyLedger()) }
    this.nodes = Object.fromEntries(nodes.map(({ id }) => [id, { ...(counted?.nodes[id] ?? emptyFigures()) }]))
    this.#consumers = countConsumers(nodes)
  }

  /** Dead letters that no commit has carried yet. */
  takeDeadLetters(): DeadLetter[] {
    return this.#deadLetters.splice(0)
  }

  read(node: PipelineNode, rows: number, rejected: readonly Rejected[]): void {
    this.ledger.recordsRead += rows + rejected.length
    const figures = this.figuresOf(node.id)
    figures.recordsIn += rows + rejected.length
    figures.batches += 1
    this.#refuse(node, rejected)
    this.#give(node, rows)
  }

  /** Dead letters that a node gets once more count as read once more. */
  replayed(rows: number): void {
    this.ledger.recordsRead += rows
  }

  passed(node: PipelineNode, taken: number, given: number, accounting: Accounting): void {
    const figures = this.figuresOf(node.id)
    figures.recordsIn += taken
    figures.batches += 1
    if (accounting === 'filters') this.ledger.recordsFiltered += taken - given
    if (accounting === 'reshapes') {
      this.ledger.recordsMerged += taken
      this.ledger.recordsAdded += given
    }
    this.#give(node, given)
  }

  /** A node that remembers has taken some records, now or before, and let others go. */
  stepped(node: PipelineNode, accounting: Accounting, { taken, given, filtered, rejected }: Stepped): void {
    const figures = this.figuresOf(node.id)
    const came = taken.reduce((sum, rows) => sum + rows, 0)
    figures.recordsIn += came
    figures.batches += 1
    this.ledger.recordsFiltered += filtered
    if (accounting === 'reshapes') {
      this.ledger.recordsMerged += came - filtered - rejected.length
      this.ledger.recordsAdded += given
    }
    this.#refuse(node, rejected)
    this.#give(node, given)
  }

  written(node: PipelineNode, count: number): void {
    const figures = this.figuresOf(node.id)
    figures.recordsIn += count
    figures.recordsOut += count
    figures.batches += 1
    this.ledger.recordsWritten += count
  }

  /** Records that a node was given and did not take; those that it took are counted elsewhere. */
  rejected(node: PipelineNode, records: readonly Rejected[]): void {
    this.figuresOf(node.id).recordsIn += records.length
    this.#refuse(node, records)
  }

  #refuse(node: PipelineNode, records: readonly Rejected[]): void {
    if (records.length === 0) return
    const figures = this.figuresOf(node.id)
    figures.errors += records.length
    this.ledger.recordsDeadLettered += records.length
    for (const record of records) this.#deadLetters.push({ nodeId: node.id, ...record })
  }

  figuresOf(nodeId: string): NodeFigures {
    return this.nodes[nodeId] as NodeFigures
  }

  #give(node: PipelineNode, rows: number): void {
    this.figuresOf(node.id).recordsOut += rows
    this.ledger.recordsAdded += rows * ((this.#consumers.get(node.id) ?? 1) - 1)
  }
}

export function countConsumers(nodes: readonly PipelineNode[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of nodes.flatMap(({ inputs }) => inputs)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
