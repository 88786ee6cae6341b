import { SchemaFault } from '../fault.ts'
import { DRAFTS, type Draft, isNode, own } from './model.ts'

const ADDRESSES = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', 'draft-04'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12']
])

/** What most schemas without `$schema` are written for, and what other registries take them for. */
export const USUAL_DRAFT: Draft = 'draft-07'

/** By `$schema`; undefined where there is none. */
export function draftOf(schema: unknown, pointer = '', dependency?: string): Draft | undefined {
  const address = isNode(schema) ? own(schema, '$schema') : undefined
  if (address === undefined) return undefined
  const place = { pointer: `${pointer}/$schema`, dependency }
  if (typeof address !== 'string') throw new SchemaFault('invalid', '"$schema" has to be a text', place)
  const draft = ADDRESSES.get(address.replace(/^https?:\/\//, '').replace(/#$/, ''))
  if (draft !== undefined) return draft
  const name = address.length > 100 ? `${address.slice(0, 100)}…` : address
  throw new SchemaFault(
    'invalid',
    `"$schema" names ${name}, which is none of the drafts known here: ${knownDrafts()}`,
    place
  )
}

function knownDrafts(): string {
  return [...ADDRESSES]
    .flatMap(([address, draft]) => (DRAFTS.includes(draft) ? [`http(s)://${address}`] : []))
    .join(', ')
}

export function isAtLeast(draft: Draft, first: Draft): boolean {
  return DRAFTS.indexOf(draft) >= DRAFTS.indexOf(first)
}

/** Until 2019 whatever stands beside `$ref` means nothing. */
export function ignoresBesideRef(draft: Draft): boolean {
  return !isAtLeast(draft, '2019-09')
}
