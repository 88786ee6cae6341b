import { SeriesError, type SeriesErrorCode } from '../../engines/series/index.ts'
import { type ErrorCode, Problem } from './errors.ts'

const CODES: Readonly<Record<SeriesErrorCode, ErrorCode>> = {
  busy: 'series_busy',
  full: 'series_full',
  unwritable: 'disk_unwritable',
  unavailable: 'series_unavailable',
  not_shared: 'series_url_missing',
  kept_elsewhere: 'series_url_missing',
  failed: 'series_failed',
  damaged: 'series_damaged',
  closed: 'shutting_down',
  too_many_points: 'too_many_points',
  function_not_applicable: 'function_not_applicable',
  timeout: 'query_timeout',
  // Nobody reads this: the caller that cancelled has hung up.
  cancelled: 'malformed_request'
}

/** Errors that the caller caused or can mend are told in the engine's own words. */
const WITH_OWN_MESSAGE: readonly SeriesErrorCode[] = ['function_not_applicable', 'kept_elsewhere']

const INDEX = 'index.db'

const RETRY_AFTER_S: Partial<Record<SeriesErrorCode, string>> = {
  busy: '1',
  unavailable: '5',
  unwritable: '10',
  not_shared: '10',
  kept_elsewhere: '10',
  closed: '5'
}

/** Runs work with time series and turns its errors into problems of the API. */
export async function withSeries<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SeriesError ? toProblem(error) : error
  }
}

function toProblem(error: SeriesError): Problem {
  const code = CODES[error.code]
  const retryAfter = RETRY_AFTER_S[error.code]
  const detail = detailOf(error)
  return new Problem(code, {
    ...(detail !== undefined && { detail }),
    ...(code === 'series_damaged' && { members: damagedPart(error) }),
    ...(code === 'too_many_points' && { members: { points: error.facts.points, limit: error.facts.limit } }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
    // `busy` is no fault to look into, so it has no cause to log.
    ...(error.code !== 'busy' && { cause: error })
  })
}

function detailOf({ code, message, facts }: SeriesError): string | undefined {
  if (code === 'too_many_points') {
    return `The answer would have ${facts.points} points or more, and ${facts.limit} is the limit (MAX_QUERY_POINTS): ask for fewer tags, a shorter time or wider buckets.`
  }
  if (code === 'damaged' && facts.tag !== undefined) {
    return `The points of ${JSON.stringify(facts.tag)} on ${facts.day} can’t be read, since ${facts.file} is damaged: ask for other tags or days; 'millrace doctor' on the server says what to do.`
  }
  if (code === 'damaged' && facts.file === INDEX) {
    return `${INDEX}, which says what the files of points hold, is missing or damaged: no points can be read or written until it is put back from a backup; 'millrace doctor' on the server says more.`
  }
  if (!WITH_OWN_MESSAGE.includes(code)) return undefined
  const text = `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The parts of a damaged file that may be named; none of them says where the server has its files. */
function damagedPart({ facts: { file, day, tag } }: SeriesError): Record<string, unknown> {
  return { ...(file !== undefined && { file }), ...(day !== undefined && { day }), ...(tag !== undefined && { tag }) }
}
