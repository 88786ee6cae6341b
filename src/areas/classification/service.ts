import { parseReference } from '../../data/reference.ts'
import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import type { Actor } from '../../http/permissions.ts'
import { created, deleted, type Outcome, updated } from '../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../http/rows.ts'
import type { LevelRow } from './migrations.ts'
import type { Level, LevelCreate, LevelQuery, LevelUpdate, Resource, ResourceQuery, ResourceTag } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
}

/** Resources that one statement asks about. */
const NAMES_AT_ONCE = 500

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
    const row = { id: makeId('lvl'), description: '', ...body, ...firstStamps(clock) }
    await orNameTaken(() => store.insertLevel(tx, row), TAKEN)
    return created('classification-level', store.toLevel(row))
  }

  async updateLevel(tx: Db, id: string, change: LevelUpdate): Promise<Outcome<Level>> {
    const before = await requireLevel(tx, id)
    const after = { ...before, ...change, ...nextStamps(before, this.#needs.clock) }
    await orNameTaken(() => store.updateLevel(tx, after), TAKEN)
    return updated('classification-level', store.toLevel(before), store.toLevel(after))
  }

  async deleteLevel(tx: Db, id: string): Promise<Outcome<null>> {
    const level = await requireLevel(tx, id)
    const uses = await store.countUses(tx, level.name)
    if (uses > 0) {
      const detail = `${uses} resource(s) have the level ${level.name}; give them another level first.`
      throw new Problem('in_use', { detail, members: { uses } })
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
    if (before !== undefined) {
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
    throw invalidField(pointer, 'must be the name of a classification level')
  }

  /** The levels of whole resources, in the same order; undefined for those that have none. */
  async levelsOf(db: Db, resources: readonly ResourceTag['resource'][]): Promise<(string | undefined)[]> {
    const names = resources.map(resourceName)
    const levels = new Map((await store.findWhole(db, names)).map(({ resource, level }) => [resource, level]))
    return names.map((name) => levels.get(name))
  }

  /** The levels of data references and of their columns, for those that have any; of several for a column, the strictest. */
  async allLevelsOf(db: Db, references: readonly string[]): Promise<Map<string, Levels>> {
    const found = new Map<string, Levels>()
    for (let from = 0; from < references.length; from += NAMES_AT_ONCE) {
      for (const row of await store.findOf(db, references.slice(from, from + NAMES_AT_ONCE))) {
        const levels = found.getOrInsertComputed(row.resource, () => ({ level: null, columns: new Map() }))
        const columns = JSON.parse(row.columns) as string[]
        if (columns.length === 0) levels.level = row.level
        // They come the least strict first.
        for (const column of columns) levels.columns.set(column, row.level)
      }
    }
    return found
  }

  /** Removes the levels of a resource that was deleted. */
  async forget(tx: Db, resource: ResourceTag['resource']): Promise<void> {
    await store.deleteClassified(tx, resourceName(resource))
  }

  async untag(tx: Db, id: string): Promise<Outcome<null>> {
    const resource = await orNotFound(store.lockResource(tx, id))
    await store.deleteResource(tx, id)
    return deleted('classification', store.toResource(resource))
  }
}

function requireLevel(tx: Db, id: string): Promise<LevelRow> {
  return orNotFound(store.findLevel(tx, id))
}

const TAKEN = 'Another level has this name or this rank; choose others.'

function resourceName(resource: ResourceTag['resource']): string {
  if (typeof resource !== 'string') return `${resource.type}:${resource.id}`
  const parsed = parseReference(resource)
  if ('problem' in parsed) throw invalidField('/resource', parsed.problem)
  return resource
}
