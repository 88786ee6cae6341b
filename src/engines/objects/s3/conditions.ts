import { StoreError } from '../errors.ts'
import type { ObjectAddress, WriteConditions } from '../index.ts'
import type { StoreClient } from './client.ts'
import { changed } from './errors.ts'
import { headObject } from './facts.ts'

export interface ConditionHeaders {
  readonly IfMatch?: string
  readonly IfNoneMatch?: string
}

/** Lets the store check the condition, so that nothing comes between the check and the write. */
export async function writeIf<T>(
  client: StoreClient,
  at: ObjectAddress,
  { ifAbsent, ifMatch }: WriteConditions,
  write: (headers: ConditionHeaders) => Promise<T>
): Promise<T> {
  if (ifMatch === undefined) return write(ifAbsent === true ? { IfNoneMatch: '*' } : {})
  try {
    return await write({ IfMatch: ifMatch })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // A missing object can't match, but Amazon answers only that it is missing.
    if (error.code === 'no_such_key') throw changed(at.key)
    if (error.code !== 'precondition_failed' || (await tagOf(client, at)) !== ifMatch) throw error
    // The tag does match: Ceph compares it without quotes.
    return write({ IfMatch: ifMatch.slice(1, -1) })
  }
}

/**
 * For writes at which some stores ignore conditions. A change between this check and the write is not noticed there.
 */
export async function checkConditions(
  client: StoreClient,
  at: ObjectAddress,
  { ifAbsent, ifMatch }: WriteConditions
): Promise<void> {
  if (ifAbsent !== true && ifMatch === undefined) return
  const etag = await tagOf(client, at)
  if (ifAbsent === true ? etag !== undefined : etag !== ifMatch) throw changed(at.key)
}

async function tagOf(client: StoreClient, at: ObjectAddress): Promise<string | undefined> {
  try {
    return (await headObject(client, at)).etag
  } catch (error) {
    if (error instanceof StoreError && error.code === 'no_such_key') return undefined
    throw error
  }
}
