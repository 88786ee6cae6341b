import type { IncomingHttpHeaders } from 'node:http'
import { basicToken } from '../../http/basic-token.ts'
import type { ForeignManners } from '../../http/foreign-manners.ts'
import { Type } from '../../http/type.ts'
import { ERRORS, type Problem } from './errors.ts'
import { counts } from './write-schema.ts'

/** InfluxDB's code for a refusal, by HTTP status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  408: 'unavailable',
  409: 'conflict',
  413: 'request too large',
  415: 'unsupported media type',
  417: 'invalid',
  422: 'unprocessable entity',
  429: 'too many requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  507: 'unavailable'
}

const InfluxProblem = Type.Object(
  {
    code: Type.String({ description: 'The code of version 2 of that API, such as `invalid` or `unavailable`' }),
    message: Type.String({ description: 'What to do about it, where version 2 has it' }),
    error: Type.String({ description: 'The same, where version 1 has it' }),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'The first line that was not written' })),
    accepted: Type.Optional(counts.accepted),
    rejected: Type.Optional(counts.rejected),
    errors: Type.Optional(Type.Array(Type.Unknown(), { description: 'Lines, or query parameters, at fault' })),
    type: Type.String({ description: 'The page that explains it; it ends in the code that this API has for it' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'The message again' }),
    instance: Type.String(),
    requestId: Type.String()
  },
  {
    $id: 'InfluxProblem',
    description: 'A refusal as clients of InfluxDB read it',
    examples: [
      {
        type: '/api/docs/errors/partial_write',
        title: ERRORS.partial_write.title,
        status: 400,
        detail: 'partial write: 1 of 3 lines refused; line 2: the field usage has no value',
        instance: '/api/v2/write',
        code: 'invalid',
        requestId: 'req_01kb8y2m6ze8r4n0c5t7w9q3fd',
        accepted: 2,
        rejected: 1,
        errors: [{ line: 2, code: 'invalid_field', message: 'the field usage has no value' }],
        line: 2,
        message: 'partial write: 1 of 3 lines refused; line 2: the field usage has no value',
        error: 'partial write: 1 of 3 lines refused; line 2: the field usage has no value'
      }
    ]
  }
)

/** Behaves as InfluxDB does, so that its clients can write here unchanged. */
export const INFLUX: ForeignManners = {
  atRoot: false,
  tokenOf,
  problemMembers,
  problemType: 'application/json; charset=utf-8',
  problemSchema: InfluxProblem
}

export const INFLUX_AT_ROOT: ForeignManners = { ...INFLUX, atRoot: true }

function problemMembers({ status, detail, errors }: Problem): Record<string, unknown> {
  const [first] = errors ?? []
  const message = first === undefined ? detail : `${first.pointer.replace('/query/', '')} ${first.message}`
  return { code: CODES[status] ?? 'internal error', message, error: message }
}

/** `Token <key>`, the key as password of HTTP Basic, or the same as the parameters `u` and `p`. */
function tokenOf({ headers, query }: { headers: IncomingHttpHeaders; query: unknown }): string | undefined {
  const { authorization = '' } = headers
  if (authorization === '') {
    const { p } = query as { p?: unknown }
    return typeof p === 'string' && p !== '' ? p : undefined
  }
  const [, scheme = '', text = ''] = /^(\S+) +(\S+)$/.exec(authorization) ?? []
  return scheme.toLowerCase() === 'token' ? text : basicToken(authorization)
}
