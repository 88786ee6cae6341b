import { NodeFault } from '../nodes/context.ts'
import type { JsonRecord } from '../nodes/records-table.ts'
import type { Replay } from './run-spec.ts'

interface Waiting {
  readonly letters: readonly Replay[]
  readonly done: PromiseWithResolvers<void>
}

/** Dead letters on their way through the pipeline once more. */
export class Replays {
  #waiting: Waiting[] = []
  #underWay: Waiting[] = []
  #arrival = Promise.withResolvers<void>()

  /** Resolves as soon as there is one. */
  get waiting(): Promise<void> {
    return this.#arrival.promise
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Those that the next commit makes done. */
  get underWay(): string[] {
    return this.#underWay.flatMap(({ letters }) => letters.map(({ id }) => id))
  }

  async add(letters: readonly Replay[]): Promise<void> {
    for (const { id, record } of letters) {
      if (!isRecord(record)) throw new NodeFault('fatal', 'not_replayable', `${id} does not hold a whole record`)
    }
    const done = Promise.withResolvers<void>()
    this.#waiting.push({ letters, done })
    this.#arrival.resolve()
    return done.promise
  }

  /** All that wait, by node. */
  take(): { node: string; records: JsonRecord[] }[] {
    this.#underWay.push(...this.#waiting.splice(0))
    this.#arrival = Promise.withResolvers()
    const byNode = Map.groupBy(
      this.#underWay.flatMap(({ letters }) => letters),
      ({ node }) => node
    )
    return [...byNode].map(([node, letters]) => {
      return { node, records: letters.map(({ record }) => JSON.parse(record) as JsonRecord) }
    })
  }

  done(): void {
    for (const { done } of this.#underWay.splice(0)) done.resolve()
  }

  fail(fault: NodeFault): void {
    for (const { done } of [...this.#waiting.splice(0), ...this.#underWay.splice(0)]) done.reject(fault)
  }
}

function isRecord(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
