import { existsSync } from 'node:fs'
import { hasRows } from './engines/metadata/index.ts'
import { StoreError } from './engines/objects/errors.ts'
import type { Kept } from './engines/replicas/index.ts'
import { HealthProblem } from './http/health-problem.ts'
import { keptElsewhere, keptOnDisks, missingForReplicas } from './kept-on-disks.ts'
import { type Platform, seriesDir } from './platform.ts'
import type { Scrubbed } from './scrub.ts'

export const objectsNotShared = (cause?: unknown) =>
  new StoreError('not_shared', 'Several replicas share the database, but not the objects: set OBJECTS_URL', { cause })

/**
 * For operations on objects, or other files of pipelines, on this disk. Refuses while other replicas, with other
 * disks or on this one, share the database, and where the objects are on another disk.
 */
export async function requireOwnDisk({ replicas }: Platform): Promise<void> {
  const obstacle = await replicas.claim('objects')
  if (obstacle === 'several') throw objectsNotShared()
  if (obstacle !== undefined) throw new StoreError('kept_elsewhere', keptElsewhere('objects', obstacle))
}

/** The health check of replicas, where several are possible and a setting that they need is missing. */
export function replicaChecks({ config, replicas }: Platform) {
  const missing = missingForReplicas(config)
  const kept = keptOnDisks(config)
  if (config.databaseUrl === undefined || kept.length === 0) return []
  const several = `several run, and ${kept.join(' and ')} can't be used until ${missing.join(' and ')} is set, or one runs only`
  const run = async () => {
    if (!(await replicas.isAlone())) throw new HealthProblem(several)
    const obstacles = await Promise.all(kept.map((each) => replicas.obstacleTo(each)))
    const lost = kept.filter((_, index) => obstacles[index] !== undefined).join(' and ')
    if (lost !== '') throw new HealthProblem(`${lost} are kept on the disk of a replica that is not running: ${MEND}`)
  }
  return [{ name: 'replicas', vital: false, run }]
}

const MEND = "start that one again; 'millrace doctor' on the server says which, and what else can be done"

/**
 * Opens time series at the start where there are points, so that the first query need not wait until logs were read.
 */
export async function openSeriesEarly({ config, series, replicas, log }: Platform): Promise<void> {
  if (
    config.seriesUrl === undefined &&
    !(existsSync(seriesDir(config)) && (await replicas.obstacleTo('points')) === undefined)
  )
    return
  series().catch((error) => log.error({ err: error }, 'the time-series engine does not open'))
}

/**
 * What is on this disk and has to be scrubbed: nothing while other replicas share the database, whose data would look
 * foreign.
 */
export async function scrubbedOf(
  { config, series, replicas, clock, metadata }: Platform,
  storage: () => Promise<{ scrubbedStores(): Promise<Scrubbed[]> }>
): Promise<Scrubbed[]> {
  const isOwn = async (kept: Kept) => (await replicas.obstacleTo(kept)) === undefined
  const hasBuckets = await hasRows(metadata.db.selectFrom('buckets'))
  const stores = hasBuckets && (await isOwn('objects')) ? await (await storage()).scrubbedStores() : []
  if (config.seriesUrl !== undefined || !existsSync(seriesDir(config)) || !(await isOwn('points'))) return stores
  const points = await series()
  return [...stores, { scrub: (maxBytes) => points.scrub(maxBytes, clock.now()) }]
}
