import type { Db } from '../engines/metadata/index.ts'
import { Problem } from '../errors.ts'
import { Type } from './type.ts'

/** What others may name, so that they can't do without it. */
export interface Resource {
  readonly type: 'bucket' | 'catalog-source' | 'schema'
  readonly id: string
  /** For those who name one version only. */
  readonly version?: number
}

export interface ResourceUser {
  readonly type: string
  readonly id: string
  readonly name: string
}

/** At most so many of those who use a resource, in an order that stays. Runs in the transaction of a deletion: be quick. */
export type FindUsers = (db: Db, resource: Resource, limit: number) => Promise<ResourceUser[]>

const MAX_SHOWN = 20
const MAX_NAMED = 5

/** Who uses what, across areas: those that name resources of others are asked by those that delete resources. */
export class Uses {
  readonly #finders: readonly FindUsers[]

  constructor(finders: readonly FindUsers[]) {
    this.#finders = finders
  }

  /** Refuses with all who use it by name. `insist` is what to do for whoever wants it gone all the same. */
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

/** For the query of operations that delete what others may use. */
export const Force = (description = 'Whether to delete it although others use it; they fail when they need it') =>
  Type.Optional(Type.Boolean({ description }))
