import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import type { Candidate, Candidates } from '../candidates.ts'
import type { Verdict } from '../compatibility.ts'
import type { SchemaRow } from '../migrations.ts'
import { type Checked, modeOf, type Registration, requireWritable } from '../registration.ts'
import type { Schemas } from '../service.ts'
import { deleteSchema, findContent, findContentLike, findSchemaByName, findSettings, insertSchema } from '../store.ts'
import { type FullVersion, findVersion, numbersOf } from '../version-store.ts'
import { idOf, type Versions } from '../versions.ts'
import { toSummary, toVersion } from '../view.ts'
import { incompatible } from './checks.ts'
import { candidateOf } from './forms.ts'
import {
  notPermitted,
  otherId,
  schemaNotFound,
  subjectDeleted,
  subjectNotDeleted,
  subjectNotFound,
  versionDeleted,
  versionNotDeleted
} from './manners.ts'
import type { SchemaRequest } from './schema.ts'
import { requireMode } from './settings.ts'
import { findRegistered, lockSubject } from './store.ts'
import { requireVersion, shownOf } from './subjects.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
  readonly registration: Registration
  readonly schemas: Schemas
}

/** The parsed schema and the verdict on it, found before the transaction. */
interface Gathered {
  readonly candidate: Candidate
  readonly checked: Checked | undefined
}

/** Registers schemas under subjects, and finds them there. */
export class Registrations {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async gather(subject: string, request: SchemaRequest): Promise<Gathered> {
    const { db } = this.#needs.metadata
    const candidate = await candidateOf(this.#needs, request)
    const row = await findSchemaByName(db, subject)
    if (row === undefined || (await modeOf(db, row)) !== 'READWRITE') return { candidate, checked: undefined }
    // Producers register what is there already whenever they start: there is nothing to check then.
    if ((await this.#registered(db, row, candidate, 'live')) !== undefined) return { candidate, checked: undefined }
    return { candidate, checked: await this.#needs.registration.check(row, candidate) }
  }

  /** Registers a schema. One that the subject has already is answered with its version, in every mode. */
  async register(
    tx: Db,
    actor: Actor,
    subject: string,
    request: SchemaRequest,
    { candidate, checked }: Gathered
  ): Promise<Outcome<FullVersion>> {
    const there = await lockSubject(tx, subject)
    const { id, version: number } = chosen(request)
    const known = there && (await this.#registered(tx, there, candidate, 'live'))
    if (known !== undefined && (id ?? known.content_id) === known.content_id) return toOutcome(known, known)
    const mode = await modeOf(tx, there)
    requireMode(mode, subject, id !== undefined || number !== undefined)
    if (mode === 'IMPORT') await requireSameId(tx, candidate, id)
    else if (there !== undefined) await this.#requireFit(tx, there, { candidate, checked })
    const row = there ?? this.#needs.schemas.newRow(actor, { name: subject }, candidate)
    if (there === undefined) await insertSchema(tx, row)
    const { version } = await this.#needs.registration.add(tx, actor, row, {
      candidate,
      state: 'enabled',
      metadata: request.metadata,
      number,
      contentId: id
    })
    return toOutcome(undefined, version)
  }

  async find(subject: string, request: SchemaRequest, which: 'live' | 'any'): Promise<FullVersion> {
    const { db } = this.#needs.metadata
    const candidate = await candidateOf(this.#needs, request)
    const row = await findSchemaByName(db, subject)
    const found = row && (await this.#registered(db, row, candidate, which))
    if (found !== undefined) return found
    const isThere = row !== undefined && (await shownOf(db, row, which)).length > 0
    throw isThere ? schemaNotFound() : subjectNotFound(subject)
  }

  async #registered(db: Db, row: SchemaRow, { fingerprint }: Candidate, which: 'live' | 'any') {
    const content = await findContentLike(db, fingerprint)
    return content && findRegistered(db, row.id, content.id, which)
  }

  async #requireFit(tx: Db, row: SchemaRow, { candidate, checked }: Gathered): Promise<void> {
    const { registration } = this.#needs
    const withheld = await registration.find(tx, row.id, candidate)
    if (withheld?.state === 'disabled')
      throw notPermitted(`This is version ${withheld.number}, which is disabled; enable that one.`)
    // The subject was created after the check. The version -1 never matches, so the schema is checked again.
    const unchecked = { candidate, verdict: NOTHING_CHECKED, schemaVersion: -1 }
    const verdict = await registration.confirm(tx, row, checked ?? unchecked)
    if (!verdict.compatible) throw incompatible(row.name, verdict)
  }
}

const NOTHING_CHECKED: Verdict = { compatible: true, mode: 'NONE', checkedAgainst: [], violations: [] }

function chosen({ id, version }: SchemaRequest): { id: number | undefined; version: number | undefined } {
  return { id: id != null && id >= 0 ? id : undefined, version: version != null && version > 0 ? version : undefined }
}

/** Refuses an id that another text has, or a text that has another id: messages carry the id. */
async function requireSameId(tx: Db, { fingerprint }: Candidate, id: number | undefined): Promise<void> {
  if (id === undefined) return
  const same = await findContentLike(tx, fingerprint)
  if (same !== undefined && same.id !== id) throw otherId(id, same.id)
  if (same === undefined && (await findContent(tx, id)) !== undefined)
    throw notPermitted(`The id ${id} is that of another schema, and stays it.`)
}

function toOutcome(before: FullVersion | undefined, version: FullVersion): Outcome<FullVersion> {
  const after = toVersion(version)
  const what = { type: 'schema-version', id: idOf(after) } as const
  const change = before === undefined ? { ...what, after } : { ...what, before: toVersion(before), after }
  return { answer: version, changes: [change] }
}

interface RemovalNeeds {
  readonly schemas: Schemas
  readonly versions: Versions
}

/** Deletes subjects and versions: first so that they can be restored, then for good. */
export class Removals {
  readonly #needs: RemovalNeeds

  constructor(needs: RemovalNeeds) {
    this.#needs = needs
  }

  async subject(tx: Db, subject: string): Promise<Outcome<number[]>> {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    const shown = row === undefined ? [] : await shownOf(tx, row, 'any')
    if (row === undefined || shown.length === 0) throw subjectNotFound(subject)
    const live = shown.filter(({ deleted_at: at }) => at === null)
    if (live.length === 0) throw subjectDeleted(subject)
    await this.#putAway(tx, row)
    return removalOutcome(tx, row, live)
  }

  async subjectForGood(tx: Db, subject: string): Promise<Outcome<number[]>> {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    const shown = row === undefined ? [] : await shownOf(tx, row, 'any')
    if (row === undefined || shown.length === 0) throw subjectNotFound(subject)
    if (shown.some(({ deleted_at: at }) => at === null)) throw subjectNotDeleted(subject)
    const outcome = await removalOutcome(tx, row, shown)
    if (row.deleted_at !== null) await this.#needs.schemas.destroy(tx, row, 'not-here')
    // The schema has versions that the registry does not show. They stay, so only the shown ones are deleted.
    else
      for (const { number } of shown)
        await this.#destroy(tx, row, (await findVersion(tx, row.id, number)) as FullVersion)
    return outcome
  }

  async version(tx: Db, subject: string, version: number | 'latest'): Promise<Outcome<number>> {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    const before = await requireVersion(tx, subject, version, 'any')
    if (before.deleted_at !== null) throw versionDeleted(subject, before.number)
    const live = (await numbersOf(tx, before.schema_id)).filter(({ deleted_at: at }) => at === null)
    if (live.length > 1) await this.#needs.versions.putAway(tx, row as SchemaRow, before, 'not-here')
    else await this.#putAway(tx, row as SchemaRow)
    return versionOutcome(before)
  }

  async versionForGood(tx: Db, subject: string, version: number | 'latest'): Promise<Outcome<number>> {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    const before = await requireVersion(tx, subject, version, 'any')
    if (before.deleted_at === null) throw versionNotDeleted(subject, before.number)
    await this.#destroy(tx, row as SchemaRow, before)
    return versionOutcome(before)
  }

  /** Deletes a subject so that it can be restored. Its own compatibility and mode are cleared. */
  #putAway(tx: Db, row: SchemaRow) {
    return this.#needs.schemas.putAway(tx, { ...row, compatibility: null, mode: null }, 'not-here')
  }

  /** Deletes a version for good, and with the last version the subject. */
  async #destroy(tx: Db, row: SchemaRow, version: FullVersion): Promise<void> {
    await this.#needs.versions.destroy(tx, row, version, 'not-here')
    if ((await numbersOf(tx, row.id)).length === 0) await deleteSchema(tx, row.id)
  }
}

async function removalOutcome(
  tx: Db,
  row: SchemaRow,
  versions: readonly { number: number }[]
): Promise<Outcome<number[]>> {
  const before = toSummary(row, (await findSettings(tx)).compatibility)
  return { answer: versions.map(({ number }) => number), changes: [{ type: 'schema', id: row.id, before }] }
}

function versionOutcome(version: FullVersion): Outcome<number> {
  const before = toVersion(version)
  return { answer: version.number, changes: [{ type: 'schema-version', id: idOf(before), before }] }
}
