import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Candidate, Candidates } from '../candidates.ts'
import { Problem } from '../errors.ts'
import { MAX_NAME_CHARS, type Reference } from '../schema.ts'
import { findSchemaByName } from '../store.ts'
import { findLatest, findVersion } from '../version-store.ts'
import { invalidSchema, invalidSubject, invalidVersion } from './manners.ts'
import type { RegistryReference, SchemaRequest } from './schema.ts'
import { isShown } from './store.ts'
import { TYPE_NAMES, typeOf } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
}

/** The schema of a request, parsed, with what it refers to. */
export async function candidateOf(
  { metadata, candidates }: Needs,
  { schema, schemaType, references }: SchemaRequest
): Promise<Candidate> {
  const type = typeOf(schemaType ?? 'AVRO')
  if (type === undefined) throw invalidSchema(`The schemaType must be one of ${TYPE_NAMES.join(', ')}.`)
  if (typeof schema !== 'string' || schema.trim() === '') throw invalidSchema('The schema is empty; send its text.')
  const found: Reference[] = []
  for (const reference of references ?? []) found.push(await resolve(metadata.db, reference))
  return candidates.of(type, schema, found)
}

async function resolve(db: Db, { name, subject, version: number }: RegistryReference): Promise<Reference> {
  const row = await findSchemaByName(db, subjectOf(subject))
  const version = row && (number === -1 ? await findLatest(db, row.id) : await findVersion(db, row.id, number))
  if (row !== undefined && version !== undefined && version.deleted_at === null && isShown(version)) {
    return { name, schemaId: row.id, version: version.number }
  }
  const which = number === -1 ? 'the latest version' : `version ${number}`
  throw new Problem('schema_reference_missing', {
    detail: `What it refers to as ${name}, ${which} of the subject "${subject}", is not there; register that first.`,
    members: { reference: name }
  })
}

const DEFAULT_CONTEXT = ':.:'
const MAX_VERSION = 2 ** 31 - 1

/** The name of the schema that a subject is. There is one context, which may be named or not. */
export function subjectOf(text: string): string {
  const name = text.startsWith(DEFAULT_CONTEXT) ? text.slice(DEFAULT_CONTEXT.length) : text
  if (/^:\.[^:]*:/.test(name)) throw invalidSubject('There are no contexts here but the default one, ":.:".')
  if (name === '' || [...name].length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)) {
    throw invalidSubject(`A subject has 1 to ${MAX_NAME_CHARS} characters, none of them a control character.`)
  }
  return name
}

/** What names begin with; undefined where they are in a context that is not there. */
export function prefixOf(text = ''): string | undefined {
  const [, context, rest = ''] = /^:([^:]*):(.*)$/s.exec(text) ?? [undefined, '.', text]
  return context === '.' || context === '*' ? rest : undefined
}

export function versionOf(text: string): number | 'latest' {
  const version = text.trim().toLowerCase()
  if (version === 'latest' || version === '-1') return 'latest'
  const number = /^\d{1,10}$/.test(version) ? Number(version) : 0
  if (number < 1 || number > MAX_VERSION) throw invalidVersion(text)
  return number
}
