import type { Db } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { Uses } from '../../http/in-use.ts'
import type { VersionRow } from './migrations.ts'
import { findLatest, usersOf } from './version-store.ts'

/** Whether somebody insists. Clients of Confluent's registry have no word for it: they are told where it can be said. */
export type Insistence = boolean | 'not-here'

/** Those who need a schema: other schemas, and whatever in other areas names it. */
export class SchemaUsers {
  readonly #uses: Uses

  constructor(uses: Uses) {
    this.#uses = uses
  }

  /** When all of a schema goes, with these versions. */
  async requireNone(tx: Db, schemaId: string, versions: readonly VersionRow[], force: Insistence): Promise<void> {
    await requireNoReferences(tx, schemaId, versions)
    if (force !== true) await this.#uses.requireUnused(tx, { type: 'schema', id: schemaId }, howTo(force, schemaId))
  }

  /** When a version is no longer to be had, and after that is written. Whoever takes the newest needs only one that is left. */
  async requireNoneOf(tx: Db, version: VersionRow, force: Insistence): Promise<void> {
    if (force === true) return
    const { schema_id: id, number } = version
    const isLast = (await findLatest(tx, id)) === undefined
    const resource = { type: 'schema', id, ...(!isLast && { version: number }) } as const
    await this.#uses.requireUnused(tx, resource, howTo(force, `${id}/versions/${number}`))
  }
}

const howTo = (force: Insistence, path: string): string | undefined =>
  force === 'not-here' ? `insist with DELETE /api/schemas/${path}?force=true` : undefined

/** What other schemas refer to can't go, whoever insists: their text would say nothing any more. */
export async function requireNoReferences(tx: Db, schemaId: string, versions: readonly VersionRow[]): Promise<void> {
  for (const { number } of versions) {
    const users = (await usersOf(tx, schemaId, number)).filter(({ schema }) => schema.id !== schemaId)
    if (users.length === 0) continue
    const names = users.slice(0, 10).map((user) => `version ${user.number} of ${user.schema.name}`)
    const detail = `Version ${number} is referred to by ${names.join(', ')}; delete those first.`
    const usedBy = users.map(({ schema: { id, name }, number: version }) => {
      return { type: 'schema', id, name, schemaId: id, version }
    })
    throw new Problem('in_use', { detail, members: { usedBy } })
  }
}
