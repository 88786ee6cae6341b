import type { AreaNeeds } from '../../area.ts'
import { isPattern } from '../../data/glob.ts'
import { hasObject } from '../../data/object-resolver.ts'
import { type DataReference, isOutside, parseReference } from '../../data/reference.ts'
import { StoreError } from '../../engines/objects/index.ts'
import { within } from '../../engines/timing.ts'
import { Problem } from '../../errors.ts'
import { mayRead } from '../../http/data-rights.ts'
import type { Actor } from '../../http/permissions.ts'
import { nodeKey, outflowsOf } from '../lineage/index.ts'
import { absentColumns } from './absent-columns.ts'
import type { Guard } from './clearance/guard.ts'
import type { LabelWarning, ResourceTag } from './schema.ts'

/** Data that take longer to open are not looked at: a label does not depend on it. */
const LOOK_MS = 5000
/** The nouns of what has data, with the schemes of these. */
const OWNERS: Readonly<Record<string, 'object' | 'series'>> = {
  bucket: 'object',
  'catalog-source': 'series',
  source: 'series'
}

interface Needs extends Pick<AreaNeeds, 'metadata' | 'plane' | 'clock' | 'ending' | 'service'> {
  readonly guard: Pick<Guard, 'maskOf'>
}

/**
 * What is hardly meant about a label: data that are not there, and columns that the data do not have now. Nobody is told of
 * data that they may not read, nor of columns that they may not see, and those of a pattern are not looked for.
 */
export async function labelWarnings(
  needs: Needs,
  actor: Actor,
  { resource, columns = [] }: ResourceTag
): Promise<LabelWarning[]> {
  if (typeof resource === 'string' && isOutside(resource))
    return (await isRead(needs, resource)) ? [] : [unread(resource)]
  const reference = referenceOf(resource)
  if (reference === undefined || !mayRead(actor, reference)) return []
  const name = typeof resource === 'string' ? resource : `${resource.type} ${resource.id}`
  if (!(await isOwnerThere(needs, reference))) return [nothingThere(name)]
  if (typeof resource !== 'string' || isPattern(reference.path)) return []
  if ((await needs.guard.maskOf(actor, [reference])) !== undefined) return []
  if (await within(needs.clock, LOOK_MS, isMissing(needs, reference), () => false)) return [nothingThere(name)]
  const absent = columns.length > 0 ? await absentColumns(needs, resource, columns, LOOK_MS) : undefined
  return absent === undefined ? [] : [notInData(resource, absent)]
}

/** Whether the lineage knows of anything that is made of data outside the platform. */
const isRead = async ({ metadata }: Needs, resource: string): Promise<boolean> =>
  (await outflowsOf(metadata.db, [nodeKey(resource)])).size > 0

/** The data, or what has them; undefined where it is neither. */
function referenceOf(resource: ResourceTag['resource']): DataReference | undefined {
  if (typeof resource === 'string') {
    const parsed = parseReference(resource)
    return 'problem' in parsed ? undefined : parsed
  }
  const scheme = OWNERS[resource.type]
  return scheme && { scheme, owner: resource.id, path: '' }
}

/** Whether there is the bucket or the source; other owners of data are taken to be there. */
async function isOwnerThere({ service }: Needs, { scheme, owner }: DataReference): Promise<boolean> {
  if (scheme === 'series') return (await service('catalog')).sourceExists(owner)
  return scheme !== 'object' || (await (await service('buckets')).opener.exists(owner))
}

/** Whether the store says that there is no such object; other data are taken to be there. */
async function isMissing({ service }: Needs, { scheme, owner, path }: DataReference): Promise<boolean> {
  if (scheme !== 'object') return false
  try {
    return !(await hasObject(await (await service('buckets')).opener.open(owner), path))
  } catch (error) {
    if (error instanceof Problem || error instanceof StoreError) return false
    throw error
  }
}

const notInData = (resource: string, absent: string): LabelWarning => ({
  code: 'no_such_column',
  message: `${resource} has no column ${absent} now; the level counts once it has, so look whether the name is meant`
})

const unread = (resource: string): LabelWarning => ({
  code: 'nothing_matches',
  message: `The lineage knows of nothing that is made of ${resource} yet; the level counts once it does`
})

const nothingThere = (name: string): LabelWarning => ({
  code: 'nothing_matches',
  message: `There is no ${name} yet; the level counts once there is`
})
