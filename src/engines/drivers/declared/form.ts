/**
 * What an entry may say, as JSON Schema (draft 2020-12): the same as `entry.ts`. Users send entries, too, so all of it is
 * closed and has bounds. What a schema can't tell is in `catalogue/faults.ts`.
 */
const text = (maxLength: number, more: object = {}) => ({ type: 'string', minLength: 1, maxLength, ...more })
const template = { type: 'string', maxLength: 4000 }
const name = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' }
/** A path to a member: names with dots between. */
const field = text(200)
const oneOf = (...values: readonly string[]) => ({ enum: values })
const mapOf = (values: object, maxProperties: number, names: object = text(200)) => ({
  type: 'object',
  propertyNames: names,
  additionalProperties: values,
  maxProperties
})
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties
})
const listOf = (items: object, maxItems: number) => ({ type: 'array', items, minItems: 1, maxItems })

const templates = mapOf(template, 50)
const login = { user: template, password: template }
const method = oneOf('GET', 'POST')
const place = oneOf('query', 'header', 'body', 'form', 'template')

const setting = closed({
  type: oneOf('string', 'integer', 'number', 'boolean', 'list', 'date', 'date-time'),
  title: text(100),
  description: text(1000),
  secret: { const: true },
  optional: { const: true },
  default: {
    anyOf: [{ type: ['string', 'number', 'boolean'] }, { type: 'array', items: { type: 'string' }, maxItems: 1000 }]
  },
  choices: { type: 'array', items: text(200), minItems: 1, maxItems: 500, uniqueItems: true },
  example: { type: ['string', 'number'] },
  pattern: text(500, { format: 'regex' }),
  when: closed({ setting: name, is: listOf(text(200), 100) }, ['setting', 'is'])
})

const size = { size: { type: 'integer', minimum: 1, maximum: 1_000_000 }, sizeParam: field }
const start = { type: 'integer', minimum: 0, maximum: 1000 }
const next = text(200, { pattern: '^(usual|link\\.next|(answer|header|last)\\..+)$' })
const paging = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [
    closed({ kind: { const: 'none' } }, ['kind']),
    closed({ kind: { const: 'page' }, param: field, in: place, start, ...size }, ['kind', 'param']),
    closed({ kind: { const: 'offset' }, param: field, in: place, start, ...size }, ['kind', 'param']),
    closed({ kind: { const: 'cursor' }, param: field, in: place, next, ...size }, ['kind', 'param', 'next']),
    closed({ kind: { const: 'next-url' }, next, ...size }, ['kind', 'next'])
  ]
}

const duration = text(20, { pattern: '^P(?=.)(\\d+Y)?(\\d+M)?(\\d+W)?(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+S)?)?$' })
const bound = closed({ param: field, in: place, format: text(100) }, ['param'])
const cursor = closed(
  { field, format: text(100), since: bound, until: bound, start: name, step: duration, back: duration },
  ['field']
)

const each = {
  type: 'object',
  oneOf: [
    closed({ stream: text(200), as: { ...mapOf(field, 20, name), minProperties: 1 } }, ['stream', 'as']),
    closed({ values: listOf(text(200), 1000), as: name }, ['values', 'as']),
    closed({ setting: name, as: name }, ['setting', 'as'])
  ]
}

const stream = closed({
  path: template,
  base: template,
  method,
  query: templates,
  headers: templates,
  body: {},
  form: templates,
  records: { anyOf: [{ type: 'string', maxLength: 300 }, listOf(text(200), 20)] },
  paging,
  key: { anyOf: [field, { type: 'array', items: field, maxItems: 20 }] },
  cursor,
  each,
  columns: mapOf(text(50), 1000),
  uncertain: text(500),
  unreadable: text(500)
})

const request = { method, path: template, query: templates, headers: templates, body: {} }

const kind = (name: string, properties: object, optional: readonly string[] = []) =>
  closed({ kind: { const: name }, ...properties }, [
    'kind',
    ...Object.keys(properties).filter((one) => !optional.includes(one))
  ])

const authentication = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [
    kind('none', {}),
    kind('key', { in: oneOf('header', 'query', 'body', 'cookie'), name: text(200), value: template }),
    kind('bearer', { token: template }),
    kind('basic', login),
    kind(
      'oauth2',
      {
        grant: oneOf('client_credentials', 'refresh_token', 'password'),
        ...{ tokenUrl: template, clientId: template, clientSecret: template, refreshToken: template, ...login },
        ...{ scopes: template, client: oneOf('form', 'basic'), form: templates, authorizeUrl: template }
      },
      [
        ...['clientId', 'clientSecret', 'refreshToken', 'user', 'password', 'scopes'],
        ...['client', 'form', 'authorizeUrl']
      ]
    ),
    kind(
      'session',
      {
        login: closed(
          { method, url: template, headers: templates, body: {}, form: templates, basic: closed(login, ['user']) },
          ['url']
        ),
        ...{
          token: text(200),
          in: oneOf('header', 'query'),
          name: text(200),
          prefix: { type: 'string', maxLength: 50 }
        },
        seconds: { type: 'integer', minimum: 1, maximum: 31_536_000 }
      },
      ['in', 'name', 'prefix', 'seconds']
    ),
    kind(
      'jwt',
      {
        ...{ tokenUrl: template, issuer: template, key: template, algorithm: oneOf('RS256', 'ES256', 'HS256') },
        ...{ keyId: template, subject: template, audience: template, scopes: template }
      },
      ['algorithm', 'keyId', 'subject', 'audience', 'scopes']
    ),
    kind(
      'sigv4',
      { service: text(50), region: template, accessKey: template, secretKey: template, sessionToken: template },
      ['sessionToken']
    ),
    kind(
      'oauth1',
      {
        ...{ consumerKey: template, consumerSecret: template, token: template, tokenSecret: template },
        realm: template
      },
      ['realm']
    ),
    kind('azure-shared-key', { account: template, key: template }),
    kind('hmac', {
      algorithm: oneOf('sha1', 'sha256', 'sha512'),
      ...{ key: template, text: template, encoding: oneOf('hex', 'base64'), headers: templates }
    }),
    kind('choice', { setting: name, options: mapOf({ $ref: '#/$defs/authentication' }, 20) })
  ]
}

export const ENTRY_FORM = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A declared source',
  ...closed(
    {
      id: text(100, { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
      name: text(100),
      category: text(50),
      documentation: text(500, { pattern: '^https://[^\\s]+$' }),
      hint: text(1000),
      settings: mapOf(setting, 50, name),
      authentication: { $ref: '#/$defs/authentication' },
      base: text(500),
      headers: templates,
      rate: closed(
        {
          requests: { type: 'integer', minimum: 1, maximum: 1_000_000 },
          seconds: { type: 'integer', minimum: 1, maximum: 86_400 }
        },
        ['requests', 'seconds']
      ),
      check: { anyOf: [text(200), closed(request, ['path'])] },
      usual: stream,
      streams: mapOf(stream, 500)
    },
    ['id', 'name', 'category', 'documentation', 'settings', 'authentication', 'base', 'streams']
  ),
  $defs: { authentication }
} as const
