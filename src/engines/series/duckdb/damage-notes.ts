import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncFolder } from './keeper/log.ts'
import { type Lost, wordsOf } from './keeper/lost.ts'
import type { Layout } from './layout.ts'

/** A log that could not be read completely when the engine was opened. */
export interface LostRecords extends Lost {
  readonly kind: 'log'
  readonly file: string
  /** The path of a copy of the log as it was found, below the folder. */
  readonly copy: string
  readonly foundAt: string
  /** How many points are there without the names of their tags. */
  readonly nameless: number
}

/** A sealed file whose bytes have changed. */
export interface DamagedFile {
  readonly kind: 'file'
  readonly file: string
  readonly foundAt: string
  /** The damaged part, in words. */
  readonly part: string
  readonly day: string
  readonly source: string
}

export type DamageNote = LostRecords | DamagedFile

/**
 * What is known to be damaged, as one file each in a folder of its own: so health and the doctor can report it
 * whether the engine runs or not, until somebody has mended it or has removed the note.
 */
export function readNotes({ damaged }: Layout): DamageNote[] {
  let names: string[]
  try {
    names = readdirSync(damaged)
  } catch {
    return []
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(damaged, name), 'utf8')) as DamageNote]
      } catch {
        return [] // removed a moment ago
      }
    })
}

/** False where the damage was noted before. */
export function writeNote(layout: Layout, note: DamageNote): boolean {
  const path = noteFile(layout, note)
  if (readNotes(layout).some((known) => noteFile(layout, known) === path)) return false
  mkdirSync(layout.damaged, { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.temporary`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${path}.temporary`, path)
  syncFolder(layout.damaged)
  return true
}

/** Removes the note of a file that is whole again, or gone. */
export function removeNote(layout: Layout, file: string): void {
  rmSync(noteFile(layout, { kind: 'file', file }), { force: true })
}

function noteFile({ damaged }: Layout, note: Pick<DamagedFile, 'kind' | 'file'> | LostRecords): string {
  const name = note.kind === 'log' ? basename(note.copy) : encodeURIComponent(note.file)
  return join(damaged, `${name}.json`)
}

/** The damage as a sentence without a full stop. */
export function describeNote(note: DamageNote): string {
  if (note.kind === 'file') {
    return `${note.file} (source ${note.source}, ${note.day}) is damaged: ${note.part}`
  }
  const others = note.nameless === 0 ? '' : `, and ${note.nameless} points whose tags are not known any more`
  return `${note.file} was damaged in ${wordsOf(note)}${others}: they are lost`
}
