import { fromNetwork, SqlError, type SqlErrorCode } from '../errors.ts'

/** Codes by the error numbers in the manuals of MySQL and MariaDB. */
const MEANINGS: readonly (readonly [SqlErrorCode, readonly number[]])[] = [
  ['unauthorized', [1045, 1698, 1251, 1862, 3118, 4151]],
  ['no_such_database', [1049]],
  ['no_such_table', [1146, 1051, 1103]],
  ['no_such_column', [1054, 1166]],
  ['denied', [1044, 1142, 1143, 1227, 1370, 1290, 1792, 1836]],
  ['conflict', [1062, 1586]],
  [
    'bad_value',
    [1048, 1136, 1153, 1216, 1217, 1264, 1265, 1292, 1300, 1364, 1366, 1367, 1406, 1411, 1416, 1451, 1452, 1526]
  ],
  ['bad_value', [1690, 3140, 3156, 3819, 3903, 4025, 3988, 3854]],
  ['timeout', [1969, 3024]],
  ['position_lost', [1236]],
  ['unavailable', [1040, 1041, 1053, 1077, 1114, 1152, 1180, 1203, 1205, 1213, 1226, 1317, 1927, 2006, 2013, 3168]]
]
const BY_NUMBER = new Map(MEANINGS.flatMap(([code, numbers]) => numbers.map((number) => [number, code] as const)))

/** The driver puts a code of its own in place of Node's for all that fails with encryption, and leaves the message. */
const OF_TLS: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired/, 'CERT_HAS_EXPIRED'],
  [/altnames/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/self[- ]signed certificate/, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/certificate signature failure/, 'CERT_SIGNATURE_FAILURE'],
  [/unable to (?:verify|get)/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']
]

function tlsReason(message: string): string {
  return OF_TLS.find(([pattern]) => pattern.test(message))?.[1] ?? 'HANDSHAKE_SSL_ERROR'
}

export function fromMysql(error: unknown): unknown {
  const { errno, sqlMessage, code, fatal } = error as {
    errno?: unknown
    sqlMessage?: string
    code?: unknown
    fatal?: unknown
  }
  if (typeof errno === 'number' && sqlMessage !== undefined) {
    return new SqlError(BY_NUMBER.get(errno) ?? 'invalid_query', `MySQL: ${sqlMessage} (${errno})`)
  }
  const known = fromNetwork(
    code === 'HANDSHAKE_SSL_ERROR' ? { code: tlsReason(String((error as Error).message)) } : error
  )
  if (known !== undefined) return known
  if (fatal === true || (typeof code === 'string' && code.startsWith('PROTOCOL_'))) {
    return new SqlError('unavailable', `The connection to MySQL was lost (${String(code)}); try again`)
  }
  return error
}
