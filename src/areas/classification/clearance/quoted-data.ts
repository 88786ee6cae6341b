import type { Mask } from '../../../data/mask.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { Guard } from './guard.ts'
import { LabelCache } from './label-cache.ts'
import { LABEL_TABLES } from './labels.ts'

interface Needs {
  readonly db: Db
  readonly clock: Pick<Clock, 'elapsed'>
  /** The data that a pipeline has put out, as references. */
  outputsOf?(pipelineId: string): Promise<readonly string[]>
}

/**
 * For those who look at a database without a server, as the doctor does: whether words that were kept may quote data that not
 * everybody may see. What they print goes into logs and tickets.
 */
export class QuotedData {
  readonly #db: Db
  readonly #guard: Guard
  #hasLabels: Promise<boolean> | undefined

  constructor({ db, clock, outputsOf = async () => [] }: Needs) {
    this.#db = db
    const cache = new LabelCache({ metadata: { db }, clock, bus: { subscribe: () => () => {} } })
    this.#guard = new Guard({ cache, masked: { note: async () => {} }, outputsOf })
  }

  async isHidden(references: readonly string[]): Promise<boolean> {
    return (await this.maskOf(references)) !== undefined
  }

  /** What of some data not everybody may see. */
  async maskOf(references: readonly string[]): Promise<Mask | undefined> {
    this.#hasLabels ??= this.#areThere()
    return (await this.#hasLabels) ? this.#guard.maskForAll(references) : undefined
  }

  /** In a database of an older version they may not be. */
  async #areThere(): Promise<boolean> {
    const names = new Set((await this.#db.introspection.getTables()).map(({ name }) => name))
    return LABEL_TABLES.every((name) => names.has(name))
  }
}
