import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { SchemaType } from '../../../engines/schemas/index.ts'
import { type Candidate, type Candidates, referencesOf } from '../candidates.ts'
import { Problem } from '../errors.ts'
import { MAX_NAME_CHARS, type Reference } from '../schema.ts'
import { findSchemaByName } from '../store.ts'
import { type FullVersion, findLatest, findVersion } from '../version-store.ts'
import { invalidSchema, invalidSubject, invalidVersion } from './manners.ts'
import type { RegistryReference, RegistrySchema, SchemaRequest } from './schema.ts'
import { isShown, namesOf } from './store.ts'

const NAMES: Record<SchemaType, string> = { avro: 'AVRO', json: 'JSON', protobuf: 'PROTOBUF' }
const TYPES = new Map(Object.entries(NAMES).map(([type, name]) => [name, type as SchemaType]))

export const TYPE_NAMES = [NAMES.json, NAMES.protobuf, NAMES.avro]

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
}

/** Parses the schema of a request, and finds the versions that it refers to. */
export async function candidateOf(
  { metadata, candidates }: Needs,
  { schema, schemaType, references }: SchemaRequest
): Promise<Candidate> {
  const type = TYPES.get(schemaType ?? 'AVRO')
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

/** The name of the schema for a subject. There is one context, `:.:`, which clients may put before the name. */
export function subjectOf(text: string): string {
  const name = text.startsWith(DEFAULT_CONTEXT) ? text.slice(DEFAULT_CONTEXT.length) : text
  if (/^:\.[^:]*:/.test(name)) throw invalidSubject('There are no contexts here but the default one, ":.:".')
  if (name === '' || [...name].length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)) {
    throw invalidSubject(`A subject has 1 to ${MAX_NAME_CHARS} characters, none of them a control character.`)
  }
  return name
}

/** The prefix that the names of subjects must have; undefined where the client names a context that does not exist. */
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

interface Content {
  readonly type: SchemaType
  readonly text: string
  readonly refers_to: string
}

/** A text in the form of Confluent's registry, which names the type only where it is not Avro. */
export async function toFacts(db: Db, { type, text, refers_to: refersTo }: Content) {
  const references = await toReferences(db, refersTo)
  return {
    ...(type !== 'avro' && { schemaType: NAMES[type] }),
    ...(references.length > 0 && { references }),
    schema: text
  }
}

async function toReferences(db: Db, refersTo: string): Promise<RegistryReference[]> {
  const references = referencesOf(refersTo)
  if (references.length === 0) return []
  const names = await namesOf(
    db,
    references.map(({ schemaId }) => schemaId)
  )
  return references.map(({ name, schemaId, version }) => ({ name, subject: names.get(schemaId) ?? schemaId, version }))
}

export async function toSchema(db: Db, subject: string, version: FullVersion): Promise<RegistrySchema> {
  const metadata = metadataOf(version)
  return {
    subject,
    version: version.number,
    id: version.content_id,
    ...(metadata && { metadata }),
    ...(await toFacts(db, version))
  }
}

/** Adds a revision, which no answer shows: it changes the entity tag where a version number is given to another text. */
export const withRevision = <T extends { id: number }>(schema: T): T & { revision: number } => {
  return { ...schema, revision: schema.id }
}

const METADATA = ['tags', 'properties', 'sensitive']

/** The metadata, if clients of the registry understand all of it; our own API keeps any object. */
function metadataOf({ metadata: text }: FullVersion): Record<string, unknown> | undefined {
  const metadata = JSON.parse(text) as Record<string, unknown>
  const names = Object.keys(metadata)
  return names.length > 0 && names.every((name) => METADATA.includes(name)) ? metadata : undefined
}

/** The first half of the fingerprint, written as a UUID, which has room for no more. */
export function guidOf({ fingerprint }: { fingerprint: string }): string {
  return fingerprint.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
