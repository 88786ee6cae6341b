import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DataError } from './errors.ts'
import { type DataReference, parseReference, type Scheme } from './reference.ts'
import type { Relation, RelationResolver, ResolvePlace } from './relation.ts'
import type { NamedRelation } from './sql-process/messages.ts'
import type { Wish } from './wish.ts'

export type Resolvers = ReadonlyMap<Scheme, RelationResolver>

const MAX_RELATIONS = 64
/** A name that SQL can use for a relation. Prefixes of DuckDB's own views are not allowed. */
const ALIAS = /^(?!(?:duckdb|pg|pragma|sqlite)_)[\p{L}_][\p{L}\p{N}_]{0,62}$/iu

export interface Wanted {
  readonly alias: string
  readonly reference: DataReference
  readonly resolver: RelationResolver
}

/** Refuses names and references that can't be right, before anything is fetched. */
export function parseRelations(relations: Readonly<Record<string, string>>, resolvers: Resolvers): Wanted[] {
  const entries = Object.entries(relations)
  if (entries.length > MAX_RELATIONS) {
    throw new DataError('alias_invalid', `A query can have ${MAX_RELATIONS} relations, not ${entries.length}.`)
  }
  const names = new Set(entries.map(([alias]) => alias.toLowerCase()))
  if (names.size < entries.length) {
    throw new DataError('alias_invalid', 'Two names of relations differ in upper and lower case only.')
  }
  return entries.map(([alias, text]) => ({ alias: checkedAlias(alias), ...parseOne(text, resolvers) }))
}

function checkedAlias(alias: string): string {
  if (ALIAS.test(alias)) return alias
  throw new DataError(
    'alias_invalid',
    `A relation can't be named '${alias}': letters, digits and _, at most 63 of them, and no beginning of DuckDB's own.`
  )
}

function parseOne(text: string, resolvers: Resolvers): Omit<Wanted, 'alias'> {
  const reference = parseReference(text)
  if ('problem' in reference) throw new DataError('reference_invalid', `The reference ${reference.problem}.`)
  const resolver = resolvers.get(reference.scheme)
  if (resolver !== undefined) return { reference, resolver }
  throw new DataError('reference_invalid', `What ${reference.scheme}:// names can't be read with SQL.`)
}

/**
 * Fetches all relations at once, each into a folder of its own. `held` releases them, also those that were fetched
 * before another failed.
 */
export async function resolveRelations(
  wanted: readonly Wanted[],
  place: ResolvePlace,
  wishes: Readonly<Record<string, Wish>>,
  held: AsyncDisposableStack
): Promise<NamedRelation[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([place.signal, failed.signal])
  const resolving = wanted.map(async ({ alias, reference, resolver }, index) => {
    const folder = join(place.folder, String(index))
    await mkdir(folder)
    const relation: Relation = await resolver.resolve(reference, { ...place, folder, signal }, wishes[alias])
    held.defer(() => relation.release())
    const { sql, text, files, names } = relation
    return { alias, sql, text, files, names }
  })
  try {
    return await Promise.all(resolving)
  } finally {
    failed.abort()
    await Promise.allSettled(resolving)
  }
}
