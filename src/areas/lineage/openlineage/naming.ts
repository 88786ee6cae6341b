import { formatReference, parseReference } from '../../../data/reference.ts'
import { datasetReference, jobReference } from '../references.ts'

/** How others name data and jobs: a namespace, and what is unique in it. */
export interface OutsideName {
  readonly namespace: string
  readonly name: string
}

/** What the names of others mean here. */
export interface Naming {
  /**
   * The bucket of the platform whose objects lie in this bucket of a store outside; undefined where it is none, or more than
   * one. The remote bucket is `container@account` where the store is `azure`.
   */
  bucketOf(store: OutsideStore, remoteBucket: string): string | undefined
}

export type OutsideStore = 's3' | 'gs' | 'azure'

/** What the platform is called by others. */
const OWN_NAMESPACE = 'millrace'
/** What jobs of the platform are of: `job://pipeline/pl_1`. */
const OWN_KINDS: ReadonlySet<string> = new Set([
  'pipeline',
  'alert-rule',
  'schedule',
  'quality-rule',
  'training',
  'inference',
  'dashboard',
  'connector',
  'cluster',
  'query',
  'manual'
])

/** The reference of data that has this name outside. */
export function dataReferenceOf({ namespace, name }: OutsideName, naming: Naming): string {
  return (
    ownReference(`${namespace}/${name}`) ??
    (namespace.endsWith('://') ? ownReference(`${namespace}${name}`) : undefined) ??
    objectReference(namespace, name, naming) ??
    datasetReference(namespace, name)
  )
}

/** The name that data have for others; undefined where the text is no reference to data. */
export function dataNameOf(reference: string): OutsideName | undefined {
  const outside = outsideName('dataset://', reference)
  if (outside !== undefined) return outside
  const [, schema] = SCHEMA.exec(reference) ?? []
  if (schema !== undefined) return { namespace: 'schema://', name: schema }
  const parsed = parseReference(reference)
  if ('problem' in parsed) return undefined
  const { scheme, owner, path } = parsed
  return path === '' ? { namespace: `${scheme}://`, name: owner } : { namespace: `${scheme}://${owner}`, name: path }
}

export function jobReferenceOf({ namespace, name }: OutsideName): string {
  if (namespace === OWN_NAMESPACE && isOwnJob(name)) return `job://${name}`
  return OWN_KINDS.has(namespace) ? `job://${escaped(namespace)}/${name}` : jobReference(namespace, name)
}

export function jobNameOf(reference: string): OutsideName | undefined {
  const rest = reference.startsWith('job://') ? reference.slice('job://'.length) : ''
  return isOwnJob(rest) ? { namespace: OWN_NAMESPACE, name: rest } : outsideName('job://', reference)
}

const SCHEMA = /^schema:\/\/([^/]+)$/su

function ownReference(text: string): string | undefined {
  if (SCHEMA.test(text)) return text
  const parsed = parseReference(text)
  return 'problem' in parsed ? undefined : formatReference(parsed)
}

const STORES: readonly { readonly of: RegExp; readonly store: OutsideStore }[] = [
  { of: /^s3[an]?:\/\/([^/@]+)\/?$/su, store: 's3' },
  { of: /^gs:\/\/([^/@]+)\/?$/su, store: 'gs' },
  // The account is reached at blob.core.windows.net and at dfs.core.windows.net, and is the same.
  { of: /^(?:abfs|wasb)s?:\/\/([^/@]+@[^/@.]+)(?:\.[^/@]*)?\/?$/su, store: 'azure' }
]

/** Keys have no slash before them there; Spark's older names do. */
function objectReference(namespace: string, name: string, naming: Naming): string | undefined {
  for (const { of, store } of STORES) {
    const [, remoteBucket] = of.exec(namespace) ?? []
    if (remoteBucket === undefined) continue
    const bucket = naming.bucketOf(store, remoteBucket)
    return bucket === undefined ? undefined : ownReference(`object://${bucket}/${name.replace(/^\//, '')}`)
  }
  return undefined
}

function isOwnJob(text: string): boolean {
  const slash = text.indexOf('/')
  return slash > 0 && slash < text.length - 1 && OWN_KINDS.has(text.slice(0, slash))
}

/** A namespace outside may be called as a kind of jobs here: written so, it is another one and still reads the same. */
function escaped(namespace: string): string {
  return `%${namespace.charCodeAt(0).toString(16).toUpperCase()}${namespace.slice(1)}`
}

function outsideName(scheme: string, reference: string): OutsideName | undefined {
  if (!reference.startsWith(scheme)) return undefined
  const slash = reference.indexOf('/', scheme.length)
  if (slash <= scheme.length || slash === reference.length - 1) return undefined
  try {
    return { namespace: decodeURIComponent(reference.slice(scheme.length, slash)), name: reference.slice(slash + 1) }
  } catch {
    return undefined
  }
}
