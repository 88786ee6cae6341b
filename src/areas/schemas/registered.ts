import type { Metadata } from '../../engines/metadata/index.ts'
import { TaskRunner } from '../../engines/schemas/index.ts'
import { Problem } from '../../errors.ts'
import { withFaults } from './schema-problems.ts'
import { requireSchema } from './service.ts'
import { sourceOfVersion } from './sources.ts'
import { requireVersion } from './versions.ts'

/** Registered schemas for other areas, which hold records against them. */
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
