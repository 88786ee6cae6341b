import { isOutside, parseReference } from '../../data/reference.ts'
import { invalidField } from '../../errors.ts'
import type { ResourceTag } from './schema.ts'

const OUTSIDE = 'dataset://'
const BARE_BUCKET = /^object:\/\/([^/]+)\/?$/

const bucketInWords = (bucket: string): string =>
  `must name objects: all of the bucket ${bucket} are {"type": "bucket", "id": "${bucket}"}, one is object://${bucket}/key`

/** What tables call a resource: a data reference, or `<type>:<id>`. */
export function resourceName(resource: ResourceTag['resource']): string {
  if (typeof resource !== 'string') return `${resource.type}:${resource.id}`
  if (isOutside(resource)) return resource
  const parsed = parseReference(resource)
  if ('problem' in parsed) {
    const [, bucket] = BARE_BUCKET.exec(resource) ?? []
    throw invalidField('/resource', bucket === undefined ? problemOf(resource, parsed.problem) : bucketInWords(bucket))
  }
  return resource
}

const problemOf = (resource: string, problem: string): string =>
  resource.startsWith(OUTSIDE)
    ? `must be ${OUTSIDE}<namespace>/<name>, the namespace percent-encoded`
    : `${problem}, or be ${OUTSIDE}<namespace>/<name> of the lineage`

/** Whether it names data: those of the platform, or those outside, from which levels go to what is made of them. */
export const isReference = (resource: string): boolean =>
  !('problem' in parseReference(resource)) || isOutside(resource)
