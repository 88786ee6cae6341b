import type { DataPlane } from '../../data/plane.ts'
import { parseReference } from '../../data/reference.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import { type Loss, type SchemaType, TaskRunner } from '../../engines/schemas/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { withData } from '../../http/data-problems.ts'
import { requireRead } from '../../http/data-rights.ts'
import type { Asker, Guard } from '../classification/index.ts'
import { sourceOfVersion } from './candidates.ts'
import { withFaults } from './schema-problems.ts'
import { requireSchema } from './service.ts'
import type { ExampleQuery, InferAnswer, InferBody, ValidateAnswer, ValidateBody } from './tool-schema.ts'
import { requireVersion } from './versions.ts'

interface Needs {
  readonly metadata: Metadata
  readonly tasks: TaskRunner
  readonly plane: Pick<DataPlane, 'query'>
  guard(): Promise<Pick<Guard, 'masksFor'>>
}

const MAX_ERRORS = 1000
const SAMPLE_ROWS = 1000
const DEFAULT_NAME = 'Record'

/** What can be done with a schema beside keeping it. */
export class Tools {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async validate(schemaId: string, version: string, body: ValidateBody): Promise<ValidateAnswer> {
    if ((body.data === undefined) === (body.records === undefined)) {
      throw invalidField('/data', 'must be there where records is not, and only there')
    }
    const values = body.records ?? [body.data]
    const schema = await this.#version(schemaId, version)
    const faults = await withFaults(() => this.#needs.tasks.run('validate', { ...schema, values }))
    const errors = faults.flatMap((found, record) => found.map((fault) => ({ record, ...fault })))
    const invalid = faults.filter(({ length }) => length > 0).length
    return { valid: invalid === 0, checked: values.length, invalid, errors: errors.slice(0, MAX_ERRORS) }
  }

  async examples(schemaId: string, version: string, { count = 1, seed = 1 }: ExampleQuery) {
    const schema = await this.#version(schemaId, version)
    return { examples: await withFaults(() => this.#needs.tasks.run('examples', { ...schema, count, seed })) }
  }

  async convert(schemaId: string, version: string, to: SchemaType) {
    const source = await this.#version(schemaId, version)
    const { schema, lost } = await withFaults(() => this.#needs.tasks.run('convert', { ...source, to }))
    return told(to, schema, lost)
  }

  async infer(
    asker: Asker,
    { reference, records, type, name = DEFAULT_NAME }: InferBody,
    signal: AbortSignal
  ): Promise<InferAnswer> {
    if ((reference === undefined) === (records === undefined)) {
      throw invalidField('/reference', 'must be there where records is not, and only there')
    }
    const { tasks } = this.#needs
    const sample =
      reference === undefined
        ? { name, values: records as unknown[] }
        : await this.#sample(asker, reference, name, signal)
    const { schema, lost } = await withFaults(() => tasks.run('infer', { ...sample, to: type }))
    return { ...told(type, schema, lost), recordsRead: sample.values.length }
  }

  async #version(schemaId: string, number: string) {
    const { db } = this.#needs.metadata
    await requireSchema(db, schemaId)
    const version = await requireVersion(db, schemaId, number)
    return { type: version.type, source: await sourceOfVersion(db, version) }
  }

  /** The columns with their types, and rows by which to tell what may be null. */
  async #sample(asker: Asker, text: string, name: string, signal: AbortSignal) {
    const reference = parseReference(text)
    if ('problem' in reference) throw invalidField('/reference', reference.problem)
    // A schema made of data shows what is in them.
    requireRead(asker.actor, reference)
    const relations = { sampled: text }
    const masks = await (await this.#needs.guard()).masksFor(asker, relations)
    return withData(async () => {
      const limits = { maxRows: SAMPLE_ROWS }
      const answer = await this.#needs.plane.query({
        sql: `FROM sampled LIMIT ${SAMPLE_ROWS}`,
        relations,
        masks,
        limits,
        signal
      })
      const { columns } = answer
      const values: readonly unknown[] = await answer.rows()
      return { name, columns, values }
    })
  }
}

function told(type: SchemaType, schema: string, lost: readonly Loss[]) {
  return { type, schema, lossless: lost.length === 0, lost: lost.map(({ path, message }) => ({ path, message })) }
}

/** Registered schemas, for other areas that check records with them. */
export class RegisteredSchemas {
  readonly tasks = new TaskRunner()
  readonly #metadata: Metadata

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /**
   * A version, the newest in force if none is named, as one JSON Schema that refers to nothing outside. What is written in
   * another language is put into this one as far as it goes. Throws a `Problem` where there is none.
   */
  async asJsonSchema(schemaId: string, version: number | undefined): Promise<object> {
    const { db } = this.#metadata
    await requireSchema(db, schemaId)
    const found = await requireVersion(db, schemaId, version === undefined ? 'latest' : String(version))
    if (found.state === 'draft' || found.state === 'disabled') {
      throw new Problem('not_found', { detail: `Version ${found.number} of the schema is ${found.state}.` })
    }
    const source = await sourceOfVersion(db, found)
    return withFaults(() => this.tasks.run('jsonSchema', { type: found.type, source }))
  }
}
