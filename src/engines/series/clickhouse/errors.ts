import { SeriesError, type SeriesErrorCode } from '../errors.ts'

/** Errors for callers, by ClickHouse's error number. */
const MEANINGS: Readonly<Record<number, readonly [SeriesErrorCode, string]>> = {
  159: ['timeout', 'ClickHouse took longer than the time limit'],
  160: ['timeout', 'ClickHouse expects to take longer than the time limit'],
  192: ['failed', 'ClickHouse does not know the user'],
  193: ['failed', 'ClickHouse refused the password'],
  194: ['failed', 'ClickHouse wants a password'],
  195: ['failed', 'ClickHouse refused the address that the user comes from'],
  202: ['busy', 'ClickHouse runs as many statements as it may'],
  209: ['unavailable', 'A server of the ClickHouse cluster did not answer in time'],
  210: ['unavailable', 'A server of the ClickHouse cluster can’t be reached'],
  225: ['unavailable', 'ClickHouse has no connection to ZooKeeper'],
  241: ['failed', 'ClickHouse needs more memory for this than it may use: ask for a shorter time or fewer tags'],
  242: ['unavailable', 'The tables are read-only: ClickHouse has lost ZooKeeper'],
  243: ['full', 'The disk of ClickHouse is full'],
  252: ['busy', 'ClickHouse can’t merge points as fast as they come'],
  279: ['unavailable', 'A shard of the ClickHouse cluster does not answer'],
  285: ['unavailable', 'Too few replicas of ClickHouse are there'],
  319: ['unavailable', 'ClickHouse lost ZooKeeper during the write'],
  394: ['cancelled', 'The query was cancelled'],
  497: ['failed', 'The user of ClickHouse may not do this'],
  516: ['failed', 'ClickHouse refused the user or the password'],
  999: ['unavailable', 'ClickHouse can’t reach ZooKeeper']
}

/** Only the number of an error is passed on: its text quotes the statement, with values in it. */
export function refusalOf(status: number, code: number | undefined): SeriesError {
  if (code === undefined) return new SeriesError('failed', `ClickHouse answered with status ${status}`, { status })
  const [meaning, message] = MEANINGS[code] ?? ['failed', 'ClickHouse refused']
  return new SeriesError(meaning, `${message} (code ${code})`, { clickhouseCode: code })
}

/** The error for a request that got no answer. */
export function connectionFault(error: unknown, signal: AbortSignal | undefined): SeriesError {
  if (error instanceof SeriesError) return error
  if (signal?.aborted) return new SeriesError('cancelled', 'The query was cancelled')
  const { code, message } = error as { code?: string; message: string }
  return new SeriesError('unavailable', `ClickHouse does not answer: ${code ?? message}`, {}, error)
}
