import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { NODE_TYPES } from '../src/areas/pipelines/nodes/index.ts'
import { ERRORS } from '../src/errors.ts'
import { codesOf } from '../src/http/openapi.ts'
import { allPermissions } from '../src/http/permissions.ts'
import { addressOf, auditOf, type Route, resourceOf } from '../src/http/route.ts'
import { startTestApp, type TestApp } from './support/app.ts'

/** What whoever has the link to a dashboard can ask. */
const SHARED = [
  'getSharedDashboard',
  'getSharedDashboardData',
  'unlockSharedDashboard',
  'unlockSharedDashboardPage',
  'getSharedDashboardImage',
  'getSharedDashboardPage'
]
const PUBLIC = ['getHealth', 'getLiveness', 'getReadiness', 'useLink', 'ping', 'finishAuthorization', ...SHARED]
/** Probes and services that send people back add parameters of their own. */
const ANY_QUERY = ['getHealth', 'getLiveness', 'getReadiness', 'finishAuthorization']
/** Where clients of InfluxDB and of Confluent's registry look for them. */
const FOREIGN = /^\/(?:api\/v1\/lineage|(?:api\/v2\/|api\/)?write|query|ping|schema-registry(?:\/.*)?)$/

/** An address that ends with a slash, where nothing is named, and links, whose tokens stand for themselves. */
const ABOUT_NOTHING = ['registryRootBelow', ...SHARED]
/** What clients of Confluent's registry know a schema and a text by, which have another name here. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { schema: ['subject'], 'schema-content': ['guid'] }
/** What is audited under a noun of its own and belongs to a resource. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  bucket: ['object', 'upload', 'link'],
  'catalog-source': ['catalog-tag'],
  dashboard: ['dashboard-share', 'dashboard-snapshot', 'dashboard-annotation', 'dashboard-favourite', 'alert-rule'],
  pipeline: ['dead-letter'],
  schedule: ['schedule-run'],
  schema: ['schema-version']
}

describe('every route', () => {
  let test: TestApp
  let routes: { area: string; route: Route }[]

  before(async () => {
    test = await startTestApp()
    routes = (await test.app.load()).flatMap(({ name, routes }) => routes.map((route) => ({ area: name, route })))
  })
  after(() => test.close())

  it('declares a permission of its own area, or is one of the few that need none', () => {
    for (const { area, route } of routes) {
      if (route.permission === 'public') assert.ok(PUBLIC.includes(route.operationId), `${route.operationId} is public`)
      else assert.equal(route.permission.split(':')[0], area, route.operationId)
    }
  })

  it('uses every permission there is', () => {
    const used = new Set([...routes.map(({ route }) => route.permission), 'metrics:read', 'api-keys:admin'])
    // Another file in this process may have declared an area that only tests have.
    const own = allPermissions().filter((permission) => permission.split(':')[0] !== 'things')
    for (const permission of own) assert.ok(used.has(permission), `${permission} is not used`)
  })

  it('stands below the path of its area and has an operationId of its own', () => {
    const ids = new Set<string>()
    for (const { area, route } of routes) {
      const isOwn = route.path === `/${area}` || route.path.startsWith(`/${area}/`)
      if (route.foreign !== undefined || !isOwn) assert.match(addressOf(route), FOREIGN)
      assert.match(route.operationId, /^[a-z][A-Za-z]+$/)
      assert.ok(!ids.has(route.operationId), `two operations are called ${route.operationId}`)
      ids.add(route.operationId)
      const summary = `The summary of ${route.operationId}, '${route.summary}',`
      assert.ok(route.summary.length > 10, `${summary} must have over 10 characters: say what it does`)
      assert.ok(!route.summary.endsWith('.'), `${summary} must not end with a full stop`)
    }
  })

  it('reads with GET or POST, and audits whatever changes', () => {
    for (const { route } of routes) {
      const audit = auditOf(route)
      assert.notEqual(route.read === undefined, audit === undefined, route.operationId)
      if (audit !== undefined) assert.match(audit, /^[a-z][a-z-]*\.[a-z]+$/)
      else assert.ok(['GET', 'POST'].includes(route.method), route.operationId)
      if (route.ingests) assert.deepEqual([route.method, route.permission.split(':')[1]], ['POST', 'write'])
    }
  })

  it('is about the resource that its first parameter names, if it has one', () => {
    const kinds = new Map<string, string>()
    const names = new Map<string, Set<string>>()
    for (const { route } of routes) {
      const address = addressOf(route)
      const inPath = [...address.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
      const { properties = {} } = (route.params ?? {}) as { properties?: object }
      assert.deepEqual(Object.keys(properties).sort(), inPath.toSorted(), route.operationId)
      const resource = resourceOf(route)
      assert.equal(resource !== undefined, inPath.length > 0 && !ABOUT_NOTHING.includes(route.operationId), address)
      if (resource === undefined) continue
      assert.equal(resource.by, inPath[0], address)
      const beginning = address.slice(0, address.indexOf(':'))
      assert.equal(resource.kind, kinds.get(beginning) ?? resource.kind, `${beginning} is about two kinds of resources`)
      kinds.set(beginning, resource.kind)
      names.set(resource.kind, (names.get(resource.kind) ?? new Set()).add(resource.by))
    }
    for (const [kind, found] of names) {
      const own = [...found].filter((name) => !OTHER_NAMES[kind]?.includes(name))
      assert.equal(own.length, 1, `${kind} is named by ${own}`)
    }
  })

  it('audits the resource that it is about, or what belongs to it', () => {
    for (const { route } of routes) {
      const [noun] = auditOf(route)?.split('.') ?? []
      const { kind } = resourceOf(route) ?? {}
      if (noun === undefined || kind === undefined) continue
      assert.ok(noun === kind || WITHIN[kind]?.includes(noun), `${route.operationId} is about a ${kind}: ${noun}`)
    }
  })

  it('takes what schemas say that are schemas themselves, and so does every type of node', () => {
    const ajv = new Ajv2020({ strict: false })
    const inRoutes = routes.flatMap(({ route: { operationId, params, query, body } }) =>
      [params, query, body].map((schema) => ({ where: operationId, schema }))
    )
    const inNodes = NODE_TYPES.map(({ type, config }) => ({ where: type, schema: config }))
    for (const { where, schema } of [...inRoutes, ...inNodes]) {
      if (schema !== undefined) assert.ok(ajv.validateSchema(schema), `${where}: ${ajv.errorsText()}`)
    }
    assert.ok(!ajv.validateSchema({ type: 'text' }))
  })

  it('refuses unknown fields and bounds every text, number and list it takes', () => {
    for (const { route } of routes) {
      // Clients of others send what they send.
      const isClosed = route.foreign === undefined
      if (route.body !== undefined) checkBounds(route.body, `${route.operationId} body`, isClosed)
      assert.equal(route.withoutDatabase, undefined, `${route.operationId}: that is for /metrics alone`)
      const takesAny = ANY_QUERY.includes(route.operationId)
      assert.equal(route.anyQuery === true, takesAny, `${route.operationId} takes any query`)
      if (route.query !== undefined) checkBounds(route.query, `${route.operationId} query`, isClosed)
    }
  })

  it('is described with its answer, its errors and its tag', async () => {
    const paths = (await test.app.describe()).paths as Record<
      string,
      Record<string, { tags: string[]; responses: object; 'x-millrace-resource'?: object }>
    >
    for (const { area, route } of routes) {
      const path = addressOf(route).replace(/:(\w+)/g, '{$1}')
      const operation = paths[path]?.[route.method.toLowerCase()]
      assert.ok(operation, path)
      assert.deepEqual(operation.tags, [area])
      const { kind, by } = resourceOf(route) ?? {}
      assert.deepEqual(operation['x-millrace-resource'], kind && { kind, parameter: by })
      const statuses = [route.status, ...codesOf(route).map((code) => ERRORS[code].status)]
      for (const status of statuses) assert.ok(String(status) in operation.responses, `${path} ${status}`)
    }
  })
})

interface Node {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Node>
  additionalProperties?: unknown
  items?: Node
  anyOf?: Node[]
  maxLength?: number
  format?: string
  maximum?: number
  maxItems?: number
}

function checkBounds(schema: object, where: string, isClosed: boolean): void {
  const node = schema as Node
  const types = [node.type ?? []].flat()
  if (types.includes('object') && isClosed)
    assert.equal(node.additionalProperties, false, `${where} lets unknown fields through`)
  if (types.includes('string')) assert.ok(node.enum ?? node.maxLength ?? node.format, `${where} is unbounded text`)
  if (types.includes('integer') || types.includes('number'))
    assert.ok(node.maximum !== undefined, `${where} is unbounded`)
  if (types.includes('array')) assert.ok(node.maxItems !== undefined, `${where} is an unbounded list`)
  for (const [name, member] of Object.entries(node.properties ?? {})) checkBounds(member, `${where} ${name}`, isClosed)
  for (const member of node.anyOf ?? []) checkBounds(member, where, isClosed)
  if (node.items !== undefined) checkBounds(node.items, `${where} items`, isClosed)
}

describe('an area with anything to guard', () => {
  it('is behind the gate, wherever it stands in the list', async () => {
    const test = await startTestApp()
    try {
      for (const { routes } of await test.app.load()) {
        for (const route of routes) {
          if (route.permission === 'public') continue
          const { status, body } = await test.call(route.method, addressOf(route).replace(/:\w+/g, 'x'))
          const expected = [401, '/api/docs/errors/authentication_required']
          assert.deepEqual([status, body.type], expected, `${route.method} ${route.path}`)
        }
      }
    } finally {
      await test.close()
    }
  })
})
