import type { DataSession, SessionAnswer } from '../../../data/data-session.ts'
import type { DataPlane, DataQuery } from '../../../data/plane.ts'
import { parseReference } from '../../../data/reference.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { DATASET } from './compile.ts'
import type { Sampled } from './sample.ts'

type Session = Pick<DataSession, 'query' | 'close' | typeof Symbol.asyncDispose>

/** What an evaluation needs of the data plane. */
export interface Queried extends Pick<DataPlane, 'query' | 'describe'> {
  session(data: Parameters<DataPlane['session']>[0]): Promise<Session>
}

/**
 * Asks one statement after the other of one dataset. Those that read nothing else share one copy of it, and one process. Whoever
 * has it must close it.
 */
export class OneDataset implements Sampled {
  readonly #plane: Queried
  readonly #dataset: string
  readonly #signal: AbortSignal
  /** Of what a connector fetches, each statement gets only what it needs. */
  readonly #isShared: boolean
  #session: Session | undefined

  constructor(plane: Queried, dataset: string, signal: AbortSignal) {
    this.#plane = plane
    this.#dataset = dataset
    this.#signal = signal
    const reference = parseReference(dataset)
    this.#isShared = !('problem' in reference) && reference.scheme !== 'connector'
  }

  async query({ sql, relations, limits }: Pick<DataQuery, 'sql' | 'relations' | 'limits'>): Promise<SessionAnswer> {
    const isAlone = Object.values(relations).every((reference) => reference === this.#dataset)
    if (!isAlone || !this.#isShared) {
      await this.close()
      return this.#plane.query({ sql, relations, limits, signal: this.#signal })
    }
    this.#session ??= await this.#plane.session({ relations: { [DATASET]: this.#dataset }, signal: this.#signal })
    return this.#session.query({ sql, limits })
  }

  /** The columns of these data, or of others. */
  async describe(dataset = this.#dataset): Promise<readonly DataColumn[]> {
    if (dataset === this.#dataset && this.#isShared) {
      return (await this.query({ sql: `FROM ${DATASET} LIMIT 0`, relations: { [DATASET]: dataset } })).columns
    }
    await this.close()
    return this.#plane.describe(dataset, this.#signal)
  }

  /** Gives back what is held; the next statement takes it anew. Nobody may hold it and wait for more, or all might wait for each other. */
  async close(): Promise<void> {
    await this.#session?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
