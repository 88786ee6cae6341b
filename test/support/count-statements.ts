import type { KyselyPlugin } from 'kysely'
import type { Db } from '../../src/engines/metadata/index.ts'

/** Counts statements: how many ways to the database and back there are. */
export class StatementCount {
  #asked = 0
  readonly #plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      this.#asked++
      return result
    }
  }

  get asked(): number {
    return this.#asked
  }

  /** The same database, whose statements are counted. */
  of(db: Db): Db {
    return db.withPlugin(this.#plugin) as Db
  }
}
