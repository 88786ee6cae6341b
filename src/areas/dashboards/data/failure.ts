import { DataError, type DataErrorCode, type SqlPosition } from '../../../data/errors.ts'
import { Problem } from '../../../errors.ts'

/** Why something can’t be shown, in words for whoever looks at it. */
export interface Failure {
  readonly code: string
  readonly detail: string
  /** The field of the panel or the variable that is to blame, where one is. */
  readonly pointer?: string
  /** The place in its SQL. */
  readonly position?: SqlPosition
}

/** What was asked, as far as it can be to blame. */
interface Query {
  readonly references?: unknown
}

const OF_SQL: ReadonlySet<DataErrorCode> = new Set(['sql_error', 'sql_refused'])
const OF_REFERENCES: ReadonlySet<DataErrorCode> = new Set([
  ...(['reference_invalid', 'not_found', 'nothing_matches', 'format_unknown', 'formats_mixed'] as const)
])

export function failureOf(
  error: unknown,
  log: { error(facts: object, message: string): void },
  query: Query = {}
): Failure {
  if (error instanceof Problem) {
    if (error.cause instanceof DataError) return ofData(error, error.cause, query)
    const fields = error.errors?.map(({ pointer, message }) => `${pointer} ${message}`) ?? []
    return { code: error.code, detail: fields.length > 0 ? `${fields.join('; ')}.` : error.detail }
  }
  log.error({ err: error }, 'a panel can’t be read')
  return { code: 'internal_error', detail: 'It can’t be read, for a reason that is in the log of the server.' }
}

/** What has no code of the API keeps that of the data plane, which tells a wrong column from data that are too large. */
function ofData({ code, detail }: Problem, { code: ofPlane, position }: DataError, query: Query): Failure {
  const reference = query.references === undefined ? '/query/reference' : '/query/references'
  const pointer = OF_SQL.has(ofPlane) ? '/query/sql' : OF_REFERENCES.has(ofPlane) ? reference : undefined
  return {
    code: code === 'unprocessable' ? ofPlane : code,
    detail,
    ...(pointer !== undefined && { pointer }),
    ...(position !== undefined && { position })
  }
}
