import type { NodeFault } from '../nodes/context.ts'
import type { PipelineNode } from '../nodes/node-type.ts'
import type { RunBooks } from './books.ts'
import { at } from './faults.ts'
import { withRetries } from './retry.ts'
import type { RunReports } from './run-spec.ts'

/** Does what may fail for a while, again; and tells of it. */
export class Trier {
  readonly signal: AbortSignal
  readonly #books: RunBooks
  readonly #reports: RunReports

  constructor(signal: AbortSignal, books: RunBooks, reports: RunReports) {
    this.signal = signal
    this.#books = books
    this.#reports = reports
  }

  /** What it throws in the end names the node. */
  async try<T>(node: PipelineNode, work: () => Promise<T>): Promise<T> {
    try {
      return await withRetries(work, { signal: this.signal, onFault: (fault) => this.note(node, fault) })
    } catch (error) {
      throw at(node, error)
    }
  }

  note(node: PipelineNode, fault: NodeFault): void {
    this.#books.figuresOf(node.id).errors += 1
    this.#reports.log({ level: 'warn', node: node.id, message: `${fault.message} (${fault.code}); trying again` })
  }
}
