import type { Db } from '../../../engines/metadata/index.ts'
import type { SchemaType } from '../../../engines/schemas/index.ts'
import { referencesOf } from '../candidates.ts'
import type { FullVersion } from '../version-store.ts'
import type { RegistryReference, RegistrySchema } from './schema.ts'
import { namesOf } from './store.ts'

const NAMES: Record<SchemaType, string> = { avro: 'AVRO', json: 'JSON', protobuf: 'PROTOBUF' }
const TYPES = new Map(Object.entries(NAMES).map(([type, name]) => [name, type as SchemaType]))

export const TYPE_NAMES = [NAMES.json, NAMES.protobuf, NAMES.avro]
export const typeOf = (name: string): SchemaType | undefined => TYPES.get(name)

interface Content {
  readonly type: SchemaType
  readonly text: string
  readonly refers_to: string
}

/** A text as the registry shows it; that it is Avro goes without saying. */
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

/** With what is not shown but makes the entity tag another one where the number was given to another text. */
export const tagged = <T extends { id: number }>(schema: T): T & { revision: number } => {
  return { ...schema, revision: schema.id }
}

const METADATA = ['tags', 'properties', 'sensitive']

/** Metadata that clients of the registry understand; through our own API anything can be kept. */
function metadataOf({ metadata: text }: FullVersion): Record<string, unknown> | undefined {
  const metadata = JSON.parse(text) as Record<string, unknown>
  const names = Object.keys(metadata)
  return names.length > 0 && names.every((name) => METADATA.includes(name)) ? metadata : undefined
}

/** A UUID in form, made of the half of the fingerprint that has room in it. */
export function guidOf({ fingerprint }: { fingerprint: string }): string {
  return fingerprint.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
