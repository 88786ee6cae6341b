import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../http/permissions.ts'
import { deleted, type Outcome, updated } from '../../http/route.ts'
import { dataDeleted, dataMade } from '../lineage/index.ts'
import type { Candidate } from './candidates.ts'
import type { SchemaRow } from './migrations.ts'
import { type Registration, requireWritable } from './registration.ts'
import type { Schema, SchemaCreate, SchemaQuery, SchemaSummary, SchemaUpdate } from './schema.ts'
import * as store from './store.ts'
import { deleteUnused } from './store.ts'
import type { Insistence, SchemaUsers } from './users.ts'
import { deleteVersion, type FullVersion, newestVersions, numbersOf, updateVersion } from './version-store.ts'
import { referenceOf, toSummary, toVersion } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly registration: Registration
  readonly users: SchemaUsers
}

/** Versions that an answer holds, and how much text they may have together. */
const MAX_SHOWN = 100
const MAX_SHOWN_CHARS = 4 * 1024 * 1024

/** Schemas by their names, each with the versions it has had. */
export class Schemas {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: SchemaQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listSchemas(db, query)
    const counts = await store.countVersions(
      db,
      rows.map(({ id }) => id)
    )
    const { compatibility } = await store.findSettings(db)
    return { schemas: rows.map((row) => toSummary(row, compatibility, counts.get(row.id))), total, nextCursor }
  }

  async get(id: string): Promise<Schema> {
    const { db } = this.#needs.metadata
    return this.#withVersions(db, await requireSchema(db, id))
  }

  /** Creates a schema. A name that has the same text already is answered as it is. */
  async create(tx: Db, actor: Actor, body: SchemaCreate, candidate: Candidate): Promise<Outcome<Schema>> {
    const known = await store.findSchemaByName(tx, body.name)
    if (known !== undefined && known.last_number > 0) return this.#sameAgain(tx, known, candidate)
    await requireWritable(tx, known)
    const row = withSettings(this.newRow(actor, body, candidate), known)
    if (known === undefined) await store.insertSchema(tx, row)
    const addition = { candidate, state: 'enabled' as const, metadata: body.metadata }
    const { schema } = await this.#needs.registration.add(tx, actor, row, addition)
    const answer = await this.#withVersions(tx, schema)
    return { answer, changes: [{ type: 'schema', id: row.id, after: answer }] }
  }

  newRow(
    actor: Actor,
    body: Pick<SchemaCreate, 'name' | 'compatibility' | 'description' | 'tags'>,
    { type }: Pick<Candidate, 'type'>
  ): SchemaRow {
    const now = this.#needs.clock.iso()
    return {
      id: this.#needs.makeId('sch'),
      name: body.name,
      type,
      compatibility: body.compatibility ?? null,
      mode: null,
      description: body.description ?? '',
      tags: JSON.stringify(body.tags ?? []),
      last_number: 0,
      version: 0,
      created_by: actor.id,
      created_at: now,
      updated_at: now,
      deleted_at: null
    }
  }

  async #sameAgain(tx: Db, row: SchemaRow, candidate: Candidate): Promise<Outcome<Schema>> {
    if (row.deleted_at !== null) {
      throw new Problem('name_taken', {
        detail: 'A deleted schema has this name: restore it, delete it for good, or choose another name.',
        members: { schemaId: row.id }
      })
    }
    if ((await this.#needs.registration.find(tx, row.id, candidate)) === undefined) {
      const detail = `Another schema has this name; add a version to it with POST /api/schemas/${row.id}/versions, or choose another.`
      throw new Problem('name_taken', { detail, members: { schemaId: row.id } })
    }
    const answer = await this.#withVersions(tx, row)
    const location = `/api/schemas/${row.id}`
    return {
      answer,
      status: 200,
      headers: { location },
      changes: [{ type: 'schema', id: row.id, before: answer, after: answer }]
    }
  }

  async update(tx: Db, id: string, change: SchemaUpdate): Promise<Outcome<SchemaSummary>> {
    const before = await lockLive(tx, id)
    await requireWritable(tx, before)
    const after = {
      ...before,
      ...(change.description !== undefined && { description: change.description }),
      ...(change.tags !== undefined && { tags: JSON.stringify(change.tags) }),
      ...(change.compatibility !== undefined && { compatibility: change.compatibility })
    }
    return this.#saved(tx, before, after)
  }

  /** Puts the schema and all its versions away, to be restored or to be deleted for good. */
  async remove(tx: Db, id: string, force: boolean): Promise<Outcome<null>> {
    const before = await lockLive(tx, id)
    await requireWritable(tx, before)
    await this.putAway(tx, before, force)
    const summary = await this.#summary(tx, before)
    return deleted('schema', summary)
  }

  /** Marks the schema as deleted, and its versions that were not deleted before. */
  async putAway(tx: Db, row: SchemaRow, force: Insistence): Promise<void> {
    const now = this.#needs.clock.iso()
    const versions = (await numbersOf(tx, row.id)).filter(({ deleted_at: at }) => at === null)
    for (const version of versions)
      await updateVersion(tx, version, { deleted_at: now, revision: version.revision + 1 })
    await store.updateSchema(tx, { ...row, version: row.version + 1, updated_at: now, deleted_at: now })
    await this.#needs.users.requireNone(tx, row.id, versions, force)
    await dataDeleted(tx, [referenceOf(row)], this.#needs.clock.now())
  }

  async removeForGood(tx: Db, id: string, force: boolean): Promise<Outcome<null>> {
    const before = await store.lockSchema(tx, id)
    if (before === undefined) throw new Problem('not_found')
    await requireWritable(tx, before)
    if (before.deleted_at === null) throw deleteFirst('schema')
    await this.destroy(tx, before, force)
    return deleted('schema', await this.#summary(tx, before))
  }

  async destroy(tx: Db, row: SchemaRow, force: Insistence): Promise<void> {
    const versions = await numbersOf(tx, row.id)
    await this.#needs.users.requireNone(tx, row.id, versions, force)
    for (const version of versions) {
      await deleteVersion(tx, row.id, version.number)
      await deleteUnused(tx, version.content_id)
    }
    await store.deleteSchema(tx, row.id)
  }

  /** Brings back the schema, with the versions that went with it, each under its number. */
  async restore(tx: Db, id: string): Promise<Outcome<SchemaSummary>> {
    const before = await store.lockSchema(tx, id)
    if (before === undefined) throw new Problem('not_found')
    await requireWritable(tx, before)
    if (before.deleted_at === null) throw notDeleted()
    for (const version of await numbersOf(tx, id)) {
      if (version.deleted_at !== before.deleted_at) continue
      await updateVersion(tx, version, { deleted_at: null, revision: version.revision + 1 })
    }
    await dataMade(tx, referenceOf(before), this.#needs.clock.now())
    return this.#saved(tx, before, { ...before, deleted_at: null })
  }

  async #saved(tx: Db, before: SchemaRow, changed: SchemaRow): Promise<Outcome<SchemaSummary>> {
    const shown = await this.#summary(tx, before)
    const after = { ...changed, version: before.version + 1, updated_at: this.#needs.clock.iso() }
    await store.updateSchema(tx, after)
    return updated('schema', shown, await this.#summary(tx, after))
  }

  async #summary(db: Db, row: SchemaRow): Promise<SchemaSummary> {
    const counts = await store.countVersions(db, [row.id])
    return toSummary(row, (await store.findSettings(db)).compatibility, counts.get(row.id))
  }

  async #withVersions(db: Db, row: SchemaRow): Promise<Schema> {
    const versions = fitting(await newestVersions(db, row.id, MAX_SHOWN)).map(toVersion)
    return { ...(await this.#summary(db, row)), versions: versions.toReversed() }
  }
}

/** Gives a new schema the settings that its name was given before it existed. */
function withSettings(row: SchemaRow, known: SchemaRow | undefined): SchemaRow {
  if (known === undefined) return row
  const { id, mode, version } = known
  return { ...row, id, mode, version, compatibility: row.compatibility ?? known.compatibility }
}

function fitting(newest: readonly FullVersion[]): FullVersion[] {
  let chars = 0
  return newest.filter(({ text }, index) => {
    chars += text.length
    return index === 0 || chars <= MAX_SHOWN_CHARS
  })
}

/** A schema by its id; refuses one that does not exist or is deleted. */
export async function requireSchema(db: Db, id: string): Promise<SchemaRow> {
  const row = await store.findSchema(db, id)
  if (row === undefined || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

export async function lockLive(tx: Db, id: string): Promise<SchemaRow> {
  const row = await store.lockSchema(tx, id)
  if (row === undefined || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

export function deleteFirst(what: string): Problem {
  return new Problem('illegal_transition', {
    detail: `Only a deleted ${what} can be deleted for good; delete it without permanent first.`,
    members: { currentStatus: 'live', allowedFrom: ['deleted'], operation: 'delete permanently' }
  })
}

export function notDeleted(): Problem {
  return new Problem('illegal_transition', {
    detail: 'It is not deleted, so there is nothing to restore.',
    members: { currentStatus: 'live', allowedFrom: ['deleted'], operation: 'restore' }
  })
}
