import { exceptionCode } from '../../clickhouse/client.ts'
import { OutboundError } from '../../outbound/index.ts'
import { fromOutbound, SqlError, type SqlErrorCode } from '../errors.ts'

/** Codes by ClickHouse's own error numbers. */
const MEANINGS: readonly (readonly [SqlErrorCode, readonly number[]])[] = [
  ['unauthorized', [192, 193, 194, 195, 516]],
  ['no_such_database', [81]],
  ['no_such_table', [60]],
  ['no_such_column', [8, 10, 16, 47]],
  ['denied', [164, 291, 497]],
  ['bad_value', [6, 26, 27, 33, 36, 38, 41, 49, 53, 69, 70, 72, 117, 131, 321, 349, 407, 469, 596, 691]],
  ['timeout', [159, 160, 209]],
  ['unavailable', [3, 74, 75, 76, 95, 173, 202, 203, 210, 225, 236, 241, 242, 243, 252, 279, 285, 319, 394]],
  ['unavailable', [425, 439, 999, 1000, 1001, 1002]]
]
const BY_NUMBER = new Map(MEANINGS.flatMap(([code, numbers]) => numbers.map((number) => [number, code] as const)))

const NOISE = /^.*?DB::Exception: |, e\.what\(\) = .*$|\s*\(version .*$/gs

/** The error for a status other than 200, or for the message that ends an answer which failed half way. */
export function fromAnswer(status: number, text: string): SqlError {
  const number = exceptionCode(text)
  if (number === undefined) {
    const message = `What answers there (status ${status}) is not ClickHouse's HTTP interface; check host and port`
    return new SqlError('unreachable', message, { isTransient: status >= 500 })
  }
  const meaning = BY_NUMBER.get(number) ?? 'invalid_query'
  return new SqlError(meaning, `ClickHouse: ${text.replaceAll(NOISE, '').trim()} (${number})`)
}

export function fromCall(error: unknown): unknown {
  return error instanceof OutboundError ? fromOutbound(error) : error
}
