import { systemClock } from '../../clock.ts'
import { writeAnswer } from '../query/answer/index.ts'
import type { Query } from '../query/plan.ts'
import { queryRows } from './query.ts'
import type { ClickhouseServer } from './server.ts'

/** A piece of an answer; undefined at its end. */
export type Piece = Uint8Array | undefined

interface Answer {
  readonly stopping: AbortController
  pieces: AsyncIterator<Uint8Array> | undefined
}

/** The queries under way, by the number that the caller has given them. They are read piece by piece. */
export class Answers {
  readonly #server: ClickhouseServer
  readonly #answers = new Map<number, Answer>()

  constructor(server: ClickhouseServer) {
    this.#server = server
  }

  /** Begins a query and gives the first piece. */
  async query({ id, query }: { id: number; query: Query }): Promise<Piece> {
    const answer: Answer = { stopping: new AbortController(), pieces: undefined }
    this.#answers.set(id, answer)
    const startedMs = systemClock.elapsed()
    try {
      const rows = await queryRows(this.#server, query, answer.stopping.signal)
      answer.pieces = writeAnswer(query, rows, startedMs)
    } catch (error) {
      this.#answers.delete(id)
      throw error
    }
    return this.next(id)
  }

  async next(id: number): Promise<Piece> {
    try {
      const result = await this.#answers.get(id)?.pieces?.next()
      if (result?.done === false) return result.value
    } catch (error) {
      this.#answers.delete(id)
      throw error
    }
    this.#answers.delete(id)
    return undefined
  }

  async stop(id: number): Promise<void> {
    const answer = this.#answers.get(id)
    this.#answers.delete(id)
    answer?.stopping.abort()
    // Ends the connection; an answer that is just being read ends by the signal.
    await answer?.pieces?.return?.().catch(() => {})
  }

  stopAll(): void {
    for (const id of this.#answers.keys()) void this.stop(id)
  }
}
