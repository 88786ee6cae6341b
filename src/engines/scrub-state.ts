import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toIso } from './clock.ts'

/** How far the slow check of everything in a folder has come. */
export interface ScrubState {
  /** The name checked last; null before the first, and at the end. */
  readonly after: string | null
  readonly startedAt: string
  readonly endedAt: string | null
  readonly examined: number
  readonly damaged: number
}

/** What one step has done. */
export interface ScrubStep {
  readonly sizeBytes: number
  /** Whether everything was checked, so that nothing is to be done for now. */
  readonly isDone: boolean
}

const EVERY_MS = 7 * 24 * 3600_000

const fileOf = (folder: string) => join(folder, 'scrub.json')

/** Undefined where no check has begun. */
function readScrub(folder: string): ScrubState | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as ScrubState
  } catch {
    return undefined // not there, or damaged: a new one begins
  }
}

/** The check under way, or a new one where the last began a week ago; undefined where none is due. */
export function dueScrub(folder: string, nowMs: number): ScrubState | undefined {
  const last = readScrub(folder)
  if (last !== undefined && last.endedAt === null) return last
  if (last !== undefined && Math.abs(nowMs - Date.parse(last.startedAt)) < EVERY_MS) return undefined
  return { after: null, startedAt: toIso(nowMs), endedAt: null, examined: 0, damaged: 0 }
}

/** Not flushed: if it is lost with the machine, some files are checked twice. */
export function writeScrub(folder: string, state: ScrubState): void {
  const file = fileOf(folder)
  writeFileSync(`${file}.temporary`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.temporary`, file)
}

export function describeScrub(folder: string): string {
  const state = readScrub(folder)
  if (state === undefined) return 'not all looked at yet'
  const { examined, damaged, startedAt, endedAt } = state
  const found = damaged === 0 ? '' : `, ${damaged} damaged`
  if (endedAt !== null) return `all ${examined} looked at until ${endedAt}${found}`
  return `${examined} looked at since ${startedAt}${found}`
}
