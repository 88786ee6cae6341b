import type { Db } from '../../../engines/metadata/index.ts'
import type { Outcome } from '../../../http/route.ts'
import type { SchemaRow } from '../migrations.ts'
import { requireWritable } from '../registration.ts'
import type { Schemas } from '../service.ts'
import { deleteSchema, findSettings } from '../store.ts'
import { type FullVersion, findVersion, numbersOf } from '../version-store.ts'
import { idOf, type Versions } from '../versions.ts'
import { toSummary, toVersion } from '../view.ts'
import { subjectDeleted, subjectNotDeleted, subjectNotFound, versionDeleted, versionNotDeleted } from './refusals.ts'
import { lockSubject } from './store.ts'
import { requireVersion, shownOf } from './subjects.ts'

interface Needs {
  readonly schemas: Schemas
  readonly versions: Versions
}

/** Deletes subjects and versions: first so that they can be restored, then for good. */
export class Removals {
  readonly #needs: Needs

  constructor(needs: Needs) {
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
    return toOutcome(tx, row, live)
  }

  async subjectForGood(tx: Db, subject: string): Promise<Outcome<number[]>> {
    const row = await lockSubject(tx, subject)
    await requireWritable(tx, row)
    const shown = row === undefined ? [] : await shownOf(tx, row, 'any')
    if (row === undefined || shown.length === 0) throw subjectNotFound(subject)
    if (shown.some(({ deleted_at: at }) => at === null)) throw subjectNotDeleted(subject)
    const outcome = await toOutcome(tx, row, shown)
    if (row.deleted_at !== null) await this.#needs.schemas.destroy(tx, row, 'not-here')
    // There are versions that the registry does not show: they stay.
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

  /** What was set for a subject goes with it. */
  #putAway(tx: Db, row: SchemaRow) {
    return this.#needs.schemas.putAway(tx, { ...row, compatibility: null, mode: null }, 'not-here')
  }

  /** A subject is there as long as it has versions. */
  async #destroy(tx: Db, row: SchemaRow, version: FullVersion): Promise<void> {
    await this.#needs.versions.destroy(tx, row, version, 'not-here')
    if ((await numbersOf(tx, row.id)).length === 0) await deleteSchema(tx, row.id)
  }
}

async function toOutcome(tx: Db, row: SchemaRow, versions: readonly { number: number }[]): Promise<Outcome<number[]>> {
  const before = toSummary(row, (await findSettings(tx)).compatibility)
  return { answer: versions.map(({ number }) => number), changes: [{ type: 'schema', id: row.id, before }] }
}

function versionOutcome(version: FullVersion): Outcome<number> {
  const before = toVersion(version)
  return { answer: version.number, changes: [{ type: 'schema-version', id: idOf(before), before }] }
}
