import { createHash } from 'node:crypto'
import type { Metadata } from '../../engines/metadata/index.ts'
import { MAX_TEXT_CHARS, type SchemaType, type Source, type TaskRunner } from '../../engines/schemas/index.ts'
import { invalidField, Problem } from './errors.ts'
import type { Reference } from './schema.ts'
import { withFaults } from './schema-problems.ts'
import { sourceOf } from './sources.ts'

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

  /** With what it refers to, and not parsed yet: for who only wants to hold it against others, which parses it. */
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

/** What refers to something else is another schema. */
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
