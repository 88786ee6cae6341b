import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import type { Candidate, Candidates } from '../candidates.ts'
import type { Verdict } from '../compatibility.ts'
import { findContent, findContentLike } from '../content-store.ts'
import type { SchemaRow } from '../migrations.ts'
import type { Checked, Registration } from '../registration.ts'
import type { Schemas } from '../service.ts'
import { findSchemaByName, insertSchema } from '../store.ts'
import type { FullVersion } from '../version-store.ts'
import { idOf } from '../versions.ts'
import { toVersion } from '../view.ts'
import { modeOf, requireMode } from './modes.ts'
import { notPermitted, otherId, schemaNotFound, subjectNotFound } from './refusals.ts'
import { candidateOf } from './requests.ts'
import type { SchemaRequest } from './schema.ts'
import { findRegistered, lockSubject } from './store.ts'
import { shownOf } from './subjects.ts'
import { incompatible } from './verdicts.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
  readonly registration: Registration
  readonly schemas: Schemas
}

/** What was found out about a schema before the transaction. */
export interface Gathered {
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

  /** The same schema again is the version that it is already, whatever the mode. */
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
    // A subject that came in between was never looked at: no state of it is the one that was checked.
    const unchecked = { candidate, verdict: NOTHING_CHECKED, schemaVersion: -1 }
    const verdict = await registration.confirm(tx, row, checked ?? unchecked)
    if (!verdict.compatible) throw incompatible(row.name, verdict)
  }
}

const NOTHING_CHECKED: Verdict = { compatible: true, mode: 'NONE', checkedAgainst: [], violations: [] }

function chosen({ id, version }: SchemaRequest): { id: number | undefined; version: number | undefined } {
  return { id: id != null && id >= 0 ? id : undefined, version: version != null && version > 0 ? version : undefined }
}

/** Messages carry the id, so it must be the one asked for and mean nothing else. */
async function requireSameId(tx: Db, { fingerprint }: Candidate, id: number | undefined): Promise<void> {
  if (id === undefined) return
  const same = await findContentLike(tx, fingerprint)
  if (same !== undefined && same.id !== id) throw otherId(id, same.id)
  if (same === undefined && (await findContent(tx, id)) !== undefined)
    throw notPermitted(`The id ${id} is that of another schema, and stays it.`)
}

function toOutcome(before: FullVersion | undefined, version: FullVersion): Outcome<FullVersion> {
  const after = toVersion(version)
  const change = { type: 'schema-version', id: idOf(after), ...(before && { before: toVersion(before) }), after }
  return { answer: version, changes: [change] }
}
