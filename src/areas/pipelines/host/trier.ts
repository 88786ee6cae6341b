import type { NodeFault } from '../contract/context.ts'
import { at } from '../contract/faults.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { RunReports, Trouble } from '../protocol/run-spec.ts'
import type { RunBooks } from './books.ts'
import { withRetries } from './retry.ts'

/** Does what may fail for a while, again; and tells of it. */
export class Trier {
  readonly signal: AbortSignal
  readonly #books: RunBooks
  readonly #reports: RunReports
  #trouble: Trouble | undefined

  constructor(signal: AbortSignal, books: RunBooks, reports: RunReports) {
    this.signal = signal
    this.#books = books
    this.#reports = reports
  }

  /** What it throws in the end names the node. */
  async try<T>(node: PipelineNode, work: () => Promise<T>): Promise<T> {
    try {
      const done = await withRetries(work, { signal: this.signal, onFault: (fault) => this.note(node, fault) })
      this.works(node)
      return done
    } catch (error) {
      throw at(node, error)
    }
  }

  note(node: PipelineNode, fault: NodeFault): void {
    this.#books.failed(node)
    this.#reports.log({ level: 'warn', node: node.id, message: `${fault.message} (${fault.code}); trying again` })
    const { code, message } = fault
    const isSame = this.#trouble?.nodeId === node.id && this.#trouble.code === code
    const { sinceMs, attempts } = isSame ? (this.#trouble as Trouble) : { sinceMs: Date.now(), attempts: 0 }
    this.#trouble = { code, message, nodeId: node.id, sinceMs, attempts: attempts + 1 }
    this.#reports.trouble?.(this.#trouble)
  }

  /** What was noted of this node is over. */
  works(node: PipelineNode): void {
    if (this.#trouble?.nodeId !== node.id) return
    this.#trouble = undefined
    this.#reports.trouble?.(null)
  }
}
