import { closeSync, copyFileSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { toIso } from '../../../clock.ts'
import { type LostRecords, writeNote } from '../damage-notes.ts'
import type { Layout } from '../layout.ts'
import { Log, type LostPart, syncFolder } from './log.ts'
import type { LogRecord } from './log-records.ts'
import { lostIn } from './lost.ts'

/** The sound records of a damaged log, and its lost parts. */
export interface DamagedLog {
  readonly number: number
  readonly records: readonly LogRecord[]
  readonly lost: readonly LostPart[]
  readonly nameless: number
}

/**
 * Keeps a damaged log as it was found, notes what is lost, and puts a log of the sound records in its place: in this order,
 * so that a crash leaves either the damaged one or the new one. Answers the size of the new one, and the note.
 */
export async function replaceDamagedLog(
  layout: Layout,
  { number, records, lost, nameless }: DamagedLog
): Promise<{ sizeBytes: number; note: LostRecords }> {
  const path = layout.logFile(number)
  const foundAt = toIso(Date.now())
  const copy = join(layout.damaged, `log-${number}-${foundAt.replaceAll(/[:.]/g, '-')}`)
  mkdirSync(layout.damaged, { recursive: true, mode: 0o700 })
  try {
    linkSync(path, copy)
  } catch {
    copyFileSync(path, copy) // not every file system has links
  }
  syncFile(copy)
  const note = {
    ...lostIn(lost),
    kind: 'log',
    file: `log-${number}`,
    copy: `damaged/${basename(copy)}`,
    foundAt
  } as const
  writeNote(layout, { ...note, nameless })
  const sound = new Log(join(layout.temporary, `log-${number}`), 0)
  sound.append(records)
  await sound.synced()
  const { sizeBytes } = sound
  await sound.close()
  renameSync(sound.path, path)
  syncFolder(layout.folder)
  return { sizeBytes, note: { ...note, nameless } }
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
