import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Jobs } from '../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Series, SourceStats } from '../../engines/series/index.ts'
import { invalidField } from '../../errors.ts'
import type { Uses } from '../../http/in-use.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Outcome } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import { DURATION_FORM, parseDuration } from '../../http/times.ts'
import type { Classification } from '../classification/index.ts'
import type { Lineage } from '../lineage/index.ts'
import type { SourceRow } from './migrations.ts'
import type { Source, SourceCreate, SourceQuery, SourceUpdate } from './schema.ts'
import { withSeries } from './series-problems.ts'
import * as store from './store.ts'
import { dropSource, forgetOld } from './upkeep.ts'
import { figuresOf, toBareSource, toSource } from './view.ts'

export interface SourceNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly classification: Classification
  readonly lineage: Pick<Lineage, 'called' | 'ownerRemoved'>
  readonly uses: Uses
  series(): Promise<Series>
}

export class Sources {
  readonly #needs: SourceNeeds

  constructor(needs: SourceNeeds) {
    this.#needs = needs
  }

  async list(query: SourceQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listSources(db, query)
    const [levels, stats] = await Promise.all([this.#levelsOf(db, rows), this.#statsOf(rows.map(({ id }) => id))])
    const sources = rows.map((row, i) => toSource(row, levels[i] ?? null, stats.get(row.id)))
    return { sources, total, nextCursor }
  }

  async get(id: string): Promise<Source> {
    const { db } = this.#needs.metadata
    const row = await requireSource(db, id)
    const [[level], stats] = await Promise.all([this.#levelsOf(db, [row]), this.#statsOf([id])])
    return toSource(row, level ?? null, stats.get(id))
  }

  /** The figures that a change answers beside the source; to be fetched outside its transaction. */
  async stats(id: string): Promise<SourceStats | undefined> {
    return (await this.#statsOf([id])).get(id)
  }

  async create(tx: Db, actor: Actor, body: SourceCreate): Promise<Outcome<Source>> {
    const { clock, makeId } = this.#needs
    requireRetention(body.retention)
    const row: SourceRow = {
      id: makeId('src'),
      name: body.name,
      kind: body.kind ?? 'api',
      description: body.description ?? '',
      retention: body.retention ?? null,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertSource(tx, row))
    const level = body.classification ?? null
    if (level !== null) await this.#classify(tx, actor, row.id, level)
    const after = toBareSource(row, level)
    const changes = [{ type: 'catalog-source', id: row.id, after, event: { name: row.name } }] as const
    return { answer: toSource(row, level, undefined), changes: [...changes] }
  }

  async update(
    tx: Db,
    actor: Actor,
    id: string,
    change: SourceUpdate,
    stats: SourceStats | undefined
  ): Promise<Outcome<Source>> {
    const { clock, jobs, classification, lineage } = this.#needs
    requireRetention(change.retention)
    const before = await lockedSource(tx, id)
    const [known = null] = (await this.#levelsOf(tx, [before])).map((level) => level ?? null)
    const { classification: wanted, ...fields } = change
    const level = wanted === undefined ? known : wanted
    const row: SourceRow = { ...before, ...fields, ...nextStamps(before, clock) }
    await orNameTaken(() => store.updateSource(tx, row))
    if (level !== known) {
      if (level === null) await classification.untagWhole(tx, actor, resourceOf(id))
      else await this.#classify(tx, actor, id, level)
    }
    if (row.name !== before.name) await lineage.called(tx, resourceOf(id), row.name)
    if (row.retention !== null && row.retention !== before.retention) await forgetOld(tx, jobs, id)
    const after = toBareSource(row, level)
    const event = { name: row.name, formerName: before.name }
    return {
      answer: { ...after, ...figuresOf(stats) },
      changes: [{ type: 'catalog-source', id, before: toBareSource(before, known), after, event }]
    }
  }

  /** `stats` is for the audit trail: how many points were deleted with the source. */
  async delete(tx: Db, id: string, force: boolean, stats: SourceStats | undefined): Promise<Outcome<null>> {
    const { jobs, clock, classification, lineage, uses } = this.#needs
    const row = await lockedSource(tx, id)
    if (!force) await uses.requireUnused(tx, { type: 'catalog-source', id })
    const [level = null] = (await this.#levelsOf(tx, [row])).map((name) => name ?? null)
    await classification.forget(tx, resourceOf(id))
    await lineage.ownerRemoved(tx, resourceOf(id))
    await store.deleteSource(tx, id)
    await dropSource(tx, jobs, clock, id)
    const before = toSource(row, level, stats)
    return { answer: null, changes: [{ type: 'catalog-source', id, before, event: { name: row.name } }] }
  }

  async #classify(tx: Db, actor: Actor, id: string, level: string): Promise<void> {
    await this.#needs.classification.requireLevel(tx, level)
    await this.#needs.classification.tag(tx, actor, { resource: resourceOf(id), level })
  }

  #levelsOf(db: Db, rows: readonly SourceRow[]): Promise<(string | undefined)[]> {
    return this.#needs.classification.levelsOf(
      db,
      rows.map(({ id }) => resourceOf(id))
    )
  }

  async #statsOf(ids: readonly string[]): Promise<ReadonlyMap<string, SourceStats>> {
    if (ids.length === 0) return new Map()
    return withSeries(async () => (await this.#needs.series()).stats(ids))
  }
}

/** The data reference of a source, under which its classification is kept. */
const resourceOf = (id: string) => `series://${id}`

export function requireSource(db: Db, id: string): Promise<SourceRow> {
  return orNotFound(store.findSource(db, id))
}

function lockedSource(tx: Db, id: string): Promise<SourceRow> {
  return orNotFound(store.lockSource(tx, id))
}

function requireRetention(text: string | null | undefined): void {
  if (text == null || parseDuration(text) !== undefined) return
  throw invalidField('/retention', `must be ${DURATION_FORM}, or null`)
}
