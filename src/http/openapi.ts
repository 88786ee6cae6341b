import { isDeepStrictEqual } from 'node:util'
import { ERRORS, type ErrorCode } from '../errors.ts'
import type { ForeignManners } from './foreign-manners.ts'
import { PROBLEM_TYPE } from './problems.ts'
import { addressOf, auditOf, type Route, resourceOf } from './route.ts'
import type { TSchema } from './type.ts'

type Json = Record<string, unknown>

/** An area with its operations loaded. */
interface DescribedArea {
  readonly name: string
  readonly about: string
  readonly routes: readonly Route[]
}

/** The reference of the API, made from the very schemas that the server validates and answers with. */
export function describeApi(areas: readonly DescribedArea[], version: string): Json {
  const schemas: Json = { Problem: problemSchema() }
  const paths: Record<string, Json> = {}
  for (const area of areas) {
    for (const route of area.routes) {
      const path = addressOf(route).replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(area, route, schemas) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version,
      summary: 'A self-hosted data platform behind one API',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: areas.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token (JWT), or an API key' }
      },
      examples: Object.fromEntries(
        [...new Set(areas.flatMap(({ routes }) => routes.filter(isOurs).flatMap(codesOf)))]
          .sort()
          .map((code) => [code, { value: problemExample(code) }])
      ),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
    }
  }
}

const ABOUT = [
  'Every list takes `limit`, `cursor` and `sort` and answers `total` and `nextCursor`.',
  'Every resource that can change has a `version` and an `ETag`; send it in `If-Match` to change only what you have seen.',
  'Every `POST` takes an `Idempotency-Key`: sent again within 24 hours, it gives the first answer and does nothing twice.',
  'Every error is an RFC 9457 problem with a stable `code`; its `type` leads to a page that explains it.'
].join('\n\n')

function operation(area: DescribedArea, route: Route, schemas: Json): Json {
  const isPublic = route.permission === 'public'
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(describe(route) !== '' && { description: describe(route) }),
    tags: [area.name],
    ...(isPublic && { security: [] }),
    ...resourceIn(route),
    parameters: parametersOf(route, schemas),
    ...bodyOf(route, schemas),
    responses: { ...successOf(route, schemas), ...problemsOf(route, schemas) }
  }
}

function resourceIn(route: Route): Json {
  const resource = resourceOf(route)
  return resource === undefined ? {} : { 'x-millrace-resource': { kind: resource.kind, parameter: resource.by } }
}

function bodyOf({ body, stream }: Route, schemas: Json): Json {
  if (stream !== undefined) {
    return { requestBody: { required: true, content: { [stream.mediaType]: { schema: stream.schema } } } }
  }
  if (body === undefined) return {}
  return { requestBody: { required: true, content: { 'application/json': { schema: refer(body, schemas) } } } }
}

function describe({ description = '', permission }: Route): string {
  const needs = permission === 'public' ? '' : `Needs the permission \`${permission}\`.`
  return [description, needs].filter((text) => text !== '').join('\n\n')
}

function parametersOf(route: Route, schemas: Json): Json[] {
  const headers: Json[] = []
  if (route.method === 'POST' && auditOf(route) !== undefined) {
    headers.push(header('Idempotency-Key', 'Makes it safe to send the request again', { maxLength: 255 }))
  }
  if (route.change !== undefined && route.method !== 'POST') {
    headers.push(header('If-Match', 'The `ETag` of the state to change; another state is left alone (412)'))
  }
  return [...fieldsOf(route.params, 'path', schemas), ...fieldsOf(route.query, 'query', schemas), ...headers]
}

function header(name: string, description: string, more: Json = {}): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...more } }
}

function fieldsOf(schema: TSchema | undefined, place: 'path' | 'query', schemas: Json): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = refer(property, schemas) as { description?: string }
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      description: description ?? (place === 'path' ? 'Identifier of the resource' : name),
      schema: rest
    }
  })
}

function successOf(route: Route, schemas: Json): Json {
  const headers = { 'X-Request-Id': { description: 'Names the request in the log', schema: { type: 'string' } } }
  if (route.status === 204) return { 204: { description: 'Done; there is nothing to tell', headers } }
  const content: Json = {
    [route.produces ?? route.foreign?.answerType ?? 'application/json']: { schema: refer(route.answer, schemas) }
  }
  for (const type of route.alsoProduces ?? []) content[type] = { schema: { type: 'string' } }
  return Object.fromEntries(
    [route.status, ...(route.otherStatuses ?? [])].map((status) => [
      String(status),
      { description: DESCRIPTIONS[status] ?? 'The answer', headers, ...(status !== 304 && { content }) }
    ])
  )
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'The answer',
  201: 'The new resource; its address is in `Location`',
  202: 'Accepted; the resource in its new state',
  206: 'The part that was asked for',
  304: 'Not changed since',
  503: 'The same, when it can’t work'
}

/** Each status once, with the codes that the operation can answer with it. */
function problemsOf(route: Route, schemas: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codesOf(route)) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const described = [...byStatus].filter(([status]) => !route.otherStatuses?.includes(status))
  return Object.fromEntries(
    described.map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join('. '),
        content: route.foreign === undefined ? problemContent(codes) : foreignContent(route.foreign, schemas)
      }
    ])
  )
}

const isOurs = ({ foreign }: Route) => foreign === undefined

function problemContent(codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, examples } }
}

function foreignContent({ problemType, problemSchema }: ForeignManners, schemas: Json): Json {
  return { [problemType]: { schema: refer(problemSchema, schemas) } }
}

/** The codes of an operation follow from what it takes; the operation declares only its special ones. */
export function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['malformed_request', 'invalid_request', 'header_not_supported', 'expectation_failed']
  if (route.permission !== 'public')
    codes.push('authentication_required', 'invalid_token', 'permission_denied', 'rate_limited')
  if (route.params !== undefined) codes.push('not_found')
  if (route.body !== undefined) codes.push('malformed_json', 'payload_too_large')
  if (route.stream !== undefined) codes.push('payload_too_large', 'request_timeout')
  if (route.body !== undefined || route.stream !== undefined) codes.push('unsupported_media_type', 'checksum_mismatch')
  if (route.change !== undefined) codes.push('stale_version')
  if (auditOf(route) !== undefined) {
    if (route.method === 'POST') codes.push('idempotency_key_running', 'idempotency_key_reused')
  }
  codes.push(
    'too_many_at_once',
    'internal_error',
    'overloaded',
    'shutting_down',
    'dependency_unavailable',
    'disk_full',
    'disk_unwritable'
  )
  return [...new Set([...codes, ...(route.errors ?? [])])]
}

/** Schemas with a name are put among the components once and referred to everywhere else. */
function refer(schema: TSchema, schemas: Json): Json {
  const plain = walk(schema as unknown, schemas)
  return plain as Json
}

function walk(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $id, ...rest } = value as { $id?: string }
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, name === 'examples' ? member : walk(member, schemas)])
  )
  if ($id === undefined) return copy
  schemas[$id] ??= copy
  if (!isDeepStrictEqual(schemas[$id], copy)) throw new Error(`Two different schemas are called ${$id}`)
  return { $ref: `#/components/schemas/${$id}` }
}

/** With every code that is declared by now, sorted: areas declare theirs in the order in which they happen to be loaded. */
const problemSchema = () => ({
  type: 'object',
  description: 'RFC 9457 problem details',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The page that explains the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What to do about it' },
    instance: { type: 'string', description: 'The path that was asked for' },
    code: { type: 'string', enum: Object.keys(ERRORS).sort() },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'The fields at fault',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: { pointer: { type: 'string' }, message: { type: 'string' } }
      }
    }
  }
})

function problemExample(code: ErrorCode): Json {
  const { status, title, detail } = ERRORS[code]
  return { type: `/api/docs/errors/${code}`, title, status, detail, code, requestId: 'req_01kb8y2m6ze8r4n0c5t7w9q3fd' }
}
