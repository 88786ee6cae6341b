import type { AreaNeeds } from '../../../area.ts'
import { DataError } from '../../../data/errors.ts'
import { isPattern } from '../../../data/glob.ts'
import { formOf } from '../../../data/object-formats.ts'
import { matchingObjects } from '../../../data/object-resolver.ts'
import { type DataReference, formatReference, MAX_REFERENCE_CHARS, parseReference } from '../../../data/reference.ts'
import { invalidField } from '../../../errors.ts'
import { Closed } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import type { ScheduleTarget, TargetEnd, TargetOrder, TargetRun } from '../../../schedule-target.ts'
import { scanInBackground } from './background.ts'
import { Scans } from './scans.ts'
import { MAX_SAMPLE_ROWS } from './schema.ts'
import { scannedAt } from './store.ts'

const OWNERS = { object: 'bucket', series: 'catalog-source', pipeline: 'pipeline' } as const

const ClassificationTargetConfig = Closed({
  resources: Type.String({
    minLength: 1,
    maxLength: MAX_REFERENCE_CHARS,
    description:
      'A data reference. Of a pattern of objects, such as `object://sales/**/*.parquet`, each object is looked at by itself, and again only when it has changed'
  }),
  sample: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SAMPLE_ROWS, description: 'Rows to look at of each' }))
})
type ClassificationTargetConfig = Static<typeof ClassificationTargetConfig>

type Needs = Pick<AreaNeeds, 'plane' | 'clock' | 'makeId' | 'metadata' | 'service'>

export function classificationTarget(needs: Needs): ScheduleTarget {
  const scans = new Scans(needs)
  return {
    about: 'Looks at samples of data, and suggests levels for columns in which it finds sensitive values.',
    permissions: ['classification:write', 'buckets:read', 'catalog:read', 'pipelines:read'],
    config: ClassificationTargetConfig,
    check: async (order) => {
      const reference = parseReference(configOf(order).resources)
      const problem = 'problem' in reference ? reference.problem : unreadable(reference)
      if (problem !== undefined) throw invalidField('/target/config/resources', problem)
    },
    uses: (order) => {
      const reference = parseReference(configOf(order).resources)
      if ('problem' in reference || unreadable(reference) !== undefined) return []
      return [{ type: OWNERS[reference.scheme as keyof typeof OWNERS], id: reference.owner }]
    },
    reads: (order) => [configOf(order).resources],
    run: (run) => scanAll(needs, scans, run)
  }
}

const configOf = ({ config }: Pick<TargetOrder, 'config'>) => config as unknown as ClassificationTargetConfig

const unreadable = ({ scheme }: DataReference) =>
  Object.hasOwn(OWNERS, scheme) ? undefined : `must begin with one of ${Object.keys(OWNERS).join(':// ')}://`

async function scanAll(needs: Needs, scans: Scans, run: TargetRun): Promise<TargetEnd> {
  const { resources: text, sample } = configOf(run)
  try {
    const { resources, unchanged } = await wantedOf(needs, parseReference(text) as DataReference, run.signal)
    const ends = { looked: 0, gone: 0, failed: 0 }
    let open = 0
    for (const resource of resources) {
      const facts = { resource, cause: 'schedule', rows: sample, signal: run.signal } as const
      const end = await scanInBackground(scans, { ...facts, commit: (work) => run.change((tx) => work(tx)) })
      ends[end.outcome]++
      if (end.outcome === 'looked') open += end.open
      if (end.outcome === 'failed') run.log(`${resource} can't be read; GET /api/classification/scans says why`)
    }
    const message = `${ends.looked} looked at, ${unchanged} unchanged, ${ends.failed} could not be read; ${open} suggestions are open`
    if (ends.looked + unchanged > 0 || ends.failed === 0) return { outcome: 'succeeded', message }
    return { outcome: 'failed', code: 'data_unreadable', message, isFinal: true }
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof DataError)) throw error
    return { outcome: 'failed', code: error.code, message: error.message }
  }
}

/** The data that a reference names; of a pattern, the objects that have changed since they were looked at. */
async function wantedOf({ service, metadata }: Needs, reference: DataReference, signal: AbortSignal) {
  const { scheme, owner, path } = reference
  if (scheme !== 'object' || !isPattern(path)) return { resources: [formatReference(reference)], unchanged: 0 }
  const bucket = await (await service('buckets')).opener.find(owner)
  if (bucket === undefined) throw new DataError('not_found', `There is no bucket ${owner} any more.`)
  const objects = await matchingObjects(bucket, path, signal)
  const readable = objects
    .filter(({ key }) => formOf(key, '') !== undefined)
    .map(({ key, modifiedAt }) => ({ resource: formatReference({ scheme, owner, path: key }), modifiedAt }))
    .filter(({ resource }) => resource.length <= MAX_REFERENCE_CHARS)
  const times = await scannedAt(
    metadata.db,
    readable.map(({ resource }) => resource)
  )
  const resources = readable
    .filter(({ resource, modifiedAt }) => isDue(times.get(resource), modifiedAt))
    .map(({ resource }) => resource)
  return { resources, unchanged: readable.length - resources.length }
}

/** Whether it was never looked at, or has changed since, or in the same moment. */
const isDue = (lookedAt: string | undefined, modifiedAt: string) =>
  lookedAt === undefined || Date.parse(lookedAt) <= Date.parse(modifiedAt)
