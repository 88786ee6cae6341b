// Once: what is sent never gets as far as the database that the areas' own suites run on twice.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Role } from '../../src/engines/identity/index.ts'
import type { Route } from '../../src/http/route.ts'
import type { TSchema } from '../../src/http/type.ts'
import { BAD_CREDENTIALS } from '../support/hostile-addresses.ts'
import { assertHarmless, assertProblem } from '../support/hostile-client.ts'
import { JSON_TYPE, openTarget, pathOf, shotAt, type Target } from '../support/hostile-shots.ts'

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
    const routes = target.routes.filter((route) => route.method === 'GET')
    // Those refuse a question that asks for nothing.
    const asking = new Set(routes.filter(({ query }) => requiredIn(query).length > 0).map((route) => pathOf(route)))
    for (const path of [...routes.map((route) => pathOf(route)), ...PAGES, '/metrics']) {
      const get = await target.client.fire({ method: 'GET', path })
      if (!path.includes('nobody') && !asking.has(path)) assert.equal(get.status, path === '/ping' ? 204 : 200, path)
      const head = await target.client.fire({ method: 'HEAD', path })
      assert.deepEqual([head.status, head.text], [get.status, ''], path)
      assert.equal(head.headers['content-type'], get.headers['content-type'], path)
    }
  })

  it('leaves the server as it was', () => target.assertSound())
})

const requiredIn = (schema: TSchema | undefined): readonly string[] =>
  (schema as { required?: readonly string[] } | undefined)?.required ?? []
