import type { Clock } from '../../engines/clock.ts'
import type { Jobs } from '../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Series, Tag as SeriesTag } from '../../engines/series/index.ts'
import { Problem } from '../../errors.ts'
import { requireMatch } from '../../http/etag.ts'
import type { Outcome, Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { Asker, Guard } from '../classification/index.ts'
import type { TagRow } from './migrations.ts'
import { withSeries } from './series-problems.ts'
import { requireSource } from './service.ts'
import * as store from './store.ts'
import { readTagCursor, writeTagCursor } from './tag-cursor.ts'
import type { Tag, TagQuery, TagUpdate } from './tag-schema.ts'
import { sweepTag } from './upkeep.ts'
import { toTag } from './view.ts'

const DEFAULT_LIMIT = 100
const LOOKED_AT = 100

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly jobs: Jobs
  readonly guard: Pick<Guard, 'maskedTags'>
  series(): Promise<Series>
}

interface FoundTag {
  readonly tag: SeriesTag
  readonly isMasked: boolean
}

/** The tags of sources: what their points tell of them, and what people have set. */
export class Tags {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(asker: Asker, sourceId: string, { q, limit = DEFAULT_LIMIT, cursor }: TagQuery) {
    const { db } = this.#needs.metadata
    const after = cursor === undefined ? undefined : readTagCursor(cursor, q)
    await requireSource(db, sourceId)
    // One more than asked for tells whether there is another page.
    const { tags: found, total } = await this.#page(sourceId, { q, after, limit: limit + 1 })
    const tags = found.slice(0, limit)
    const last = tags.at(-1)
    const rows = await rowsOf(db, sourceId, tags)
    const masked = await this.#masked(asker, sourceId, tags)
    return {
      sourceId,
      tags: tags.map((tag) => toTag(tag, rows.get(tag.name), masked.has(tag.name))),
      total,
      nextCursor: found.length > limit && last !== undefined ? writeTagCursor(last.name, q) : null
    }
  }

  async get(asker: Asker, sourceId: string, name: string): Promise<Tag> {
    const { db } = this.#needs.metadata
    await requireSource(db, sourceId)
    const { tag, isMasked } = await this.find(asker, sourceId, name)
    return toTag(tag, (await rowsOf(db, sourceId, [tag])).get(name), isMasked)
  }

  /** A tag as the engine knows it, without what people have set, and whether its values are masked for the caller. */
  async find(asker: Asker, sourceId: string, name: string): Promise<FoundTag> {
    const tag = await orNotFound(this.#seek(sourceId, name))
    return { tag, isMasked: (await this.#masked(asker, sourceId, [tag])).has(name) }
  }

  #masked(asker: Asker, sourceId: string, tags: readonly SeriesTag[]): Promise<ReadonlySet<string>> {
    const names = tags.map(({ name }) => name)
    return this.#needs.guard.maskedTags(asker, sourceId, names)
  }

  async #seek(sourceId: string, name: string): Promise<SeriesTag | undefined> {
    let after: string | undefined = [...name].slice(0, -1).join('') || undefined
    for (;;) {
      const { tags } = await this.#page(sourceId, { q: name, after, limit: LOOKED_AT })
      const tag = tags.find((candidate) => candidate.name === name)
      if (tag !== undefined) return tag
      if (tags.length < LOOKED_AT) return undefined
      after = tags.at(-1)?.name
    }
  }

  async update(tx: Db, sourceId: string, name: string, change: TagUpdate, found: FoundTag): Promise<Outcome<Tag>> {
    await orNotFound(store.lockSource(tx, sourceId))
    const known = await store.lockTag(tx, sourceId, name)
    const before: TagRow = known ?? { source_id: sourceId, name, unit: null, description: '', version: 1 }
    const after: TagRow = { ...before, ...change, version: before.version + 1 }
    await store.saveTag(tx, after)
    return {
      answer: toTag(found.tag, after, found.isMasked),
      changes: [
        {
          type: 'catalog-tag',
          id: `${sourceId}/${name}`,
          before: factsOf(before),
          after: factsOf(after),
          event: { sourceId, name }
        }
      ]
    }
  }

  /**
   * Deletes a tag, also one whose points have all expired, since its type remains; and also the leftover settings of
   * a tag whose points an interrupted deletion has removed. The audit trail tells how many points were deleted.
   */
  async delete(sourceId: string, name: string, ifMatch: string | undefined): Promise<Performed<null>> {
    const { metadata, jobs, clock } = this.#needs
    await requireSource(metadata.db, sourceId)
    const tag = await this.#seek(sourceId, name)
    const [row] = await store.findTags(metadata.db, sourceId, [name])
    const before = tag === undefined ? { name, version: row?.version ?? 1 } : withoutValue(toTag(tag, row, true))
    if (tag !== undefined || row !== undefined) requireMatch(ifMatch, before)
    const isDeleted = await withSeries(async () => (await this.#needs.series()).dropTag(sourceId, name))
    if (!isDeleted && row === undefined) throw new Problem('not_found')
    return {
      answer: null,
      changes: [{ type: 'catalog-tag', id: `${sourceId}/${name}`, before, event: { sourceId, name } }],
      async commit(tx) {
        await store.deleteTag(tx, sourceId, name)
        await sweepTag(tx, jobs, clock, { sourceId, tag: name })
      }
    }
  }

  /** The units of these tags, for those that have one. */
  async units(sourceId: string, names: readonly string[] | undefined): Promise<Record<string, string>> {
    const rows = await store.findTags(this.#needs.metadata.db, sourceId, names)
    const units: Record<string, string> = Object.create(null)
    for (const { name, unit } of rows) if (unit !== null) units[name] = unit
    return units
  }

  #page(sourceId: string, page: Parameters<Series['tags']>[1]) {
    return withSeries(async () => (await this.#needs.series()).tags(sourceId, page))
  }
}

async function rowsOf(db: Db, sourceId: string, tags: readonly SeriesTag[]): Promise<Map<string, TagRow>> {
  if (tags.length === 0) return new Map()
  const rows = await store.findTags(
    db,
    sourceId,
    tags.map(({ name }) => name)
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** A point's value is not for the audit trail, and may be long. */
function withoutValue({ lastValue: _, ...tag }: Tag): Omit<Tag, 'lastValue'> {
  return tag
}

/** What a change of a tag compares: the figures are left out, because they change with every write. */
function factsOf({ unit, description, version }: TagRow) {
  return { unit, description, version }
}
