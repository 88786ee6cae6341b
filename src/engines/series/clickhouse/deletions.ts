import { quoteText } from '../../clickhouse/quote.ts'
import { remove } from './cutoffs.ts'
import { lookUp, type SourceFacts } from './lookup.ts'
import { allRows, RowWriter } from './row-binary.ts'
import { DELETION_COLUMNS } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import { DELETION_SQL, NAME_SQL } from './tag-keys.ts'
import type { VersionClock } from './version-clock.ts'

/** Deletes a tag for all servers as soon as this resolves. `isKnown`: this server has a tag that has no rows yet. */
export async function dropTag(
  server: ClickhouseServer,
  clock: VersionClock,
  { sourceId, tag }: { readonly sourceId: string; readonly tag: string },
  isKnown: (facts: SourceFacts) => boolean
): Promise<boolean> {
  const facts = await lookUp(server, sourceId, [tag])
  if (!facts.tags.has(tag) && !isKnown(facts)) return false
  clock.passBy(facts.lastVersion)
  const row = new RowWriter()
  row.text(sourceId, 8)
  row.int64(facts.generation)
  row.text(tag, 8)
  row.int64(clock.next())
  await server.insert('deleted_tags', DELETION_COLUMNS, row.finish())
  return true
}

/** Lets ClickHouse remove the rows in the background, if there are any: that rewrites whole files. */
export async function sweepTag(server: ClickhouseServer, sourceId: string, tag: string): Promise<void> {
  const { generation, deletions } = await lookUp(server, sourceId, [tag])
  const deletion = deletions.get(tag)
  if (deletion === undefined) return
  const range = `tag >= ${quoteText(tag)} AND tag < ${quoteText(`${tag}\x01`)}`
  const gone = `source = ${quoteText(sourceId)} AND generation = ${generation} AND ${range}
    AND ${NAME_SQL} = ${quoteText(tag)} AND ${DELETION_SQL} < ${deletion}`
  const sql = `SELECT count() FROM ${server.settings.database}.tag_stats WHERE ${gone}`
  const [count] = await allRows(await server.select(sql), (row) => row.whole())
  if (count === 0) return
  for (const table of ['points', 'tag_stats', 'labels']) await remove(server, table, gone)
}

/**
 * Tells writers whether any server has deleted tags since they last asked. Each answer comes from a query that began
 * after the call, so that no point is written to a tag whose deletion was already answered; all calls meanwhile share
 * the next query.
 */
export class DeletionWatch {
  readonly #server: ClickhouseServer
  #asking: Promise<string> | undefined
  #next: Promise<string> | undefined

  constructor(server: ClickhouseServer) {
    this.#server = server
  }

  /** A text that changes with every deletion. */
  state(): Promise<string> {
    if (this.#asking === undefined) return this.#ask()
    this.#next ??= this.#asking.then(
      () => this.#askNext(),
      () => this.#askNext()
    )
    return this.#next
  }

  #askNext(): Promise<string> {
    this.#next = undefined
    return this.#ask()
  }

  #ask(): Promise<string> {
    const asking = this.#select().finally(() => {
      if (this.#asking === asking) this.#asking = undefined
    })
    this.#asking = asking
    return asking
  }

  async #select(): Promise<string> {
    const sql = `SELECT count(), sum(version) FROM ${this.#server.settings.database}.deleted_tags`
    const [state] = await allRows(await this.#server.select(sql), (row) => `${row.uint64()} ${row.uint64()}`)
    return state as string
  }
}
