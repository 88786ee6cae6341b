import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import { type Db, hasRows, type Metadata } from '../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { Actor } from '../../http/permissions.ts'
import { created, deleted, type Outcome, updated } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import { aboveClearance } from './clearance/above-clearance.ts'
import type { LabelCache } from './clearance/label-cache.ts'
import { rolesWith } from './clearance/store.ts'
import { givenTo } from './inheritance/labelled.ts'
import { markLabel, markRanks } from './inheritance/marks.ts'
import { readRanks } from './inheritance/ranks.ts'
import { readInherited } from './inheritance/read.ts'
import type { LevelRow, ResourceRow } from './migrations.ts'
import { resourceName } from './resource-name.ts'
import type { Level, LevelCreate, LevelQuery, LevelUpdate, Resource, ResourceQuery, ResourceTag } from './schema.ts'
import * as store from './store.ts'
import { deleteOf } from './suggestions/store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly cache: Pick<LabelCache, 'clearanceOf'>
}

/** The level of a whole resource, and those of its columns. */
export interface Levels {
  level: string | null
  readonly columns: Map<string, string>
}

export class Classification {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async listLevels(query: LevelQuery) {
    const { rows, total, nextCursor } = await store.listLevels(this.#needs.metadata.db, query)
    return { levels: rows.map(store.toLevel), total, nextCursor }
  }

  async createLevel(tx: Db, body: LevelCreate): Promise<Outcome<Level>> {
    const { clock, makeId } = this.#needs
    const { withoutClearance = 'refuse', ...rest } = body
    const row: LevelRow = {
      id: makeId('lvl'),
      description: '',
      ...rest,
      without_clearance: withoutClearance,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertLevel(tx, row), TAKEN)
    return created('classification-level', store.toLevel(row))
  }

  async updateLevel(tx: Db, id: string, change: LevelUpdate): Promise<Outcome<Level>> {
    const before = await requireLevel(tx, id)
    const { withoutClearance = before.without_clearance, ...rest } = change
    const after: LevelRow = {
      ...before,
      ...rest,
      without_clearance: withoutClearance,
      ...nextStamps(before, this.#needs.clock)
    }
    await orNameTaken(() => store.updateLevel(tx, after), TAKEN)
    if (after.rank !== before.rank) await markRanks(tx)
    return updated('classification-level', store.toLevel(before), store.toLevel(after))
  }

  async deleteLevel(tx: Db, id: string): Promise<Outcome<null>> {
    const level = await requireLevel(tx, id)
    const uses = await store.countUses(tx, level.name)
    if (uses > 0) {
      const detail = `${uses} resource(s) have the level ${level.name}; give them another level first.`
      throw new Problem('in_use', { detail, members: { uses } })
    }
    const kinds = await store.kindsWith(tx, level.name)
    if (kinds.length > 0) {
      const detail = `The level ${level.name} is suggested for ${kinds.join(', ')}; give these kinds another level first (PUT /api/classification/kinds/{kind}).`
      throw new Problem('in_use', { detail, members: { uses: kinds.length } })
    }
    const roles = await rolesWith(tx, level.name)
    if (roles.length > 0) {
      const detail = `The level ${level.name} is the clearance of ${roles.join(', ')}; give these roles another one first (PUT /api/classification/clearances/{role}).`
      throw new Problem('in_use', { detail, members: { uses: roles.length } })
    }
    await store.deleteLevel(tx, id)
    return deleted('classification-level', store.toLevel(level))
  }

  async listResources(query: ResourceQuery) {
    const { rows, total, nextCursor } = await store.listResources(this.#needs.metadata.db, query)
    return { resources: rows.map(store.toResource), total, nextCursor }
  }

  async getResource(id: string): Promise<Resource> {
    const row = await orNotFound(store.findResource(this.#needs.metadata.db, id))
    return store.toResource(row)
  }

  /** Gives a resource, or some of its columns, a level, in place of the one it may have. */
  async tag(tx: Db, actor: Actor, body: ResourceTag): Promise<Outcome<Resource>> {
    const resource = resourceName(body.resource)
    await this.requireLevel(tx, body.level, '/level')
    const columns = JSON.stringify((body.columns ?? []).toSorted())
    const { clock, makeId } = this.#needs
    const label = { level: body.level, reason: body.reason ?? '' }
    const before = await store.lockClassified(tx, resource, columns)
    await markLabel(tx, resource)
    if (before !== undefined) {
      await this.#requireClearance(tx, actor, before, body.level)
      const after = { ...before, ...label, ...nextStamps(before, clock) }
      await store.updateResource(tx, after)
      return { ...updated('classification', store.toResource(before), store.toResource(after)), status: 200 }
    }
    const row = { id: makeId('cls'), resource, columns, created_by: actor.id, ...label, ...firstStamps(clock) }
    await store.insertResource(tx, row)
    return created('classification', store.toResource(row))
  }

  /** For areas that give their resources a level: throws where no level has this name. */
  async requireLevel(db: Db, level: string, pointer = '/classification'): Promise<void> {
    if ((await store.findLevelByName(db, level)) !== undefined) return
    const names = (await store.levelNames(db)).map((name) => `'${name}'`)
    throw invalidField(pointer, `must be the name of a classification level: ${names.join(', ')}`)
  }

  /** The levels of whole resources, in the same order; undefined for those that have none. */
  async levelsOf(db: Db, resources: readonly ResourceTag['resource'][]): Promise<(string | undefined)[]> {
    const names = resources.map(resourceName)
    const levels = new Map((await store.findWhole(db, names)).map(({ resource, level }) => [resource, level]))
    return names.map((name) => levels.get(name))
  }

  /** The levels of data references and of their columns, given or inherited, for those that have any; the strictest of each. */
  async allLevelsOf(db: Db, references: readonly string[]): Promise<Map<string, Levels>> {
    const ranks = await readRanks(db)
    const isStricter = (level: string, than: string | null | undefined) =>
      (ranks.get(level) ?? -1) > (ranks.get(than ?? '') ?? -1)
    const found = new Map<string, Levels>()
    const add = (resource: string, column: string, level: string) => {
      const known = found.getOrInsertComputed(resource, () => ({ level: null, columns: new Map() }))
      if (column === '' && isStricter(level, known.level)) known.level = level
      if (column !== '' && isStricter(level, known.columns.get(column))) known.columns.set(column, level)
    }
    for (const { resource, columns, level } of await givenTo(db, references)) {
      for (const column of columns.length === 0 ? [''] : columns) add(resource, column, level)
    }
    for (const { resource, column, level } of await readInherited(db, references)) add(resource, column, level)
    return found
  }

  /** Removes the levels of a resource that was deleted, and what was suggested for it. */
  async forget(tx: Db, resource: ResourceTag['resource']): Promise<void> {
    const name = resourceName(resource)
    await store.deleteClassified(tx, name)
    await markLabel(tx, name)
    await deleteOf(tx, name)
  }

  async untag(tx: Db, actor: Actor, id: string): Promise<Outcome<null>> {
    const resource = await orNotFound(store.lockResource(tx, id))
    await this.#requireClearance(tx, actor, resource, undefined)
    await store.deleteResource(tx, id)
    await markLabel(tx, resource.resource)
    return deleted('classification', store.toResource(resource))
  }

  /** Takes the level of a whole resource away that stays; what it had for columns stays too. */
  async untagWhole(tx: Db, actor: Actor, resource: ResourceTag['resource']): Promise<void> {
    const row = await store.lockClassified(tx, resourceName(resource), '[]')
    if (row === undefined) return
    await this.#requireClearance(tx, actor, row, undefined)
    await store.deleteResource(tx, row.id)
  }

  /** Whether somebody may see everything: whatever level it has, or because nothing has one. */
  async maySeeAll(actor: Actor): Promise<boolean> {
    if ((await this.#needs.cache.clearanceOf(actor.role)).rank === Number.POSITIVE_INFINITY) return true
    return !(await hasRows(this.#needs.metadata.db.selectFrom('classification_resources')))
  }

  /** Those among nodes of the lineage that have a level, as a whole or in columns, above the clearance of somebody. */
  async above(actor: Actor, references: readonly string[]): Promise<Set<string>> {
    const clearance = await this.#needs.cache.clearanceOf(actor.role)
    const ranks = await readRanks(this.#needs.metadata.db)
    const isAbove = (level: string | null) => level !== null && (ranks.get(level) ?? -1) > clearance.rank
    const levels = await this.allLevelsOf(this.#needs.metadata.db, references)
    const found = [...levels].filter(([, { level, columns }]) => [level, ...columns.values()].some(isAbove))
    return new Set(found.map(([reference]) => reference))
  }

  /** Refuses callers above whose clearance any level is of nodes of the lineage that are outside the platform. */
  async requireOutside(actor: Actor, references: readonly string[]): Promise<void> {
    const { metadata, cache } = this.#needs
    const given = await givenTo(metadata.db, references)
    const labels = [
      ...given.map(({ resource, columns: [column = ''], level }) => ({ resource, column, level })),
      ...(await readInherited(metadata.db, references))
    ]
    if (labels.length === 0) return
    const clearance = await cache.clearanceOf(actor.role)
    for (const { resource, column, level } of labels) {
      const known = await store.findLevelByName(metadata.db, level)
      if (known === undefined || known.rank <= clearance.rank) continue
      const { rank, without_clearance: withoutClearance } = known
      const label = { resource, level, rank, withoutClearance, columns: column === '' ? [] : [column] }
      throw aboveClearance({ data: resource, label, isNamed: true, clearance, role: actor.role })
    }
  }

  /** Whoever may not see the data may not make them less secret either, and look then. */
  async #requireClearance(tx: Db, actor: Actor, row: ResourceRow, next: string | undefined): Promise<void> {
    const known = await store.findLevelByName(tx, row.level)
    const clearance = await this.#needs.cache.clearanceOf(actor.role)
    if (known === undefined || known.rank <= clearance.rank) return
    const wanted = next === undefined ? undefined : await store.findLevelByName(tx, next)
    if (wanted !== undefined && wanted.rank >= known.rank) return
    const { resource, level } = row
    const label = {
      resource,
      level,
      rank: known.rank,
      withoutClearance: known.without_clearance,
      columns: JSON.parse(row.columns) as string[]
    }
    throw aboveClearance({ data: resource, label, isNamed: true, clearance, role: actor.role })
  }
}

function requireLevel(tx: Db, id: string): Promise<LevelRow> {
  return orNotFound(store.findLevel(tx, id))
}

const TAKEN = 'Another level has this name or this rank; choose others.'
