import { readdirSync, statSync } from 'node:fs'
import { SeriesError } from '../errors.ts'
import type { Layout } from './layout.ts'

/** What SQLite says of a file that is damaged, or is none of its own. */
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** The files of points that lie in the folder, below it, whether the index knows them or not. */
export function filesLyingThere({ folder, absolute }: Layout): string[] {
  try {
    return readdirSync(absolute('points'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1))
      .sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/**
 * Says that the index is lost, as a sentence without its full stop: it is not there, or empty, though points were put into
 * files. Undefined where it is there, or where there was nothing to know. The types and labels of tags, and what was deleted,
 * are in no other file, so that it can't be made again out of those.
 */
export function lostIndex(layout: Layout): string | undefined {
  const found = statSync(layout.index, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0) return undefined
  if (statSync(layout.folder, { throwIfNoEntry: false }) === undefined) return undefined
  const files = filesLyingThere(layout).length
  // Before the first points are put into files, the logs hold all that there is.
  if (files === 0 && (layout.logs()[0] ?? 1) === 1) return undefined
  const state = found === undefined ? 'missing' : 'empty'
  return `index.db is ${state}, which alone knows what the ${files} files of points hold`
}

export function indexLost(fault: string, cause?: unknown): SeriesError {
  return new SeriesError('damaged', fault, { file: 'index.db' }, cause)
}

/** Whatever opening or reading the index throws; damage is told as such. */
export function indexFault(error: unknown): unknown {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  const isDamage = errcode !== undefined && [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff)
  return isDamage ? indexLost(`index.db is damaged: ${message}`, error) : error
}
