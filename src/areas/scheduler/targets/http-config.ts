import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'

export const DEFAULT_TIMEOUT_SECONDS = 30
const MAX_BODY_CHARS = 100_000

/** What a body may hold in double braces. */
export const BODY_NAMES = ['dueAt', 'previousDueAt', 'scheduleId', 'runId'] as const

const Secret = (description: string) => Type.String({ minLength: 8, maxLength: 1000, description })

export const HttpTargetConfig = Closed({
  method: Type.Optional(OneOf(['POST', 'GET', 'PUT', 'PATCH', 'DELETE'], 'The method; POST unless said')),
  url: Type.String({
    minLength: 8,
    maxLength: 2000,
    description: 'The address that is called, http or https, without user and password'
  }),
  headers: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      maxProperties: 50,
      propertyNames: { minLength: 1, maxLength: 200 },
      additionalProperties: { type: 'string', maxLength: 10_000, description: 'The value of the header' },
      description: 'Headers to send, such as `authorization`; kept as a secret and never shown again'
    })
  ),
  body: Type.Optional(
    Type.Unsafe<string | object>({
      anyOf: [{ type: 'string', maxLength: MAX_BODY_CHARS }, { type: 'object' }, { type: 'array' }],
      description: `What is sent: a text, or JSON. \`{{dueAt}}\`, \`{{previousDueAt}}\` (empty at the first run), \`{{scheduleId}}\` and \`{{runId}}\` in it are replaced. At most ${MAX_BODY_CHARS} characters`
    })
  ),
  secret: Type.Optional(
    Secret(
      'Signs each call: `X-Millrace-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Never shown again'
    )
  ),
  secondSecret: Type.Optional(
    Secret('While receivers go over to a new secret: adds a second `v1` that is made with this one. Never shown again')
  ),
  timeoutSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: `How long the answer may take; ${DEFAULT_TIMEOUT_SECONDS} unless said`
    })
  ),
  expect: Type.Optional(
    Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The statuses that are a success; 200 to 299 unless said'
    })
  )
})
export type HttpTargetConfig = Static<typeof HttpTargetConfig>

/** The body as it stands in the configuration; none is an empty one. */
export function bodyText({ body }: Pick<HttpTargetConfig, 'body'>): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

export const isTooLong = (text: string) => text.length > MAX_BODY_CHARS

const NAMES = BODY_NAMES.join('|')
const UNKNOWN = new RegExp(`\\{\\{(?!(?:${NAMES})\\}\\})[^{}]{0,100}(?:\\}\\})?`)
const KNOWN = new RegExp(`\\{\\{(${NAMES})\\}\\}`, 'g')

/** The first of what begins with double braces and has no meaning. */
export const unknownName = (text: string): string | undefined => UNKNOWN.exec(text)?.[0]

/** None of the values has a character that JSON would have to escape. */
export function filledIn(text: string, tell: (name: (typeof BODY_NAMES)[number]) => string): string {
  return text.replace(KNOWN, (_, name: (typeof BODY_NAMES)[number]) => tell(name))
}
