import { NodeFault } from '../contract/context.ts'
import type { Column } from '../duckdb/columns.ts'
import type { LetterPage, Replay, ReplayOrder } from '../protocol/run-spec.ts'

/** Dead letters that go to one input of a node, with the columns that they had there. */
export interface LetterGroup {
  readonly nodeId: string
  readonly inputId: string | undefined
  readonly columns: readonly Column[] | undefined
  readonly letters: readonly Replay[]
  readonly set: ReplayOrder['set']
}

interface Order {
  readonly order: ReplayOrder
  readonly done: PromiseWithResolvers<void>
  /** Where the next page begins. */
  after: string | undefined
}

type Pages = (order: ReplayOrder, after: string) => Promise<LetterPage>

/** Dead letters on their way through the pipeline once more, a page at a time. */
export class Replays {
  readonly #pages: Pages
  #current: Order | undefined
  #underWay: string[] = []
  #arrival = Promise.withResolvers<void>()

  constructor(pages: Pages, first: ReplayOrder | undefined) {
    this.#pages = pages
    if (first !== undefined) this.add(first).catch(() => {}) // its run fails for the same reason
  }

  /** Resolves as soon as there is something to put through. */
  get waiting(): Promise<void> {
    return this.#arrival.promise
  }

  get areWaiting(): boolean {
    return this.#current !== undefined
  }

  /** Dead letters that are done with the next commit. */
  get underWay(): string[] {
    return this.#underWay
  }

  /** Resolves when all of them are committed. */
  async add(order: ReplayOrder): Promise<void> {
    if (this.#current !== undefined) {
      throw new NodeFault('transient', 'replaying', 'Other dead letters are being replayed')
    }
    const done = Promise.withResolvers<void>()
    this.#current = { order, done, after: '' }
    this.#arrival.resolve()
    return done.promise
  }

  /** The next page, by where its records go; those that came first are first. */
  async take(): Promise<LetterGroup[]> {
    const current = this.#current
    if (current?.after === undefined) return []
    const { letters, next } = await this.#pages(current.order, current.after)
    current.after = next
    this.#underWay = letters.map(({ id }) => id)
    const groups = Map.groupBy(letters, ({ nodeId, inputId, columns }) => JSON.stringify([nodeId, inputId, columns]))
    return [...groups.values()].map((group) => {
      const { nodeId, inputId, columns } = group[0] as Replay
      return { nodeId, inputId, columns, letters: group, set: current.order.set }
    })
  }

  /** What was taken is committed. */
  done(): void {
    this.#underWay = []
    if (this.#current === undefined || this.#current.after !== undefined) return
    this.#current.done.resolve()
    this.#current = undefined
    this.#arrival = Promise.withResolvers()
  }

  fail(fault: NodeFault): void {
    this.#current?.done.reject(fault)
    this.#current = undefined
  }
}
