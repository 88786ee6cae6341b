import type { Metadata } from '../../../engines/metadata/index.ts'
import { listNames, listVersionsOfAll, type NamedVersion, type Piece } from './list-store.ts'
import { prefixOf } from './names.ts'
import type { RegistrySchema } from './schema.ts'
import type { Which } from './store.ts'
import { toSchema } from './view.ts'

const NAMES_AT_ONCE = 1000
/** Each may be a megabyte. */
const SCHEMAS_AT_ONCE = 20
/** As many as Confluent's registry lists unless it is set up otherwise. */
const MAX_SCHEMAS = 1000

export interface Page {
  readonly subjectPrefix?: string
  readonly offset?: number
  readonly limit?: number
}

/** Lists as long as they are, read and passed on piece by piece. */
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
