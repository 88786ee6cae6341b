import type { AreaNeeds } from '../../../area.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { ScheduleTarget, TargetEnd, TargetOrder, TargetRun } from '../../../schedule-target.ts'
import { findSource } from '../store.ts'
import { DEFAULT_LAG, DownsampleConfig, NO_LENGTH } from './config.ts'
import { lineageOf } from './lineage.ts'
import { lengthMs, spanOf } from './span.ts'
import { downsample } from './work.ts'

/** Of each tag, in one run: a day of seconds, or two months of minutes. */
const MAX_BUCKETS = 100_000

type Needs = Pick<AreaNeeds, 'clock' | 'metadata' | 'series'>

/** Writes what buckets of one source come to into another. The last write of a point wins: doing it twice is safe. */
export function downsampleTarget(needs: Needs): ScheduleTarget {
  return {
    about:
      'Sums up the points of a source in buckets, and writes them to another source: those between this due time and the one before, less the lag; the first run looks a week back. A due time that was missed is made up for by a backfill.',
    permissions: ['catalog:read', 'catalog:write'],
    resource: 'catalog-source',
    config: DownsampleConfig,
    check: (order) => check(needs.metadata, order),
    uses: (order) => [{ type: 'catalog-source', id: toConfig(order).into.sourceId }],
    reads: ({ id }) => (id === undefined ? [] : [`series://${id}`]),
    tellsLineage: true,
    run: (run) => sumUp(needs, run)
  }
}

const toConfig = ({ config }: Pick<TargetOrder, 'config'>) => config as unknown as DownsampleConfig

async function check(metadata: Metadata, order: TargetOrder): Promise<void> {
  const { every, lag = DEFAULT_LAG, into } = toConfig(order)
  const errors: FieldError[] = []
  const refuse = (pointer: string, message: string) => errors.push({ pointer: `/target${pointer}`, message })
  if (lengthMs(every) === undefined) refuse('/config/every', NO_LENGTH)
  if (lengthMs(lag) === undefined) refuse('/config/lag', NO_LENGTH)
  if (order.id === undefined) refuse('/id', 'must be the id of a source of the catalog')
  else if (!(await isThere(metadata, order.id))) refuse('/id', 'names no source of the catalog; ids begin with src_')
  if (into.sourceId === order.id) refuse('/config/into/sourceId', 'must be another source than the one that is read')
  else if (!(await isThere(metadata, into.sourceId))) {
    refuse('/config/into/sourceId', 'names no source of the catalog; ids begin with src_')
  }
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

const isThere = async ({ db }: Metadata, id: string) => (await findSource(db, id)) !== undefined

async function sumUp({ clock, metadata, series }: Needs, run: TargetRun): Promise<TargetEnd> {
  const config = toConfig(run)
  const { every, lag = DEFAULT_LAG, functions = ['avg'], into } = config
  const sourceId = String(run.id)
  for (const id of [sourceId, into.sourceId]) {
    if (await isThere(metadata, id)) continue
    const message = `There is no source ${id} any more; give the schedule another one, or delete it`
    return { outcome: 'failed', code: 'source_not_found', message, isFinal: true }
  }
  const everyMs = lengthMs(every) as number
  const previousMs = run.previousDueAt === null ? null : Date.parse(run.previousDueAt)
  const span = spanOf({ dueMs: Date.parse(run.dueAt), previousMs, everyMs, lagMs: lengthMs(lag) as number })
  const buckets = (span.toMs - span.fromMs) / everyMs
  const lineage = lineageOf(sourceId, config)
  if (buckets <= 0)
    return { outcome: 'succeeded', message: `No bucket of ${every} has ended since the due time before`, lineage }
  if (buckets > MAX_BUCKETS) {
    const message = `${buckets} buckets lie between the due times, and at most ${MAX_BUCKETS} are made at once; let it be due more often, or make buckets wider`
    return { outcome: 'failed', code: 'too_many_buckets', message, isFinal: true }
  }
  await run.begin(lineage)
  const order = { sourceId, config, functions, span, holder: run.owner.id, signal: run.signal, now: () => clock.now() }
  const { tags, written, rejected, reason } = await downsample(await series(), order)
  const done = `${written} points of ${tags} tags, from ${inWords(span.fromMs)} to ${inWords(span.toMs)}`
  if (rejected === 0) return { outcome: 'succeeded', message: done, lineage }
  const message = `${done}; ${rejected} were refused, the first because ${reason}. Delete the tag there, or write to another source`
  return { outcome: 'failed', code: 'points_rejected', message, isFinal: true }
}

const inWords = (ms: number) => new Date(ms).toISOString()
