import { existsSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type DamageNote, readNotes } from './damage-notes.ts'
import { indexLost, lostIndex, pointFilesIn } from './index-loss.ts'
import { replayLog } from './keeper/log.ts'
import { describeLost } from './keeper/lost.ts'
import { type Layout, layoutOf } from './layout.ts'
import { FileSums, findDamage } from './parquet/file-sums.ts'

export interface Inspection {
  readonly files: { readonly count: number; readonly sizeBytes: number }
  /** Log records whose points are in no file yet; they are read again at the next start. */
  readonly logs: { readonly records: number; readonly sizeBytes: number }
  /** What is wrong, each as the end of a sentence that begins with a name. */
  readonly faults: readonly string[]
  /** Files of points that the index does not know, so that no query reads them. */
  readonly strays: readonly string[]
  /** Logs that do not end with a whole record though a later one exists. */
  readonly torn: readonly string[]
  /** Logs with records that can't be read, each as a sentence that begins with its name. */
  readonly damagedLogs: readonly string[]
  /** Damage that was found before. */
  readonly notes: readonly DamageNote[]
}

/** Whether it is the name of a file of points, below the folder; such a name can't lead out of it. */
export const isPointsFile = (name: string) => /^points\/source=[^/]+\/day=[^/]+\/\d+\.parquet$/.test(name)

/** Looks at the files of the engine, which may be running, without changing anything. Throws where the index can't be read. */
export function inspectSeries(folder: string): Inspection {
  const layout = layoutOf(folder)
  const lost = lostIndex(layout)
  if (lost !== undefined) throw indexLost(lost)
  const index = new DatabaseSync(layout.index, { readOnly: true, timeout: 5000 })
  try {
    const [verdict] = index.prepare('pragma integrity_check(1)').all()
    if (verdict?.integrity_check !== 'ok') throw new Error(`index.db is damaged: ${verdict?.integrity_check}`)
    const files = index.prepare('select count(*) as count, total(size_bytes) as sizeBytes from files').get()
    const { faults, torn, damagedLogs, ...logs } = inspectLogs(layout, index)
    return {
      files: { count: files?.count as number, sizeBytes: files?.sizeBytes as number },
      logs,
      faults: [...namesElsewhere(index), ...fileFaults(layout, index), ...faults],
      strays: strays(layout, index),
      torn,
      damagedLogs,
      notes: readNotes(layout)
    }
  } finally {
    index.close()
  }
}

/**
 * Names in the index that lead elsewhere: anybody may have changed the index of a backup, and the engine reads and
 * removes the files it names.
 */
function namesElsewhere(index: DatabaseSync): string[] {
  const paths = index.prepare('select path from files union select path from doomed').all()
  return paths
    .filter(({ path }) => !isPointsFile(path as string))
    .map(({ path }) => `${JSON.stringify(path)} is a name that no file of points has`)
}

function fileFaults(layout: Layout, index: DatabaseSync): string[] {
  const isStill = index.prepare('select 1 from files where path = ?')
  const faults: string[] = []
  for (const { path, size_bytes } of index.prepare('select path, size_bytes from files').all()) {
    const found = statSync(layout.absolute(path as string), { throwIfNoEntry: false })
    if (found?.size === size_bytes) continue
    // The file may have been merged into another one since its row was read.
    if (isStill.get(path as string) === undefined) continue
    faults.push(`${path} is ${found === undefined ? 'missing' : 'not as it was written'}`)
  }
  return faults
}

/** Files of points that the index does not list. Files being written, or to be removed, are listed in it. */
function strays(layout: Layout, index: DatabaseSync): string[] {
  const lying = pointFilesIn(layout)
  const isKnown = index.prepare('select 1 from files where path = ?1 union all select 1 from doomed where path = ?1')
  const unknown = lying.filter((path) => isKnown.get(path) === undefined)
  // Some may have been merged into others since.
  return unknown.filter((path) => existsSync(layout.absolute(path)))
}

function inspectLogs(layout: Layout, index: DatabaseSync) {
  const total = { records: 0, sizeBytes: 0 }
  const faults: string[] = []
  const torn: string[] = []
  const damagedLogs: string[] = []
  const sealed = sealedOf(index)
  const last = lastLog(layout, sealed)
  for (let number = sealed + 1; number <= last; number++) {
    const log = readIfExists(layout.logFile(number))
    if (log === undefined) {
      // Its points may have been put into files meanwhile.
      if (sealedOf(index) < number) faults.push(`log-${number} is missing`)
      continue
    }
    const { end, lost } = replayLog(log, () => total.records++)
    total.sizeBytes += end
    if (lost.length > 0) damagedLogs.push(describeLost(`log-${number}`, lost))
    else if (end < log.length && number < last) torn.push(`log-${number}`)
  }
  return { ...total, faults, torn, damagedLogs }
}

/** The number of the last log that has to exist; none while the engine has only just made its folder. */
export function lastLog(layout: Layout, sealed: number): number {
  const last = layout.logs().at(-1) ?? 0
  return sealed + last === 0 ? 0 : Math.max(last, sealed + 1)
}

/** The number of the last generation that is in files. */
export function sealedOf(index: DatabaseSync): number {
  return (index.prepare(`select value from facts where key = 'sealed'`).get()?.value as number | undefined) ?? 0
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads every sealed file and reports those that are damaged. The engine may be running. */
export function* readWholeFiles(folder: string): Iterable<{ sizeBytes: number; damage: string | undefined }> {
  const layout = layoutOf(folder)
  const index = new DatabaseSync(layout.index, { readOnly: true, timeout: 5000 })
  try {
    const isStill = index.prepare('select 1 from files where path = ?')
    const hasSums = index.prepare(`select 1 from sqlite_schema where name = 'checksums'`).get() !== undefined
    const sums = hasSums ? 'files left join checksums using (path)' : '(select *, null as sums from files)'
    for (const { path, size_bytes, sums: known } of index.prepare(`select path, size_bytes, sums from ${sums}`).all()) {
      const damage = damageOf(layout.absolute(path as string), known as Uint8Array | null)
      const isTold = damage !== undefined && isStill.get(path as string) !== undefined
      yield { sizeBytes: size_bytes as number, damage: isTold ? `${path} ${damage}` : undefined }
    }
  } finally {
    index.close()
  }
}

/** For a file of an older version only the size is known, not the checksums. */
function damageOf(path: string, sums: Uint8Array | null): string | undefined {
  try {
    const part = sums === null ? undefined : findDamage(path, new FileSums(sums))
    return part && `is damaged: ${part}`
  } catch (error) {
    return `can't be read: ${(error as Error).message}`
  }
}
