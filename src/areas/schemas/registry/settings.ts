import type { Clock } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import type { SchemaRow } from '../migrations.ts'
import { modeOf, requireWritable } from '../registration.ts'
import type { CompatibilityMode, RegistryMode } from '../schema.ts'
import type { Schemas } from '../service.ts'
import { deleteSchema, findSchemaByName, findSettings, insertSchema, updateSchema, updateSettings } from '../store.ts'
import { noOwnCompatibility, noOwnMode, notPermitted, subjectNotFound } from './manners.ts'
import { hasSubjects, lockSubject } from './store.ts'
import { shownOf } from './subjects.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly schemas: Schemas
}

type Own = Pick<SchemaRow, 'compatibility' | 'mode'>

/** The compatibility and mode of the registry and of subjects, which can be set before a subject has versions. */
export class Settings {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  all() {
    return findSettings(this.#needs.metadata.db)
  }

  async compatibility(subject: string, orGlobal: boolean): Promise<CompatibilityMode> {
    const row = await findSchemaByName(this.#needs.metadata.db, subject)
    if (row?.compatibility) return row.compatibility
    if (!orGlobal) throw noOwnCompatibility(subject)
    return (await this.all()).compatibility
  }

  async mode(subject: string, orGlobal: boolean): Promise<RegistryMode> {
    const { db } = this.#needs.metadata
    const row = await findSchemaByName(db, subject)
    const mode = await modeOf(db, row)
    if (row?.mode == null && mode !== 'READONLY_OVERRIDE' && !orGlobal) throw noOwnMode(subject)
    return mode
  }

  async setAll(tx: Db, change: { compatibility?: CompatibilityMode; mode?: RegistryMode }, force = false) {
    const { compatibility, mode } = await findSettings(tx)
    if (change.mode === undefined) await requireWritable(tx, undefined)
    if (change.mode === 'IMPORT' && mode !== 'IMPORT' && !force && (await hasSubjects(tx))) throw notEmpty()
    await updateSettings(tx, change)
    const before = { compatibility, mode }
    return { before, ...toOutcome({ type: 'schema-settings', id: 'global' }, before, { ...before, ...change }) }
  }

  async setCompatibility(tx: Db, actor: Actor, subject: string, compatibility: CompatibilityMode) {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    return this.#save(tx, row ?? (await this.#make(tx, actor, subject)), { compatibility })
  }

  async setMode(tx: Db, actor: Actor, subject: string, mode: RegistryMode, force: boolean) {
    const row = await lockSubject(tx, subject)
    const begins = mode === 'IMPORT' && (await modeOf(tx, row)) !== 'IMPORT' && !force
    if (begins && row !== undefined && (await shownOf(tx, row, 'live')).length > 0) throw notEmpty()
    return this.#save(tx, row ?? (await this.#make(tx, actor, subject)), { mode })
  }

  /** Removes a setting of a subject, and answers the value it had. */
  async clear<K extends keyof Own>(tx: Db, subject: string, what: K) {
    const row = await lockSubject(tx, subject)
    if (what === 'compatibility') await requireWritable(tx, row)
    const own = row?.[what]
    if (row === undefined || own == null) throw subjectNotFound(subject)
    const { changes } = await this.#save(tx, row, { [what]: null })
    return { changes, answer: own as NonNullable<SchemaRow[K]> }
  }

  /** Inserts a row for a subject without versions, to hold its settings. Only the routes for settings show it. */
  async #make(tx: Db, actor: Actor, name: string): Promise<SchemaRow> {
    const row = this.#needs.schemas.newRow(actor, { name }, { type: 'avro' })
    await insertSchema(tx, row)
    return row
  }

  async #save(tx: Db, row: SchemaRow, change: Partial<Own>): Promise<Outcome<Own>> {
    const after = { ...row, ...change, version: row.version + 1, updated_at: this.#needs.clock.iso() }
    const isBare = after.last_number === 0 && after.compatibility === null && after.mode === null
    if (isBare) await deleteSchema(tx, row.id)
    else await updateSchema(tx, after)
    return toOutcome({ type: 'schema', id: row.id }, ownOf(row), ownOf(after))
  }
}

const ownOf = ({ name, compatibility, mode }: SchemaRow) => ({ name, compatibility, mode })

type What = { readonly type: 'schema' | 'schema-settings'; readonly id: string }

function toOutcome<T extends object>(what: What, before: T, after: T): Outcome<T> {
  return { answer: after, changes: [{ ...what, before, after }] }
}

function notEmpty() {
  return notPermitted('There are schemas already; delete them first, or send force=true.')
}

export const MODES: readonly RegistryMode[] = ['READWRITE', 'READONLY', 'READONLY_OVERRIDE', 'IMPORT']

/** Refuses a request whose mode does not fit it: only an import may choose ids and versions. */
export function requireMode(mode: RegistryMode, subject: string, chooses: boolean): void {
  const needed = chooses ? 'IMPORT' : 'READWRITE'
  if (mode === needed) return
  const what = chooses ? 'an id or a version can only be chosen' : 'schemas are only registered'
  throw notPermitted(`The mode of the subject "${subject}" is ${mode}; ${what} where it is ${needed}.`)
}
