import { SeriesError } from '../../errors.ts'

/** What went wrong with the disk, in the terms of the engine. */
export function asSeriesError(error: unknown): SeriesError {
  if (error instanceof SeriesError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || /no space left/i.test(message)
  if (isFull) return new SeriesError('full', 'There is no room left on the disk for points', {}, error)
  return new SeriesError('failed', `Points could not be kept: ${code ?? message}`, {}, error)
}
