// Once: what is sent never gets as far as the database that the areas' own suites run on twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Role } from '../src/engines/identity/index.ts'
import { addressOf, auditOf, type Route } from '../src/http/route.ts'
import { startTestApp, type TestApp } from './support/app.ts'
import {
  BAD_CREDENTIALS,
  BAD_IDEMPOTENCY_KEYS,
  BAD_IDS,
  BAD_MEDIA_TYPES,
  badCursors,
  badQueries,
  encodeCursor,
  ODD_HEADERS,
  ODD_IDS
} from './support/hostile-addresses.ts'
import { brokenBodies, exampleOf, mutationsOf, OF_ANY_TYPE, type Schema } from './support/hostile-bodies.ts'
import {
  assertHarmless,
  assertProblem,
  createHostileClient,
  type HostileClient,
  type Shot
} from './support/hostile-client.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const MAX_BODY_BYTES = 1024 * 1024
const PAGES = [
  '/',
  '/api/docs',
  '/api/docs/errors',
  '/api/docs/errors/not_found',
  '/api/openapi.json',
  '/.well-known/jwks.json',
  '/.well-known/millrace-audit-keys.json',
  '/pages/style.css',
  '/pages/sign-in.js'
]

describe('hostile input', () => {
  let test: TestApp
  let client: HostileClient
  let routes: Route[]

  before(async () => {
    test = await startTestApp()
    client = createHostileClient(test.url, await test.token('admin', 'admin'))
    routes = (await test.app.load()).flatMap((area) => area.routes)
  })
  after(async () => {
    client.close()
    await test.close()
  })

  const withBody = () => routes.filter((route) => route.body !== undefined)
  const guarded = () => routes.filter((route) => route.permission !== 'public')

  /** Fires all at once; the client keeps the number of connections within bounds. */
  async function fireAll(
    shots: readonly (Shot & { label: string })[],
    check: typeof assertProblem | typeof assertHarmless
  ) {
    await Promise.all(
      shots.map(async (shot) =>
        check(await client.fire(shot), `${shot.method} ${shot.path.slice(0, 80)} ${shot.label}`)
      )
    )
  }

  it('gets nothing without a token that is accepted', async () => {
    const shots = guarded().flatMap((route) =>
      BAD_CREDENTIALS.map((authorization) => ({
        ...shotAt(route),
        label: authorization.slice(0, 20),
        headers: { authorization }
      }))
    )
    await fireAll(shots, (hit, where) => {
      assert.equal(hit.status, 401, where)
      assert.match(hit.headers['www-authenticate'] ?? '', /^Bearer/, where)
      return assertProblem(hit, where)
    })
    const metrics = await client.fire({ method: 'GET', path: '/metrics', headers: { authorization: '' } })
    assert.equal(metrics.status, 401)
  })

  it('lets each role do exactly what its permissions say', async () => {
    const least: Record<string, number> = { self: 0, read: 1, write: 2, admin: 3 }
    const callers: (Role | undefined)[] = [undefined, 'viewer', 'editor', 'admin']
    for (const [rank, role] of callers.entries()) {
      const token = await test.token(`caller-${role}`, role)
      for (const route of [...guarded(), { method: 'GET', path: '/../metrics', permission: 'metrics:read' } as Route]) {
        const answer = await client.fire({
          method: route.method,
          path: pathOf(route).replace('/api/..', ''),
          headers: { authorization: `Bearer ${token}`, ...(route.body && JSON_TYPE) },
          body: route.body && '{'
        })
        const allowed = rank >= (least[route.permission.split(':')[1] as string] as number)
        const where = `${role} at ${route.operationId}`
        if (allowed) assert.ok(answer.status !== 403 && answer.status !== 401, `${where}: ${answer.status}`)
        else {
          assert.equal(answer.status, 403, where)
          assert.equal(assertProblem(answer, where), 'permission_denied')
          assert.equal(JSON.parse(answer.text).permission, route.permission, where)
        }
      }
    }
  })

  it('refuses bodies of another type', async () => {
    await fireAll(
      withBody().flatMap((route) =>
        BAD_MEDIA_TYPES.filter((type) => !route.foreign?.bodyTypes?.includes(type ?? '')).map((type) => ({
          ...shotAt(route),
          label: `as ${type}`,
          headers: type === undefined ? {} : { 'content-type': type },
          body: JSON.stringify(exampleOf(route.body as Schema))
        }))
      ),
      (hit, where) => {
        assert.equal(hit.status, 415, where)
        return assertProblem(hit, where)
      }
    )
  })

  it('refuses bodies that are broken', async () => {
    for (const route of withBody()) {
      const mayBeLeftOut = [(route.body as Schema).type].flat().includes('null')
      for (const [label, body] of brokenBodies(exampleOf(route.body as Schema), MAX_BODY_BYTES)) {
        if (mayBeLeftOut && ['is empty', 'is null'].includes(label)) continue
        const hit = await client.fire({ ...shotAt(route), headers: JSON_TYPE, body })
        const code = assertProblem(hit, `${route.operationId} ${label}`)
        // Fields that it does not know are not looked at there.
        if (route.foreign !== undefined) continue
        const tooLarge = route.tooLarge ?? 'payload_too_large'
        assert.ok(['malformed_json', 'invalid_request', tooLarge].includes(code), `${label}: ${code}`)
      }
    }
  })

  it('refuses every value that the schema of a body forbids', async () => {
    const shots = withBody().flatMap((route) =>
      mutationsOf(route.body as Schema).map(({ label, value }) => ({
        ...shotAt(route),
        label,
        headers: JSON_TYPE,
        body: JSON.stringify(value)
      }))
    )
    assert.ok(shots.length > 200, `only ${shots.length} mutations were found`)
    await fireAll(shots, (hit, where) => {
      const code = assertProblem(hit, where)
      if (where.endsWith(OF_ANY_TYPE)) return code
      if (isRegistry(where)) return code // which says of some of it what Confluent's says
      assert.equal(code, 'invalid_request', where)
      assert.ok(JSON.parse(hit.text).errors.length > 0, where)
      return code
    })
  })

  it('refuses bodies where none is needed', async () => {
    const shots = routes
      .filter((route) => route.body === undefined && route.method !== 'GET')
      .flatMap((route) =>
        ['{"a":1}', '[]', '"x"', '{', '\0', '{"__proto__":1}'].map((body) => ({
          ...shotAt(route),
          label: body,
          headers: JSON_TYPE,
          body
        }))
      )
    await fireAll(shots, assertProblem)
  })

  it('refuses query parameters that are unknown, repeated or out of bounds', async () => {
    const shots = routes.flatMap((route) =>
      badQueries(route).map((query) => ({ ...shotAt(route), path: `${pathOf(route)}?${query}`, label: 'query' }))
    )
    await fireAll(
      shots.filter(({ path }) => isRegistry(path)),
      assertHarmless
    )
    const own = shots.filter(({ path }) => !isRegistry(path))
    await fireAll(own, (hit, where) => {
      const code = assertProblem(hit, where)
      const expected = where.includes('/links/nobody/nobody') ? 'link_refused' : 'invalid_request'
      assert.ok([expected, 'malformed_request'].includes(code), `${where}: ${code}`)
      return code
    })
  })

  it('refuses cursors that it did not make', async () => {
    const lists = routes.filter((route) => (route.query as Schema | undefined)?.properties?.cursor !== undefined)
    assert.ok(lists.length > 4)
    const shots = lists.flatMap((route) => {
      const [first = '', second = first] = sortsOf(route)
      return badCursors(first, second).map(([label, cursor]) => ({
        ...shotAt(route),
        path: `${pathOf(route)}?sort=${encodeURIComponent(first)}&cursor=${encodeURIComponent(cursor)}`,
        label
      }))
    })
    await fireAll(shots, assertProblem)
    const odd = [
      { k: 1 },
      { k: 'a' },
      { k: -0.5 },
      { k: 1e300 },
      { k: '\ud800' },
      { i: '\ud800' },
      { t: -1 },
      { t: 2 ** 60 },
      { k: '%' }
    ]
    const forged = lists.flatMap((route) => {
      const [sort = ''] = sortsOf(route)
      return odd.map((part) => ({
        ...shotAt(route),
        path: `${pathOf(route)}?sort=${sort}&cursor=${encodeCursor({ s: sort, k: 'a', i: 'a', t: 1, ...part })}`,
        label: JSON.stringify(part)
      }))
    })
    await fireAll(forged, assertHarmless)
  })

  it('finds nothing at paths that are no names', async () => {
    const withParams = routes.filter((route) => route.params !== undefined)
    const at = (route: Route, id: string) => ({
      ...shotAt(route),
      path: pathOf(route, id),
      headers: JSON_TYPE,
      body: bodyOf(route),
      label: id.slice(0, 30)
    })
    // Anything may be the name of a subject.
    const isNamed = ({ path }: Route) => isRegistry(path)
    await fireAll(
      withParams.filter((route) => !isNamed(route)).flatMap((route) => BAD_IDS.map((id) => at(route, id))),
      assertProblem
    )
    const odd = (route: Route) => (isNamed(route) ? [...BAD_IDS, ...ODD_IDS] : ODD_IDS)
    await fireAll(
      withParams.flatMap((route) => odd(route).map((id) => at(route, id))),
      assertHarmless
    )
  })

  it('answers other methods with what the path allows', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    const paths = Map.groupBy(routes, (route) => pathOf(route))
    for (const [path, own] of paths) {
      const allowed = own.map((route) => route.method as string)
      for (const method of methods.filter((other) => !allowed.includes(other))) {
        const hit = await client.fire({ method, path })
        assert.equal(assertProblem(hit, `${method} ${path}`), own[0]?.refusal ?? 'method_not_allowed')
        assert.deepEqual(
          hit.headers.allow?.split(', ').filter((name) => name !== 'HEAD'),
          allowed
        )
      }
    }
    for (const path of [...PAGES, '/metrics', '/api/nothing', '/api', '/favicon.ico']) {
      for (const method of methods.slice(1)) assertProblem(await client.fire({ method, path }), `${method} ${path}`)
      assertHarmless(await client.fire({ method: 'TRACE', path }), path)
      assertHarmless(await client.fire({ method: 'QUERY', path }), path)
    }
  })

  it('answers HEAD like GET, without the body', async () => {
    const paths = routes.filter((route) => route.method === 'GET').map((route) => pathOf(route))
    for (const path of [...paths, ...PAGES, '/metrics']) {
      const get = await client.fire({ method: 'GET', path })
      if (!path.includes('nobody')) assert.equal(get.status, path === '/ping' ? 204 : 200, path)
      const head = await client.fire({ method: 'HEAD', path })
      assert.deepEqual([head.status, head.text], [get.status, ''], path)
      assert.equal(head.headers['content-type'], get.headers['content-type'], path)
    }
  })

  it('takes no harm from headers', async () => {
    const admin = `Bearer ${await test.token('admin', 'admin')}`
    const twice = { authorization: [admin, 'Bearer other'] }
    for (const route of routes) {
      for (const headers of [...ODD_HEADERS, twice]) {
        const shot = { ...shotAt(route), headers: { ...JSON_TYPE, ...headers }, body: bodyOf(route) }
        assertHarmless(await client.fire(shot), `${route.operationId} ${JSON.stringify(headers).slice(0, 60)}`)
      }
      if (route.method !== 'POST' || auditOf(route) === undefined) continue
      for (const key of BAD_IDEMPOTENCY_KEYS) {
        const hit = await client.fire({
          ...shotAt(route),
          headers: { ...JSON_TYPE, 'idempotency-key': key },
          body: bodyOf(route)
        })
        assert.equal(assertProblem(hit, `Idempotency-Key ${key.slice(0, 10)}`), 'invalid_request')
      }
    }
  })

  it('leaves the server as it was: sound, answering, and no larger', async () => {
    const quick = routes.filter((route) => route.operationId !== 'verifyAudit')
    const round = async () => {
      const shots = quick.flatMap((route) => [
        { ...shotAt(route), label: 'no body', headers: JSON_TYPE },
        { ...shotAt(route), label: 'garbage', headers: JSON_TYPE, body: '{"a":[[[' },
        { ...shotAt(route), label: 'nested', headers: JSON_TYPE, body: '['.repeat(100_000) },
        { ...shotAt(route), label: 'token', headers: { authorization: `Bearer ${Math.random()}` } },
        { ...shotAt(route), path: `${pathOf(route)}?a${Math.random()}=1`, label: 'query' },
        { ...shotAt(route), path: pathOf(route, `x${Math.random()}`), label: 'id' }
      ])
      for (let i = 0; i < 2; i++) await fireAll(shots, assertHarmless)
    }
    const sizes: number[] = []
    for (let i = 0; i < 5; i++) {
      await round()
      test.logged.length = 0
      sizes.push(heapAfterGc())
    }
    const [, settled = 0] = sizes
    assert.ok((sizes.at(-1) as number) - settled < 4_000_000, `the heap grows: ${sizes.join(' ')}`)
    const health = await client.fire({ method: 'GET', path: '/api/health' })
    assert.equal(JSON.parse(health.text).status, 'ok')
    const body = '{"name":"after all that"}'
    const key = await client.fire({ method: 'POST', path: '/api/api-keys', headers: JSON_TYPE, body })
    assert.equal(key.status, 201)
    const audit = await client.fire({ method: 'GET', path: '/api/audit/verify' })
    assert.equal(JSON.parse(audit.text).ok, true, audit.text)
  })
})

function heapAfterGc(): number {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  return process.memoryUsage().heapUsed
}

const isRegistry = (text: string) => text.includes('/schema-registry/')

/** Parameters that are numbers: with anything else the path leads nowhere, and the rest is not looked at. */
const NUMBERS = ['number', 'version', 'v1', 'v2']

function pathOf(route: Pick<Route, 'path' | 'foreign'>, id = 'nobody'): string {
  return addressOf(route).replace(/:(\w+)/g, (_, name) => (NUMBERS.includes(name) ? '1' : id))
}

function shotAt(route: Route): Shot {
  return { method: route.method, path: pathOf(route) }
}

/** A body that the schema allows. */
function bodyOf(route: Route): string | undefined {
  return route.body === undefined ? undefined : JSON.stringify(exampleOf(route.body as Schema))
}

function sortsOf(route: Route): string[] {
  return ((route.query as Schema).properties?.sort?.enum ?? []) as string[]
}
