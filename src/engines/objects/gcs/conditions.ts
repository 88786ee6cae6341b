import { StoreError } from '../errors.ts'
import type { ObjectAddress, WriteConditions } from '../index.ts'
import type { Api } from './api.ts'
import { type ObjectResource, toListed } from './resource.ts'

/** A condition that the store itself checks at the moment of writing; 0 stands for an object that does not exist. */
export interface Precondition {
  readonly ifGenerationMatch?: string | undefined
}

/** Finds the generation for an entity tag: the store knows objects by generation, not by our entity tags. */
export async function preconditionOf(
  api: Api,
  { bucket, key }: ObjectAddress,
  { ifAbsent, ifMatch }: WriteConditions
): Promise<Precondition> {
  if (ifAbsent) return { ifGenerationMatch: '0' }
  if (ifMatch === undefined) return {}
  try {
    const resource = await api.resource(bucket, key)
    requireTag(resource, ifMatch)
    return { ifGenerationMatch: resource.generation }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'no_such_key') {
      throw new StoreError('precondition_failed', 'There is no object with the expected entity tag')
    }
    throw error
  }
}

export function requireTag(resource: ObjectResource, etag: string): void {
  if (toListed(resource).etag === etag) return
  throw new StoreError('precondition_failed', 'The object now has another entity tag')
}
