import type { Db } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { Uses } from '../../http/in-use.ts'
import type { VersionRow } from './migrations.ts'
import { findLatest, usersOf } from './version-store.ts'

/**
 * Whether the caller sent `force`. Confluent's API has no such parameter (`not-here`), so refusals name our own
 * operation that has.
 */
export type Insistence = boolean | 'not-here'

/** Finds what still needs a schema: other schemas, and resources of other areas that name it. */
export class SchemaUsers {
  readonly #uses: Uses

  constructor(uses: Uses) {
    this.#uses = uses
  }

  /** Refuses to delete a schema with these versions while something needs it. */
  async requireNone(tx: Db, schemaId: string, versions: readonly VersionRow[], force: Insistence): Promise<void> {
    await requireNoReferences(tx, schemaId, versions)
    if (force !== true) await this.#uses.requireUnused(tx, { type: 'schema', id: schemaId }, howTo(force, schemaId))
  }

  /**
   * Refuses to delete or disable a version while something needs it. Called after the change is written: who takes the
   * newest version is content with any that is left.
   */
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

/** Refuses to delete what other schemas refer to, even with `force`: they could no longer be parsed. */
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
