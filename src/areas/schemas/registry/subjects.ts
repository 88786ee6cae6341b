import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { SchemaRow, VersionRow } from '../migrations.ts'
import { findSchemaByName, findSettings } from '../store.ts'
import { type FullVersion, findLatest, findVersion, numbersOf, usersOf } from '../version-store.ts'
import { prefixOf, toFacts, toSchema, withRevision } from './forms.ts'
import { schemaNotFound, subjectNotFound, versionNotFound } from './manners.ts'
import type { RegistryContent, RegistrySchema } from './schema.ts'
import {
  findContentByStart,
  findContentInForce,
  isShown,
  listNames,
  listVersionsOfAll,
  type NamedVersion,
  type Piece,
  versionsOfContent,
  type Which
} from './store.ts'

interface Needs {
  readonly metadata: Metadata
}

/** Reads subjects and their versions. */
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
    return withRevision(await toSchema(db, subject, await requireVersion(db, subject, version, which)))
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

/** A version by its number. `latest` is the newest in force, never a deleted one. */
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

const NAMES_AT_ONCE = 1000
/** Few at a time, since each may have a megabyte. */
const SCHEMAS_AT_ONCE = 20
/** As many as Confluent's registry lists unless it is set up otherwise. */
const MAX_SCHEMAS = 1000

interface Page {
  readonly subjectPrefix?: string
  readonly offset?: number
  readonly limit?: number
}

/** Lists of any length, which are read and sent piece by piece. */
export class Lists {
  readonly #metadata: Metadata

  constructor({ metadata }: { readonly metadata: Metadata }) {
    this.#metadata = metadata
  }

  subjects(page: Page, which: Which): AsyncIterable<string> {
    const limit = page.limit === undefined || page.limit < 0 ? Number.POSITIVE_INFINITY : page.limit
    return inPieces(page, limit, NAMES_AT_ONCE, (piece) => listNames(this.#metadata.db, which, piece))
  }

  async *schemas(page: Page, filter: { which: 'live' | 'any'; latestOnly: boolean }): AsyncIterable<RegistrySchema> {
    const { db } = this.#metadata
    const limit = page.limit === undefined || page.limit < 0 ? MAX_SCHEMAS : Math.min(page.limit, MAX_SCHEMAS)
    const find = (piece: Piece<NamedVersion>) => listVersionsOfAll(db, filter, piece)
    for await (const version of inPieces(page, limit, SCHEMAS_AT_ONCE, find)) {
      yield await toSchema(db, version.subject, version)
    }
  }
}

async function* inPieces<Row>(
  { subjectPrefix, offset = 0 }: Page,
  limit: number,
  atOnce: number,
  find: (piece: Piece<Row>) => Promise<Row[]>
): AsyncIterable<Row> {
  const prefix = prefixOf(subjectPrefix)
  let left = prefix === undefined ? 0 : limit
  let after: Row | undefined
  while (left > 0) {
    const wanted = Math.min(left, atOnce)
    const rows = await find({
      prefix: prefix as string,
      limit: wanted,
      offset: after === undefined ? offset : 0,
      after
    })
    yield* rows
    left = rows.length < wanted ? 0 : left - rows.length
    after = rows.at(-1)
  }
}

/** A list as JSON while it is being read. */
export async function* asJson(items: AsyncIterable<unknown>): AsyncIterable<string> {
  let before = '['
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Texts by the ids that messages carry. A text stays as long as a version has it, deleted or not. */
export class Contents {
  readonly #metadata: Metadata

  constructor({ metadata }: { readonly metadata: Metadata }) {
    this.#metadata = metadata
  }

  async get(id: number, withMaxId = false): Promise<RegistryContent> {
    const { db } = this.#metadata
    const facts = await toFacts(db, await this.#require(id))
    return withMaxId ? { ...facts, maxId: (await findSettings(db)).last_content } : facts
  }

  async getByGuid(guid: string): Promise<RegistryContent> {
    const { db } = this.#metadata
    const content = await findContentByStart(db, guid.replaceAll('-', '').toLowerCase())
    if (content === undefined) throw schemaNotFound(`schema with the GUID ${guid}`)
    return toFacts(db, content)
  }

  async versions(id: number, which: 'live' | 'any') {
    await this.#require(id)
    return versionsOfContent(this.#metadata.db, id, which)
  }

  async subjects(id: number, which: 'live' | 'any'): Promise<string[]> {
    return [...new Set((await this.versions(id, which)).map(({ subject }) => subject))]
  }

  async #require(id: number) {
    const content = await findContentInForce(this.#metadata.db, id)
    if (content === undefined) throw schemaNotFound(`schema with the id ${id}`)
    return content
  }
}
