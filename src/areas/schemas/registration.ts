import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { TaskRunner } from '../../engines/schemas/index.ts'
import type { Actor } from '../../http/permissions.ts'
import { dataMade } from '../lineage/index.ts'
import { type Candidate, missingReference } from './candidates.ts'
import { check, checkNow, type PreparedCheck, prepareCheck, type Verdict, versionsToCheck } from './compatibility.ts'
import { Problem } from './errors.ts'
import type { ContentRow, SchemaRow, VersionRow } from './migrations.ts'
import type { CompatibilityMode, Reference, RegistryMode, VersionState } from './schema.ts'
import {
  findContentLike,
  findSettings,
  insertContent,
  insertUses,
  lockSchema,
  nextContentId,
  reserveContentId,
  updateSchema
} from './store.ts'
import { type FullVersion, findVersion, findVersionOf, insertVersion, metadataText } from './version-store.ts'
import { referenceOf } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly tasks: TaskRunner
}

/**
 * The verdict on a candidate, found before the transaction. It holds as long as the schema has the version
 * `schemaVersion`.
 */
export interface Checked {
  readonly candidate: Candidate
  readonly verdict: Verdict
  readonly schemaVersion: number
}

export interface Addition {
  readonly candidate: Candidate
  readonly state: VersionState
  /** As the client sent it; anything but an object is refused. */
  readonly metadata?: unknown
  /** Number and id that another registry gave, where a schema is imported from there. */
  readonly number?: number | undefined
  readonly contentId?: number | undefined
}

/** Checks and adds versions, for our own API and for the API of Confluent's registry. */
export class Registration {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Checks a candidate against the versions that the compatibility of the schema names, outside of any transaction. */
  async check(schema: SchemaRow, candidate: Candidate): Promise<Checked> {
    const { metadata, tasks } = this.#needs
    const prepared = await this.#prepare(metadata.db, schema, candidate)
    return { candidate, verdict: await check(tasks, prepared), schemaVersion: schema.version }
  }

  /** Checks a candidate against the given versions. */
  async checkAgainst(schema: SchemaRow, candidate: Candidate, versions: readonly FullVersion[]): Promise<Verdict> {
    const { metadata, tasks } = this.#needs
    return check(
      tasks,
      await prepareCheck(metadata.db, candidate, await compatibilityOf(metadata.db, schema), versions)
    )
  }

  /**
   * The verdict within the transaction. The schema may have changed since the check; then the candidate is checked
   * again.
   */
  async confirm(tx: Db, schema: SchemaRow, checked: Checked): Promise<Verdict> {
    const mode = await compatibilityOf(tx, schema)
    if (schema.version === checked.schemaVersion && mode === checked.verdict.mode) return checked.verdict
    const verdict = checkNow(this.#needs.tasks, await this.#prepare(tx, schema, checked.candidate))
    if (verdict === undefined) throw new Problem('schema_busy', { headers: { 'retry-after': '1' } })
    return verdict
  }

  async #prepare(db: Db, schema: SchemaRow, candidate: Candidate): Promise<PreparedCheck> {
    const mode = await compatibilityOf(db, schema)
    return prepareCheck(db, candidate, mode, await versionsToCheck(db, schema.id, mode))
  }

  /** The version of the schema that is this candidate already. */
  async find(db: Db, schemaId: string, { fingerprint }: Candidate): Promise<FullVersion | undefined> {
    const content = await findContentLike(db, fingerprint)
    return content && findVersionOf(db, schemaId, content.id)
  }

  /**
   * Adds a version to a schema that this transaction has locked or inserted. Answers the schema and the version as they
   * are afterwards.
   */
  async add(
    tx: Db,
    actor: Actor,
    schema: SchemaRow,
    addition: Addition
  ): Promise<{ schema: SchemaRow; version: FullVersion }> {
    const content = await keepContent(tx, addition)
    const number = addition.number ?? schema.last_number + 1
    const now = this.#needs.clock.iso()
    const row: VersionRow = {
      schema_id: schema.id,
      number,
      content_id: content.id,
      state: addition.state,
      metadata: metadataText(addition.metadata),
      revision: 1,
      created_by: actor.id,
      created_at: now,
      deleted_at: null
    }
    const after = {
      ...schema,
      type: content.type,
      last_number: Math.max(number, schema.last_number),
      version: schema.version + 1,
      updated_at: now,
      deleted_at: null
    }
    if (addition.number !== undefined && (await findVersion(tx, schema.id, number)) !== undefined) {
      throw new Problem('name_taken', { detail: `The schema has a version ${number}; choose another number.` })
    }
    await insertVersion(tx, row)
    await updateSchema(tx, after)
    if (schema.deleted_at !== null) await dataMade(tx, referenceOf(schema), this.#needs.clock.now())
    const { type, fingerprint, text, refers_to } = content
    return { schema: after, version: { ...row, type, fingerprint, text, refers_to } }
  }
}

/** The compatibility that holds for a schema: its own or that of the registry. */
export async function compatibilityOf(
  db: Db,
  { compatibility }: Pick<SchemaRow, 'compatibility'>
): Promise<CompatibilityMode> {
  return compatibility ?? (await findSettings(db)).compatibility
}

/** The mode that holds for a schema: its own or that of the registry, which may be stronger. */
export async function modeOf(db: Db, schema: Pick<SchemaRow, 'mode'> | undefined): Promise<RegistryMode> {
  const { mode } = await findSettings(db)
  return mode === 'READONLY_OVERRIDE' ? mode : (schema?.mode ?? mode)
}

/** Refuses changes to a schema, or without one to the registry, whose mode allows only reading. */
export async function requireWritable(db: Db, schema: Pick<SchemaRow, 'mode'> | undefined): Promise<void> {
  const mode = await modeOf(db, schema)
  if (mode.startsWith('READONLY')) throw new Problem('schemas_read_only', { members: { mode } })
}

export function requireCompatible({ compatible, mode, checkedAgainst, violations }: Verdict): void {
  if (compatible) return
  const [first] = violations
  const more = violations.length > 1 ? ` And ${violations.length - 1} more.` : ''
  throw new Problem('schema_incompatible', {
    detail: `${first?.message}${more} Mend what violations lists, or register it as another schema.`,
    members: { mode, checkedAgainst, violations: violations.slice(0, MAX_VIOLATIONS) }
  })
}

const MAX_VIOLATIONS = 1000

/**
 * Locks the schemas that a new text refers to, so that nobody deletes them before the transaction ends. Afterwards the
 * references protect them.
 */
async function holdReferences(tx: Db, references: readonly Reference[]): Promise<void> {
  for (const schemaId of new Set(references.map((reference) => reference.schemaId).toSorted()))
    await lockSchema(tx, schemaId)
  for (const reference of references) {
    const version = await findVersion(tx, reference.schemaId, reference.version)
    if (version === undefined || version.deleted_at !== null) throw missingReference(reference)
  }
}

async function keepContent(tx: Db, { candidate, contentId }: Addition): Promise<ContentRow> {
  const known = await findContentLike(tx, candidate.fingerprint)
  if (known !== undefined) return known
  const { type, fingerprint, text, references } = candidate
  await holdReferences(tx, references)
  const id = contentId ?? (await nextContentId(tx))
  if (contentId !== undefined) await reserveContentId(tx, contentId)
  const row = { id, type, fingerprint, text, refers_to: JSON.stringify(references) }
  await insertContent(tx, row)
  const used = new Map(references.map(({ schemaId, version }) => [`${schemaId} ${version}`, { schemaId, version }]))
  await insertUses(
    tx,
    [...used.values()].map(({ schemaId, version }) => ({ content_id: id, schema_id: schemaId, number: version }))
  )
  return row
}
