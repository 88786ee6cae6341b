import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Actor } from '../../http/permissions.ts'
import { deleted, type Outcome } from '../../http/route.ts'
import type { Candidate, Candidates } from './candidates.ts'
import { Problem } from './errors.ts'
import type { SchemaRow } from './migrations.ts'
import { type Checked, type Registration, requireCompatible, requireWritable } from './registration.ts'
import type { SchemaVersion, VersionCreate, VersionQuery, VersionState, VersionUpdate } from './schema.ts'
import { deleteFirst, lockLive, notDeleted, requireSchema } from './service.ts'
import { deleteUnused, updateSchema } from './store.ts'
import { type Insistence, requireNoReferences, type SchemaUsers } from './users.ts'
import {
  deleteVersion,
  type FullVersion,
  findLatest,
  findVersion,
  listVersions,
  metadataText,
  updateVersion,
  usersOf
} from './version-store.ts'
import { toVersion } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly candidates: Candidates
  readonly registration: Registration
  readonly users: SchemaUsers
}

/** The states that may follow each state. A version that was enabled once can't become a draft again. */
const NEXT: Record<VersionState, readonly VersionState[]> = {
  draft: ['draft', 'enabled'],
  enabled: ['enabled', 'deprecated', 'disabled'],
  deprecated: ['deprecated', 'enabled', 'disabled'],
  disabled: ['disabled', 'enabled', 'deprecated']
}

export class Versions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(schemaId: string, query: VersionQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await listVersions(db, schemaId, query)
    await requireSchema(db, schemaId)
    return { versions: rows.map(toVersion), total, nextCursor }
  }

  async get(schemaId: string, number: string): Promise<SchemaVersion> {
    const { db } = this.#needs.metadata
    await requireSchema(db, schemaId)
    return toVersion(await requireVersion(db, schemaId, number))
  }

  async usedBy(schemaId: string, number: string) {
    const { db } = this.#needs.metadata
    await requireSchema(db, schemaId)
    const version = await requireVersion(db, schemaId, number)
    const users = await usersOf(db, schemaId, version.number)
    return {
      referencedBy: users.map((user) => {
        return { schemaId: user.schema.id, name: user.schema.name, version: user.number, state: user.state }
      })
    }
  }

  /** Parses the schema that was sent, and checks it against earlier versions. */
  async gather(schemaId: string, body: VersionCreate): Promise<Checked> {
    const { metadata, candidates, registration } = this.#needs
    const schema = await requireSchema(metadata.db, schemaId)
    const candidate = await candidates.of(schema.type, body.schema, body.references)
    return this.#checked(registration, schema, candidate, body.state === 'draft')
  }

  /** Checks a candidate, but not a draft, which is checked when it is enabled. */
  #checked(registration: Registration, schema: SchemaRow, candidate: Candidate, isDraft: boolean): Promise<Checked> {
    if (!isDraft) return registration.check(schema, candidate)
    const verdict = { compatible: true, mode: 'NONE' as const, checkedAgainst: [], violations: [] }
    return Promise.resolve({ candidate, verdict, schemaVersion: schema.version })
  }

  /** Adds a version. A schema that is a version already is answered with that version. */
  async add(
    tx: Db,
    actor: Actor,
    schemaId: string,
    body: VersionCreate,
    checked: Checked
  ): Promise<Outcome<SchemaVersion>> {
    const { registration } = this.#needs
    const schema = await lockLive(tx, schemaId)
    const known = await registration.find(tx, schemaId, checked.candidate)
    if (known !== undefined) {
      const answer = toVersion(known)
      return { ...same(answer), status: 200, headers: { location: addressOf(answer) } }
    }
    await requireWritable(tx, schema)
    const state = body.state ?? 'enabled'
    if (state !== 'draft') requireCompatible(await registration.confirm(tx, schema, checked))
    const { version } = await registration.add(tx, actor, schema, {
      candidate: checked.candidate,
      state,
      metadata: body.metadata
    })
    const answer = toVersion(version)
    return {
      answer,
      headers: { location: addressOf(answer) },
      changes: [{ type: 'schema-version', id: idOf(answer), after: answer }]
    }
  }

  /** Checks a draft that is to become anything else; undefined for other changes. */
  async gatherUpdate(schemaId: string, number: string, change: VersionUpdate): Promise<Checked | undefined> {
    const { db } = this.#needs.metadata
    const schema = await requireSchema(db, schemaId)
    const version = await requireVersion(db, schemaId, number)
    if (version.state !== 'draft' || (change.state ?? 'draft') === 'draft') return undefined
    const candidate = await this.#needs.candidates.of(version.type, version.text, toVersion(version).references)
    return this.#needs.registration.check(schema, candidate)
  }

  async update(
    tx: Db,
    schemaId: string,
    number: string,
    change: VersionUpdate,
    checked: Checked | undefined,
    force: boolean
  ): Promise<Outcome<SchemaVersion>> {
    const schema = await lockLive(tx, schemaId)
    await requireWritable(tx, schema)
    const before = await requireVersion(tx, schemaId, number)
    const state = change.state ?? before.state
    if (!NEXT[before.state].includes(state)) throw illegal(before.state, state)
    if (before.state === 'draft' && state !== 'draft') {
      if (checked === undefined) throw new Problem('schema_busy', { headers: { 'retry-after': '1' } })
      requireCompatible(await this.#needs.registration.confirm(tx, schema, checked))
    }
    const metadata = change.metadata === undefined ? before.metadata : metadataText(change.metadata)
    const outcome = await this.#changed(tx, schema, before, { state, metadata })
    if (state === 'disabled' && before.state !== 'disabled') await this.#needs.users.requireNoneOf(tx, before, force)
    return outcome
  }

  async remove(tx: Db, schemaId: string, number: string, force: boolean): Promise<Outcome<null>> {
    const schema = await lockLive(tx, schemaId)
    await requireWritable(tx, schema)
    const before = await requireVersion(tx, schemaId, number)
    await this.putAway(tx, schema, before, force)
    return deleted('schema-version', { ...toVersion(before), id: idOf(toVersion(before)) })
  }

  async putAway(tx: Db, schema: SchemaRow, version: FullVersion, force: Insistence): Promise<void> {
    await requireNoReferences(tx, schema.id, [version])
    await this.#changed(tx, schema, version, { deleted_at: this.#needs.clock.iso() })
    await this.#needs.users.requireNoneOf(tx, version, force)
  }

  async removeForGood(tx: Db, schemaId: string, number: string, force: boolean): Promise<Outcome<null>> {
    const schema = await lockLive(tx, schemaId)
    await requireWritable(tx, schema)
    const before = await requireVersion(tx, schemaId, number, 'any')
    if (before.deleted_at === null) throw deleteFirst('version')
    await this.destroy(tx, schema, before, force)
    return deleted('schema-version', { ...toVersion(before), id: idOf(toVersion(before)) })
  }

  async destroy(tx: Db, schema: SchemaRow, version: FullVersion, force: Insistence): Promise<void> {
    await requireNoReferences(tx, schema.id, [version])
    await this.#needs.users.requireNoneOf(tx, version, force)
    await deleteVersion(tx, schema.id, version.number)
    await deleteUnused(tx, version.content_id)
    await this.#touch(tx, schema)
  }

  /** Brings a deleted version back under its old number. */
  async restore(tx: Db, schemaId: string, number: string): Promise<Outcome<SchemaVersion>> {
    const schema = await lockLive(tx, schemaId)
    await requireWritable(tx, schema)
    const before = await requireVersion(tx, schemaId, number, 'any')
    if (before.deleted_at === null) throw notDeleted()
    return this.#changed(tx, schema, before, { deleted_at: null })
  }

  async #changed(
    tx: Db,
    schema: SchemaRow,
    before: FullVersion,
    change: Partial<Pick<FullVersion, 'state' | 'metadata' | 'deleted_at'>>
  ): Promise<Outcome<SchemaVersion>> {
    const revision = before.revision + 1
    await updateVersion(tx, before, { ...change, revision })
    await this.#touch(tx, schema)
    const answer = toVersion({ ...before, ...change, revision })
    return { answer, changes: [{ type: 'schema-version', id: idOf(answer), before: toVersion(before), after: answer }] }
  }

  /** Counts a change of a version as a change of the schema, so that earlier verdicts no longer hold. */
  #touch(tx: Db, schema: SchemaRow) {
    return updateSchema(tx, { ...schema, version: schema.version + 1, updated_at: this.#needs.clock.iso() })
  }
}

export const idOf = ({ schemaId, version }: Pick<SchemaVersion, 'schemaId' | 'version'>) => `${schemaId}/${version}`
const addressOf = ({ schemaId, version }: SchemaVersion) => `/api/schemas/${schemaId}/versions/${version}`

function same(answer: SchemaVersion): Outcome<SchemaVersion> {
  return { answer, changes: [{ type: 'schema-version', id: idOf(answer), before: answer, after: answer }] }
}

/** `number`: digits, or `latest` for the newest that is in force. */
export async function requireVersion(
  db: Db,
  schemaId: string,
  number: string,
  which: 'live' | 'any' = 'live'
): Promise<FullVersion> {
  const found = number === 'latest' ? await findLatest(db, schemaId) : await findVersion(db, schemaId, Number(number))
  if (found === undefined || (which === 'live' && found.deleted_at !== null)) throw new Problem('not_found')
  return found
}

function illegal(from: VersionState, to: VersionState): Problem {
  const allowedFrom = Object.entries(NEXT)
    .filter(([, next]) => next.includes(to))
    .map(([state]) => state)
  return new Problem('illegal_transition', {
    detail: `A version can’t go from ${from} to ${to}.`,
    members: { currentStatus: from, allowedFrom, operation: `become ${to}` }
  })
}
