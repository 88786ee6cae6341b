import type { Metadata } from '../../../engines/metadata/index.ts'
import { findSettings } from '../store.ts'
import { schemaNotFound } from './refusals.ts'
import type { RegistryContent } from './schema.ts'
import { findContentByStart, findContentInForce, versionsOfContent } from './store.ts'
import { toFacts } from './view.ts'

/** Texts by the numbers that messages carry. They stay when the versions that have them are deleted, but not for good. */
export class Contents {
  readonly #metadata: Metadata

  constructor({ metadata }: { readonly metadata: Metadata }) {
    this.#metadata = metadata
  }

  async get(id: number, withMaxId = false): Promise<RegistryContent> {
    const { db } = this.#metadata
    const facts = await toFacts(db, await this.#require(id))
    return withMaxId ? { ...facts, maxId: (await findSettings(db)).last_content } : facts
  }

  async getByGuid(guid: string): Promise<RegistryContent> {
    const { db } = this.#metadata
    const content = await findContentByStart(db, guid.replaceAll('-', '').toLowerCase())
    if (content === undefined) throw schemaNotFound(`schema with the GUID ${guid}`)
    return toFacts(db, content)
  }

  async versions(id: number, which: 'live' | 'any') {
    await this.#require(id)
    return versionsOfContent(this.#metadata.db, id, which)
  }

  async subjects(id: number, which: 'live' | 'any'): Promise<string[]> {
    return [...new Set((await this.versions(id, which)).map(({ subject }) => subject))]
  }

  async #require(id: number) {
    const content = await findContentInForce(this.#metadata.db, id)
    if (content === undefined) throw schemaNotFound(`schema with the id ${id}`)
    return content
  }
}
