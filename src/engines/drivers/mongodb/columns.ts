import { SourceError } from '../errors.ts'
import type { Stream } from '../index.ts'
import type { Document, MongoPackage } from './package.ts'
import { columnType, comparable, joined, type Kind, kindOf } from './values.ts'

/** Kinds whose values only grow in most collections. */
const CURSOR_KINDS: ReadonlySet<Kind> = new Set(['id', 'integer', 'bigint', 'timestamptz'])
/** A document with more fields than these is data under names; the rest of them is left out. */
const MAX_COLUMNS = 1000

/** The fields of a collection, by what was found in some of its documents. */
export function kindsIn(documents: readonly Document[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>([['_id', kindOf(documents[0]?._id) ?? 'id']])
  for (const document of documents) {
    for (const [name, value] of Object.entries(document)) {
      const kind = kindOf(value)
      const known = kinds.get(name)
      if (kind === undefined || (known === undefined && kinds.size >= MAX_COLUMNS)) continue
      kinds.set(name, known === undefined ? kind : joined(known, kind))
    }
  }
  return kinds
}

export function streamOf(
  name: string,
  kind: Stream['kind'],
  isReadable: boolean,
  documents: readonly Document[]
): Stream {
  const kinds = kindsIn(documents)
  return {
    name,
    kind,
    isReadable,
    columns: [...kinds].map(([column, found]) => ({
      name: column,
      type: columnType(found),
      nullable: column !== '_id'
    })),
    keys: ['_id'],
    cursors: [...kinds].filter(([, found]) => CURSOR_KINDS.has(found)).map(([column]) => column)
  }
}

/** The names that MongoDB has for kinds in `$type`. */
const TYPE_NAMES: Partial<Record<Kind, string>> = {
  id: 'objectId',
  integer: 'number',
  bigint: 'number',
  double: 'number',
  decimal: 'number',
  timestamptz: 'date',
  text: 'string'
}

/** Documents that have a value of the kind, greater than `after`. */
export function filterOf(kind: Kind | undefined, column: string, after: string | null, mongo: MongoPackage): object {
  if (kind === undefined) throw new SourceError('not_found', `There is no field ${JSON.stringify(column)}`)
  const type = TYPE_NAMES[kind]
  if (type === undefined) throw new SourceError('bad_request', `${JSON.stringify(column)} has no order to go on in`)
  if (after === null) return { [column]: { $type: type } }
  const bound = comparable(kind, after, mongo)
  if (bound === undefined) throw new SourceError('bad_request', `The position is none of ${JSON.stringify(column)}`)
  return { [column]: { $type: type, $gt: bound } }
}
