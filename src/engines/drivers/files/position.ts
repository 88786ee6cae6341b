import { SourceError } from '../errors.ts'
import type { FoundFile } from './place.ts'

/** How far reading is: a file, as it was at that time, and the last row that was read; undefined where all of them were. */
export interface Position extends FoundFile {
  readonly row: number | undefined
}

export function positionText({ path, modifiedMs, row }: Position): string {
  return `${new Date(modifiedMs).toISOString()} ${path}:${row ?? 'end'}`
}

export function parsePosition(text: string): Position {
  const [, at = '', path = '', row = ''] = /^(\S+Z) (.+):(\d{1,15}|end)$/s.exec(text) ?? []
  const modifiedMs = Date.parse(at)
  if (path === '' || Number.isNaN(modifiedMs)) {
    throw new SourceError('bad_request', 'The position to go on from is none of this source; begin again without one')
  }
  return { path, modifiedMs, row: row === 'end' ? undefined : Number(row) }
}

/** Files are read in the order of their times, and by name where these are the same. */
export function compareFiles(a: FoundFile, b: FoundFile): number {
  if (a.modifiedMs !== b.modifiedMs) return a.modifiedMs - b.modifiedMs
  return a.path < b.path ? -1 : Number(a.path > b.path)
}

/** Whether there is something in a file for who was at a position. */
export function isAhead(file: FoundFile, position: Position | undefined): boolean {
  if (position === undefined) return true
  const order = compareFiles(file, position)
  return order > 0 || (order === 0 && position.row !== undefined)
}
