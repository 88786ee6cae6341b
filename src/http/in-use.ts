import type { Db } from '../engines/metadata/index.ts'
import { Problem } from '../errors.ts'
import { Type } from './type.ts'

/** A resource that others may name, and that can't be deleted while they do. */
export interface Resource {
  readonly type:
    | 'alert-channel'
    | 'bucket'
    | 'catalog-source'
    | 'connector'
    | 'integration-source'
    | 'pipeline'
    | 'quality-baseline'
    | 'schema'
  readonly id: string
  /** For users of one version of the resource only. */
  readonly version?: number
}

export interface ResourceUser {
  readonly type: string
  readonly id: string
  readonly name: string
}

/** Finds at most so many users of a resource, in a stable order. Runs in the transaction of a deletion: be quick. */
export type FindUsers = (db: Db, resource: Resource, limit: number) => Promise<ResourceUser[]>

const MAX_SHOWN = 20
const MAX_NAMED = 5

/** Who uses what, across areas. Areas that delete resources ask here; areas that name resources of others answer. */
export class Uses {
  readonly #finders: readonly FindUsers[]

  constructor(finders: readonly FindUsers[]) {
    this.#finders = finders
  }

  /**
   * Refuses to delete a resource that is in use, and names the users. `insist` tells the caller how to delete it all
   * the same.
   */
  async requireUnused(db: Db, resource: Resource, insist = 'send force=true to insist'): Promise<void> {
    const users: ResourceUser[] = []
    for (const find of this.#finders) {
      if (users.length <= MAX_SHOWN) users.push(...(await find(db, resource, MAX_SHOWN + 1 - users.length)))
    }
    if (users.length === 0) return
    const named = users.slice(0, MAX_NAMED).map(({ type, id, name }) => `${type} "${name}" (${id})`)
    const others = users.length > MAX_NAMED ? ' and others' : ''
    throw new Problem('in_use', {
      detail: `Used by ${named.join(', ')}${others}. Change or delete what uses it first, or ${insist}.`,
      members: { usedBy: users.slice(0, MAX_SHOWN), more: users.length > MAX_SHOWN }
    })
  }
}

/** A query parameter for operations that delete what others may use. */
export const Force = (description = 'Whether to delete it although others use it; they fail when they need it') =>
  Type.Optional(Type.Boolean({ description }))
