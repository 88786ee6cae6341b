import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Performed } from '../../../http/route.ts'
import { toCsv, toNdjson } from '../../../http/rows-export.ts'
import type { Asker } from '../../classification/index.ts'
import type { RecordRights } from '../rights/records.ts'
import { findPipeline, requirePipeline } from '../store/pipelines.ts'
import { deleteLetters, totalOf } from '../supervisor/letter-rows.ts'
import { type Search, searchLetters, wholeLetters } from '../supervisor/letter-search.ts'
import { requireKnownNames } from './names.ts'
import type { DeadLetterQuery, DeleteQuery, Summary } from './schema.ts'
import * as letters from './store.ts'
import { EXPORTED, masked, plain, toCells, toLetter, toLine } from './view.ts'

const MAX_KINDS = 200
/** Rows of an export that are made text before others have their turn. */
const ROWS_AT_ONCE = 100
const DELETED_AT_ONCE = 500

interface Needs {
  readonly metadata: Metadata
  readonly records: Pick<RecordRights, 'areMasked'>
}

/** Records that could not go on: to be looked at, taken away and given up. */
export class DeadLetters {
  readonly #metadata: Metadata
  readonly #records: Pick<RecordRights, 'areMasked'>

  constructor({ metadata, records }: Needs) {
    this.#metadata = metadata
    this.#records = records
  }

  async list(asker: Asker, pipelineId: string, query: DeadLetterQuery) {
    const { db } = this.#metadata
    // What is wrong with the request is told first, whether there is such a pipeline or not.
    const upTo = (await findPipeline(db, pipelineId))?.letters_upto ?? ''
    const { rows, total, nextCursor } = await letters.listLetters(db, pipelineId, upTo, query)
    await requireKnownNames(db, await requirePipeline(db, pipelineId), query, '/query')
    const show = (await this.#records.areMasked(asker, pipelineId)) ? masked : plain
    return { deadLetters: rows.map((row) => toLetter(show(row))), total, nextCursor }
  }

  /** All that match, the oldest first. */
  async export(asker: Asker, pipelineId: string, query: DeadLetterQuery, format: 'csv' | 'ndjson') {
    const pipeline = await requirePipeline(this.#metadata.db, pipelineId)
    await requireKnownNames(this.#metadata.db, pipeline, query, '/query')
    const upTo = pipeline.letters_upto ?? ''
    const { limit: _limit, cursor: _cursor, sort: _sort, ...filter } = query
    const show = (await this.#records.areMasked(asker, pipelineId)) ? masked : plain
    const rows = mapped(this.#whole(pipelineId, { ...filter, upTo }), show)
    return format === 'csv' ? toCsv(EXPORTED, mapped(rows, toCells)) : toNdjson(mapped(rows, toLine))
  }

  async summary(asker: Asker, pipelineId: string): Promise<Summary> {
    const { db } = this.#metadata
    const upTo = await upToOf(db, pipelineId)
    const show = (await this.#records.areMasked(asker, pipelineId)) ? masked : plain
    const kinds: Summary['kinds'] = []
    for (const kind of await letters.listCounts(db, pipelineId, MAX_KINDS)) {
      const oldest = await letters.findEnd(db, pipelineId, kind, upTo, 'asc')
      const newest = await letters.findEnd(db, pipelineId, kind, upTo, 'desc')
      if (oldest === undefined || newest === undefined) continue // gone since they were counted
      const { node_id: nodeId, code, waiting: count } = kind
      kinds.push({
        nodeId,
        code,
        count,
        oldest: oldest.created_at,
        newest: newest.created_at,
        reason: show(newest).reason
      })
    }
    return { waiting: (await totalOf(db, pipelineId)).waiting, kinds }
  }

  /**
   * Deletes those that wait, unless the others are asked for. It does so in pieces, so that others can write in between; what is
   * deleted before an interruption stays deleted.
   */
  async delete(pipelineId: string, query: DeleteQuery): Promise<Performed<{ deleted: number }>> {
    const { db } = this.#metadata
    const pipeline = await requirePipeline(db, pipelineId)
    await requireKnownNames(db, pipeline, query, '/query')
    const { version, letters_upto: upTo } = pipeline
    const search = { replayed: false, ...query, upTo: upTo ?? '' }
    let deleted = 0
    for await (const heads of searchLetters(db, pipelineId, search)) {
      for (let from = 0; from < heads.length; from += DELETED_AT_ONCE) {
        const ids = heads.slice(from, from + DELETED_AT_ONCE).map(({ id }) => id)
        deleted += await this.#metadata.transaction((tx) => deleteLetters(tx, pipelineId, ids))
        await nextTurn()
      }
    }
    const after = { deleted, filter: query, version }
    const before = { deleted: 0, version }
    return { answer: { deleted }, changes: [{ type: 'pipeline-dead-letters', id: pipelineId, before, after }] }
  }

  async *#whole(pipelineId: string, search: Search) {
    const { db } = this.#metadata
    for await (const heads of searchLetters(db, pipelineId, search)) {
      for (let from = 0; from < heads.length; from += ROWS_AT_ONCE) {
        yield await wholeLetters(db, heads.slice(from, from + ROWS_AT_ONCE))
        await nextTurn()
      }
    }
  }
}

/** Up to where dead letters of a pipeline are committed. */
async function upToOf(db: Db, pipelineId: string): Promise<string> {
  return (await requirePipeline(db, pipelineId)).letters_upto ?? ''
}

async function* mapped<T, U>(chunks: AsyncIterable<readonly T[]>, map: (row: T) => U): AsyncGenerator<U[]> {
  for await (const rows of chunks) yield rows.map(map)
}
