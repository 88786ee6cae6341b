import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { SchemaRow, VersionRow } from '../migrations.ts'
import { findSchemaByName } from '../store.ts'
import { type FullVersion, findLatest, findVersion, numbersOf, usersOf } from '../version-store.ts'
import { subjectNotFound, versionNotFound } from './refusals.ts'
import { isShown, type Which } from './store.ts'
import { tagged, toSchema } from './view.ts'

interface Needs {
  readonly metadata: Metadata
}

/** Subjects and their versions, to be read. */
export class Subjects {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async versions(subject: string, which: Which): Promise<number[]> {
    const { db } = this.#needs.metadata
    const row = await findSchemaByName(db, subject)
    const there = row === undefined ? [] : await shownOf(db, row, which === 'live' ? 'live' : 'any')
    if (there.length === 0) throw subjectNotFound(subject)
    return there.filter(({ deleted_at: at }) => which !== 'deleted' || at !== null).map(({ number }) => number)
  }

  async version(subject: string, version: number | 'latest', which: 'live' | 'any') {
    const { db } = this.#needs.metadata
    return tagged(await toSchema(db, subject, await requireVersion(db, subject, version, which)))
  }

  /** The ids of the schemas that refer to a version. */
  async users(subject: string, version: number | 'latest'): Promise<number[]> {
    const { db } = this.#needs.metadata
    const { schema_id: schemaId, number } = await requireVersion(db, subject, version, 'any')
    const users = (await usersOf(db, schemaId, number)).filter(isShown)
    return [...new Set(users.map(({ contentId }) => contentId))].toSorted((a, b) => a - b)
  }
}

/** The versions of a schema that the registry shows. */
export async function shownOf(db: Db, { id }: Pick<SchemaRow, 'id'>, which: 'live' | 'any'): Promise<VersionRow[]> {
  const versions = (await numbersOf(db, id)).filter(isShown)
  return which === 'any' ? versions : versions.filter(({ deleted_at: at }) => at === null)
}

/** `latest`: of those that are there, also where deleted ones are looked for. */
export async function requireVersion(
  db: Db,
  subject: string,
  version: number | 'latest',
  which: 'live' | 'any'
): Promise<FullVersion> {
  const row = await findSchemaByName(db, subject)
  if (row === undefined) throw subjectNotFound(subject)
  const found = version === 'latest' ? await findLatest(db, row.id) : await findVersion(db, row.id, version)
  if (found !== undefined && isShown(found) && (which === 'any' || found.deleted_at === null)) return found
  throw (await shownOf(db, row, which)).length === 0 ? subjectNotFound(subject) : versionNotFound(version)
}
