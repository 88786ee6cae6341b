import type { Accounting, PipelineNode } from '../contract/node-type.ts'
import type { Rejected, Source } from '../contract/source.ts'
import type { Stepped } from '../contract/steps.ts'
import type { DeadLetter } from '../protocol/checkpoint.ts'
import { emptyFigures, emptyLedger, type Ledger, type NodeFigures } from '../protocol/ledger.ts'
import type { RunSpec } from '../protocol/run-spec.ts'

/** So much of a record is kept in its dead letter. What is longer is cut, and no record any more. */
const MAX_RECORD_CHARS = 16 * 1024 * 1024
const MANY_DEAD_LETTERS = 20_000
const MANY_DEAD_LETTER_CHARS = 16 * 1024 * 1024

/** What became of every record of a run, node by node. */
export class RunBooks {
  readonly ledger: Ledger
  readonly nodes: Record<string, NodeFigures>
  readonly #consumers: ReadonlyMap<string, number>
  /** As they were after the last whole batch: of records on their way nobody knows yet what becomes of them. */
  #whole: Pick<RunBooks, 'ledger' | 'nodes'>
  #deadLetters: DeadLetter[] = []
  #deadLetterChars = 0

  constructor({ nodes, counted }: Pick<RunSpec, 'nodes' | 'counted'>) {
    this.ledger = { ...(counted?.ledger ?? emptyLedger()) }
    this.nodes = Object.fromEntries(nodes.map(({ id }) => [id, { ...emptyFigures(), ...counted?.nodes[id] }]))
    this.#consumers = countConsumers(nodes)
    this.#whole = structuredClone({ ledger: this.ledger, nodes: this.nodes })
  }

  /** What people see while it runs; it balances at any time. */
  get whole(): Pick<RunBooks, 'ledger' | 'nodes'> {
    return this.#whole
  }

  /** All records that were read have got where they go. */
  closeBatch(): void {
    this.#whole = structuredClone({ ledger: this.ledger, nodes: this.nodes })
  }

  /** An attempt, of which people hear though the batch is not done. */
  failed(node: PipelineNode): void {
    this.figuresOf(node.id).errors += 1
    const shown = this.#whole.nodes[node.id] as NodeFigures
    shown.errors += 1
  }

  /** Dead letters that no commit has carried yet. */
  takeDeadLetters(): DeadLetter[] {
    this.#deadLetterChars = 0
    return this.#deadLetters.splice(0)
  }

  /** Whether there are so many that they should be committed before more come. */
  get areDeadLettersMany(): boolean {
    return this.#deadLetters.length >= MANY_DEAD_LETTERS || this.#deadLetterChars >= MANY_DEAD_LETTER_CHARS
  }

  read(node: PipelineNode, rows: number, rejected: readonly Rejected[]): void {
    this.ledger.recordsRead += rows + rejected.length
    const figures = this.figuresOf(node.id)
    figures.recordsIn += rows + rejected.length
    figures.batches += 1
    this.#bury(node, rejected)
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
  stepped(
    node: PipelineNode,
    accounting: Accounting,
    { taken, given, filtered, kept = 0, released = 0 }: Stepped,
    rejected: readonly Rejected[]
  ): void {
    const figures = this.figuresOf(node.id)
    const came = taken.reduce((sum, rows) => sum + rows, 0)
    figures.recordsIn += came
    figures.batches += 1
    this.ledger.recordsFiltered += filtered
    if (accounting === 'reshapes') {
      this.ledger.recordsMerged += came - filtered - rejected.length
      this.ledger.recordsAdded += given
    }
    this.ledger.recordsMerged += kept
    this.ledger.recordsAdded += released
    this.#bury(node, rejected)
    this.#give(node, given)
  }

  written(node: PipelineNode, count: number): void {
    const figures = this.figuresOf(node.id)
    figures.recordsIn += count
    figures.recordsOut += count
    figures.batches += 1
    this.ledger.recordsWritten += count
  }

  /** Records that a node was given and does not take. */
  refused(node: PipelineNode, records: readonly Rejected[]): void {
    this.figuresOf(node.id).recordsIn += records.length
    this.#bury(node, records)
  }

  /** What sources say of themselves now. */
  ask(feeds: readonly { readonly nodeId: string; readonly source: Pick<Source, 'lagMs' | 'progress'> }[]): void {
    for (const { nodeId, source } of feeds) {
      const now = { lagMs: source.lagMs?.() ?? null, progress: source.progress?.() ?? null }
      Object.assign(this.figuresOf(nodeId), now)
      Object.assign(this.#whole.nodes[nodeId] as NodeFigures, now)
    }
  }

  figuresOf(nodeId: string): NodeFigures {
    return this.nodes[nodeId] as NodeFigures
  }

  #bury(node: PipelineNode, records: readonly Rejected[]): void {
    this.figuresOf(node.id).errors += records.length
    this.ledger.recordsDeadLettered += records.length
    for (const { record, ...letter } of records) {
      const kept = record.slice(0, MAX_RECORD_CHARS)
      this.#deadLetterChars += kept.length
      this.#deadLetters.push({ nodeId: node.id, ...letter, record: kept })
    }
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
