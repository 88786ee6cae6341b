import { isDiskFull } from '../../../full-disk.ts'
import { isUnwritable } from '../../../unwritable.ts'
import { SeriesError } from '../../errors.ts'

/** What went wrong with the disk, in the terms of the engine. */
export function asSeriesError(error: unknown): SeriesError {
  if (error instanceof SeriesError) return error
  const { code, message } = error as NodeJS.ErrnoException
  // DuckDB, and the runtime where it removes folders, say it in words alone.
  if (isDiskFull(error) || /no space left/i.test(message))
    return new SeriesError('full', 'There is no room left on the disk for points', {}, error)
  if (isUnwritable(error) || /read-only file system|permission denied/i.test(message))
    return new SeriesError('unwritable', 'The disk does not let points be written', {}, error)
  return new SeriesError('failed', `Points could not be kept: ${code ?? message}`, {}, error)
}
