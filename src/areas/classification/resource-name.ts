import { parseReference } from '../../data/reference.ts'
import { invalidField } from '../../errors.ts'
import type { ResourceTag } from './schema.ts'

const BARE_BUCKET = /^object:\/\/([^/]+)\/?$/

const bucketInWords = (bucket: string): string =>
  `must name objects: all of the bucket ${bucket} are {"type": "bucket", "id": "${bucket}"}, one is object://${bucket}/key`

/** What tables call a resource: a data reference, or `<type>:<id>`. */
export function resourceName(resource: ResourceTag['resource']): string {
  if (typeof resource !== 'string') return `${resource.type}:${resource.id}`
  const parsed = parseReference(resource)
  if ('problem' in parsed) {
    const [, bucket] = BARE_BUCKET.exec(resource) ?? []
    throw invalidField('/resource', bucket === undefined ? parsed.problem : bucketInWords(bucket))
  }
  return resource
}

export const isReference = (resource: string): boolean => !('problem' in parseReference(resource))
