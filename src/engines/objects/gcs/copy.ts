import { StoreError } from '../errors.ts'
import type { ObjectAddress } from '../index.ts'
import { type Api, objectPath } from './api.ts'
import type { Precondition } from './conditions.ts'
import type { ObjectResource } from './resource.ts'

interface Rewrite {
  readonly done: boolean
  readonly rewriteToken?: string
  readonly resource?: ObjectResource
}

/** Copies in steps: the store answers in time and says where to go on; only the last step makes the object. */
export async function copyObject(
  api: Api,
  from: ObjectAddress,
  to: ObjectAddress,
  precondition: Precondition
): Promise<ObjectResource> {
  let rewriteToken: string | undefined
  for (;;) {
    const path = `${objectPath(from.bucket, from.key)}/rewriteTo${objectPath(to.bucket, to.key).slice('/storage/v1'.length)}`
    const query = { ...precondition, rewriteToken }
    const step = await api.jsonUnless<Rewrite>({ method: 'POST', path, query, bucket: from.bucket, accept: [404] })
    if (step === undefined) {
      await api.resource(from.bucket, from.key)
      throw new StoreError('no_such_bucket', `There is no bucket ${to.bucket}`)
    }
    if (step.done && step.resource !== undefined) return step.resource
    rewriteToken = step.rewriteToken
  }
}
