import type { Config } from './config.ts'
import { FolderInUse } from './engines/folder-lock.ts'
import type { Disk, Kept } from './engines/replicas/index.ts'

/** The settings that name a store shared by all replicas. */
export const SHARED_BY = { points: 'SERIES_URL', objects: 'OBJECTS_URL' } as const satisfies Record<Kept, string>

/** The sentence names no host and no folder: anybody who uses the API may read it. */
export function keptElsewhere(kept: Kept, { id }: Pick<Disk, 'id'>): string {
  return `The ${kept} are kept on the disk of another replica, ${id}: start that one again, set ${SHARED_BY[kept]}, or see what 'millrace doctor' says`
}

/** Whether a folder is locked by another replica: one that has fallen silent may still hold its folders. */
export function isHeldByReplica({ databaseUrl }: Config, error: unknown): boolean {
  return databaseUrl !== undefined && error instanceof FolderInUse
}

/** The kinds of data that are on the disks of replicas rather than in a shared store. */
export function keptOnDisks({ seriesUrl, objectsUrl }: Config): Kept[] {
  return [
    ...(seriesUrl === undefined ? (['points'] as const) : []),
    ...(objectsUrl === undefined ? (['objects'] as const) : [])
  ]
}

/** The settings without which several replicas can't work as one. */
export function missingForReplicas(config: Config): string[] {
  return keptOnDisks(config).map((kept) => SHARED_BY[kept])
}
