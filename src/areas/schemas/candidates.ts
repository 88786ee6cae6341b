import { createHash } from 'node:crypto'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import {
  type Dependency,
  MAX_TEXT_CHARS,
  type SchemaType,
  type Source,
  type TaskRunner
} from '../../engines/schemas/index.ts'
import { invalidField, Problem } from './errors.ts'
import type { Reference } from './schema.ts'
import { withFaults } from './schema-problems.ts'
import { type FullVersion, findVersion } from './version-store.ts'

/** A schema that somebody sent, parsed and named by what it says. */
export interface Candidate {
  readonly type: SchemaType
  readonly text: string
  readonly references: readonly Reference[]
  readonly source: Source
  /** The same for the same schema, however it is written. */
  readonly fingerprint: string
}

export type Unparsed = Pick<Candidate, 'type' | 'source'>

interface Needs {
  readonly metadata: Metadata
  readonly tasks: TaskRunner
}

/** Makes candidates of what was sent; refuses what does not parse. */
export class Candidates {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** A schema that is not parsed yet, with the texts it refers to. A compatibility check parses it itself. */
  async unparsed(type: SchemaType, schema: unknown, references: readonly Reference[] = []): Promise<Unparsed> {
    const text = textOf(type, schema)
    refuseTwice(references)
    return { type, source: await sourceOf(this.#needs.metadata.db, text, references) }
  }

  async of(type: SchemaType, schema: unknown, references: readonly Reference[] = []): Promise<Candidate> {
    const { source } = await this.unparsed(type, schema, references)
    const { text } = source
    const { canonical } = await withFaults(() => this.#needs.tasks.run('parse', { type, source }))
    return { type, text, references, source, fingerprint: fingerprintOf(type, canonical, references) }
  }
}

/** Two schemas with the same text are different schemas where their references lead to different versions. */
function fingerprintOf(type: SchemaType, canonical: string, references: readonly Reference[]): string {
  const named = references.map(({ name, schemaId, version }) => `\n${name}\t${schemaId}\t${version}`).toSorted()
  return createHash('sha256')
    .update(`${type}\n${canonical}${named.join('')}`)
    .digest('hex')
}

function textOf(type: SchemaType, schema: unknown): string {
  const isText = typeof schema === 'string'
  if (!isText && typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null)) {
    throw invalidField('/schema', 'must be a text, or a schema that is JSON as it is')
  }
  if (!isText && type === 'protobuf') throw invalidField('/schema', 'must be the text of a .proto file')
  const text = isText ? schema : JSON.stringify(schema)
  if (text.length > MAX_TEXT_CHARS) throw new Problem('schema_too_large')
  return text
}

function refuseTwice(references: readonly Reference[]): void {
  const names = new Set<string>()
  for (const [index, { name }] of references.entries()) {
    if (names.has(name)) throw invalidField(`/references/${index}/name`, 'is the name of another reference')
    names.add(name)
  }
}

const MAX_DEPENDENCIES = 500
const NO_DEPENDENCIES: readonly Dependency[] = []

/** A text with the texts that it refers to, and those they refer to, each before whatever needs it. */
async function sourceOf(db: Db, text: string, references: readonly Reference[]): Promise<Source> {
  if (references.length === 0) return { text, dependencies: NO_DEPENDENCIES }
  const found = new Map<string, string>()
  await gather(db, references, found, [])
  return { text, dependencies: [...found].map(([name, dependency]) => ({ name, text: dependency })) }
}

export const sourceOfVersion = (db: Db, { text, refers_to }: Pick<FullVersion, 'text' | 'refers_to'>) =>
  sourceOf(db, text, referencesOf(refers_to))

export const referencesOf = (refersTo: string): Reference[] =>
  refersTo === '[]' ? [] : (JSON.parse(refersTo) as Reference[])

async function gather(
  db: Db,
  references: readonly Reference[],
  found: Map<string, string>,
  path: readonly string[]
): Promise<void> {
  for (const reference of references) {
    if (found.has(reference.name)) continue
    const version = await findVersion(db, reference.schemaId, reference.version)
    if (version === undefined || (path.length === 0 && version.deleted_at !== null)) throw missingReference(reference)
    // A version can only refer to versions that were there before it, so there are no circles; names may be used twice.
    await gather(db, referencesOf(version.refers_to), found, [...path, reference.name])
    found.set(reference.name, version.text)
    if (found.size > MAX_DEPENDENCIES) {
      throw new Problem('schema_too_complex', {
        detail: `A schema may refer to ${MAX_DEPENDENCIES} others, theirs included.`
      })
    }
    if (totalChars(found) > MAX_TEXT_CHARS) throw new Problem('schema_too_large')
  }
}

function totalChars(found: ReadonlyMap<string, string>): number {
  let chars = 0
  for (const text of found.values()) chars += text.length
  return chars
}

export function missingReference({ name, schemaId, version }: Reference): Problem {
  return new Problem('schema_reference_missing', {
    detail: `What it refers to as ${name}, version ${version} of ${schemaId}, is not there; register that first.`,
    errors: [{ pointer: '/references', message: `${name} is not there` }],
    members: { reference: name }
  })
}
