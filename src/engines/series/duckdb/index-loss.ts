import { readdirSync, statSync } from 'node:fs'
import { SeriesError } from '../errors.ts'
import type { Layout } from './layout.ts'

/** SQLite's codes for a damaged file, and for a file that is no database. */
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** The files of points in the folder, as paths below it, whether the index knows them or not. */
export function pointFilesIn({ folder, absolute }: Layout): string[] {
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
 * A sentence, without a full stop, where the index is lost: it is missing or empty, though there are files of points.
 * Undefined where it exists, or where there was nothing to know. It can't be made again from the files: the types and
 * labels of tags, and what was deleted, are only in it.
 */
export function lostIndex(layout: Layout): string | undefined {
  const found = statSync(layout.index, { throwIfNoEntry: false })
  if (found !== undefined && found.size > 0) return undefined
  if (statSync(layout.folder, { throwIfNoEntry: false }) === undefined) return undefined
  const files = pointFilesIn(layout).length
  // Before the first points are put into files, the logs hold everything.
  if (files === 0 && (layout.logs()[0] ?? 1) === 1) return undefined
  const state = found === undefined ? 'missing' : 'empty'
  return `index.db is ${state}, which alone knows what the ${files} files of points hold`
}

export function indexLost(fault: string, cause?: unknown): SeriesError {
  return new SeriesError('damaged', fault, { file: 'index.db' }, cause)
}

/** Turns an error of SQLite about damage into a `SeriesError`; answers others unchanged. */
export function indexFault(error: unknown): unknown {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string }
  const isDamage = errcode !== undefined && [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff)
  return isDamage ? indexLost(`index.db is damaged: ${message}`, error) : error
}
