import { existsSync } from 'node:fs'
import { StoreError } from './engines/objects/errors.ts'
import { HealthProblem } from './http/health-problem.ts'
import { missingForReplicas, type Platform, seriesDir } from './platform.ts'
import type { Scrubbed } from './scrub.ts'

export const objectsNotShared = (cause?: unknown) =>
  new StoreError('not_shared', 'Several replicas share the database, but not the objects: set OBJECTS_URL', { cause })

/** Refuses while other replicas, which have disks of their own or are in the way on this one, share the database. */
export async function requireOwnDisk({ replicas }: Platform): Promise<void> {
  if (!(await replicas.isAlone())) throw objectsNotShared()
}

/** What health says of replicas, where there can be several and not all that they need is set. */
export function replicaChecks({ config, replicas }: Platform) {
  const missing = missingForReplicas(config)
  if (config.databaseUrl === undefined || missing.length === 0) return []
  const kept = missing.length > 1 ? 'points and objects' : missing[0] === 'SERIES_URL' ? 'points' : 'objects'
  const wrong = `several run, and ${kept} can't be used until ${missing.join(' and ')} is set, or one runs only`
  const run = async () => {
    if (!(await replicas.isAlone())) throw new HealthProblem(wrong)
  }
  return [{ name: 'replicas', vital: false, run }]
}

/** Where there are points, whoever asks for them first need not wait until logs have been read. */
export async function openSeriesEarly({ config, series, replicas, log }: Platform): Promise<void> {
  if (config.seriesUrl === undefined && !(existsSync(seriesDir(config)) && (await replicas.isAlone()))) return
  series().catch((error) => log.error({ err: error }, 'the time-series engine does not open'))
}

/** What is on this disk to be read now and then: nothing where others are in the way, who would find what is not theirs. */
export async function scrubbedOf(
  { config, series, replicas, clock, metadata }: Platform,
  storage: () => Promise<{ scrubbedStores(): Promise<Scrubbed[]> }>
): Promise<Scrubbed[]> {
  if (!(await replicas.isAlone())) return []
  const hasBuckets = (await metadata.db.selectFrom('buckets').select('name').limit(1).executeTakeFirst()) !== undefined
  const stores = hasBuckets ? await (await storage()).scrubbedStores() : []
  if (config.seriesUrl !== undefined || !existsSync(seriesDir(config))) return stores
  const points = await series()
  return [...stores, { scrub: (maxBytes) => points.scrub(maxBytes, clock.now()) }]
}
