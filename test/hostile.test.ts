// Once: what is sent never gets as far as the database that the areas' own suites run on twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Role } from '../src/engines/identity/index.ts'
import type { Route } from '../src/http/route.ts'
import { BAD_CREDENTIALS, BAD_IDS, badCursors, badQueries, encodeCursor, ODD_IDS } from './support/hostile-addresses.ts'
import type { Schema } from './support/hostile-bodies.ts'
import { assertHarmless, assertProblem } from './support/hostile-client.ts'
import {
  bodyOf,
  isRegistry,
  JSON_TYPE,
  openTarget,
  pathOf,
  shotAt,
  sortsOf,
  type Target
} from './support/hostile-shots.ts'

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
  let target: Target

  before(async () => {
    target = await openTarget()
  })
  after(() => target.close())

  it('gets nothing without a token that is accepted', async () => {
    const shots = target.guarded.flatMap((route) =>
      BAD_CREDENTIALS.map((authorization) => ({
        ...shotAt(route),
        label: authorization.slice(0, 20),
        headers: { authorization }
      }))
    )
    await target.fireAll(shots, (hit, where) => {
      assert.equal(hit.status, 401, where)
      assert.match(hit.headers['www-authenticate'] ?? '', /^Bearer/, where)
      return assertProblem(hit, where)
    })
    const metrics = await target.client.fire({ method: 'GET', path: '/metrics', headers: { authorization: '' } })
    assert.equal(metrics.status, 401)
  })

  it('lets each role do exactly what its permissions say', async () => {
    const least: Record<string, number> = { self: 0, read: 1, write: 2, admin: 3 }
    const callers: (Role | undefined)[] = [undefined, 'viewer', 'editor', 'admin']
    for (const [rank, role] of callers.entries()) {
      const token = await target.test.token(`caller-${role}`, role)
      for (const route of [
        ...target.guarded,
        { method: 'GET', path: '/../metrics', permission: 'metrics:read' } as Route
      ]) {
        const answer = await target.client.fire({
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

  it('refuses query parameters that are unknown, repeated or out of bounds', async () => {
    const shots = target.routes.flatMap((route) =>
      badQueries(route).map((query) => ({ ...shotAt(route), path: `${pathOf(route)}?${query}`, label: 'query' }))
    )
    await target.fireAll(
      shots.filter(({ path }) => isRegistry(path)),
      assertHarmless
    )
    const own = shots.filter(({ path }) => !isRegistry(path))
    await target.fireAll(own, (hit, where) => {
      const code = assertProblem(hit, where)
      const expected = where.includes('/links/nobody/nobody') ? 'link_refused' : 'invalid_request'
      assert.ok([expected, 'malformed_request'].includes(code), `${where}: ${code}`)
      return code
    })
  })

  it('refuses cursors that it did not make', async () => {
    const lists = target.routes.filter((route) => (route.query as Schema | undefined)?.properties?.cursor !== undefined)
    assert.ok(lists.length > 4)
    const shots = lists.flatMap((route) => {
      const [first = '', second = first] = sortsOf(route)
      return badCursors(first, second).map(([label, cursor]) => ({
        ...shotAt(route),
        path: `${pathOf(route)}?sort=${encodeURIComponent(first)}&cursor=${encodeURIComponent(cursor)}`,
        label
      }))
    })
    await target.fireAll(shots, assertProblem)
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
    await target.fireAll(forged, assertHarmless)
  })

  it('finds nothing at paths that are no names', async () => {
    const withParams = target.routes.filter((route) => route.params !== undefined)
    const at = (route: Route, id: string) => ({
      ...shotAt(route),
      path: pathOf(route, id),
      headers: JSON_TYPE,
      body: bodyOf(route),
      label: id.slice(0, 30)
    })
    // Anything may be the name of a subject.
    const isNamed = ({ path }: Route) => isRegistry(path)
    await target.fireAll(
      withParams.filter((route) => !isNamed(route)).flatMap((route) => BAD_IDS.map((id) => at(route, id))),
      assertProblem
    )
    const odd = (route: Route) => (isNamed(route) ? [...BAD_IDS, ...ODD_IDS] : ODD_IDS)
    await target.fireAll(
      withParams.flatMap((route) => odd(route).map((id) => at(route, id))),
      assertHarmless
    )
  })

  it('answers other methods with what the path allows', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    const paths = Map.groupBy(target.routes, (route) => pathOf(route))
    for (const [path, own] of paths) {
      const allowed = own.map((route) => route.method as string)
      for (const method of methods.filter((other) => !allowed.includes(other))) {
        const hit = await target.client.fire({ method, path })
        assert.equal(assertProblem(hit, `${method} ${path}`), own[0]?.refusal ?? 'method_not_allowed')
        assert.deepEqual(
          hit.headers.allow?.split(', ').filter((name) => name !== 'HEAD'),
          allowed
        )
      }
    }
    for (const path of [...PAGES, '/metrics', '/api/nothing', '/api', '/favicon.ico']) {
      for (const method of methods.slice(1))
        assertProblem(await target.client.fire({ method, path }), `${method} ${path}`)
      assertHarmless(await target.client.fire({ method: 'TRACE', path }), path)
      assertHarmless(await target.client.fire({ method: 'QUERY', path }), path)
    }
  })

  it('answers HEAD like GET, without the body', async () => {
    const paths = target.routes.filter((route) => route.method === 'GET').map((route) => pathOf(route))
    for (const path of [...paths, ...PAGES, '/metrics']) {
      const get = await target.client.fire({ method: 'GET', path })
      if (!path.includes('nobody')) assert.equal(get.status, path === '/ping' ? 204 : 200, path)
      const head = await target.client.fire({ method: 'HEAD', path })
      assert.deepEqual([head.status, head.text], [get.status, ''], path)
      assert.equal(head.headers['content-type'], get.headers['content-type'], path)
    }
  })

  it('leaves the server as it was', () => target.assertSound())
})
