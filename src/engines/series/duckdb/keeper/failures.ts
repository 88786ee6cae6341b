import { duckdbErrorKind } from '../../../duckdb-errors.ts'
import { isDiskFull } from '../../../full-disk.ts'
import { isUnwritable } from '../../../unwritable.ts'
import { SeriesError } from '../../errors.ts'

/** An error of the disk as a `SeriesError`. */
export function asSeriesError(error: unknown): SeriesError {
  if (error instanceof SeriesError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const kind = duckdbErrorKind(error)
  if (isDiskFull(error) || kind === 'disk_full')
    return new SeriesError('full', 'There is no room left on the disk for points', {}, error)
  if (isUnwritable(error) || kind === 'unwritable')
    return new SeriesError('unwritable', 'The disk does not let points be written', {}, error)
  return new SeriesError('failed', `Points could not be kept: ${code ?? message}`, {}, error)
}
