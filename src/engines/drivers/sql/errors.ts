import { OutboundError } from '../../outbound/errors.ts'
import { SqlError, type SqlErrorCode } from '../../sql/index.ts'
import { tlsError } from '../common/tls.ts'
import { SourceError, type SourceErrorCode } from '../errors.ts'
import { fromOutbound } from '../reach.ts'

const MEANINGS: Readonly<Record<SqlErrorCode, readonly [SourceErrorCode, pointer?: string]>> = {
  unreachable: ['unreachable', '/host'],
  refused_by_policy: ['refused_by_policy', '/host'],
  tls: ['tls_failed', '/tls'],
  unauthorized: ['wrong_credentials', '/password'],
  no_such_database: ['not_found', '/database'],
  no_such_table: ['not_found'],
  no_such_column: ['not_found'],
  denied: ['missing_permission'],
  invalid_query: ['bad_request'],
  bad_value: ['bad_request'],
  conflict: ['bad_request'],
  changes_off: ['changes_off'],
  position_lost: ['position_lost'],
  timeout: ['timeout'],
  unavailable: ['unavailable']
}

/** Whatever is no error of a database stays what it is. */
export function fromSql(error: unknown): unknown {
  if (error instanceof OutboundError) return fromOutbound(error)
  if (!(error instanceof SqlError)) return error
  const isTls = error.code === 'tls' ? tlsError(error.reason) : undefined
  if (isTls !== undefined) return isTls
  const [code, pointer] = MEANINGS[error.code]
  return new SourceError(code, error.message, pointer)
}

export async function fromSqlIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw fromSql(error)
  }
}
