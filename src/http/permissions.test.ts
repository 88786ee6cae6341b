// Once: who may do what is decided before the database is asked.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { postgresUrl } from '../../test/support/database.ts'
import type { Role } from '../engines/identity/index.ts'
import {
  type Actor,
  allPermissions,
  can,
  highestRole,
  includesScope,
  permissionsOf,
  rankOf,
  SCOPE_PATTERN,
  unknownAreaOf
} from './permissions.ts'

const RUNS = postgresUrl === undefined ? 60 : 25
const ROLES: readonly Role[] = ['viewer', 'editor', 'admin']
const PERMISSIONS = allPermissions()
const AREAS = [...new Set(PERMISSIONS.map((permission) => permission.split(':')[0] as string)), '*']
const ACCESSES = ['self', 'read', 'write', 'admin', '*']

/** What each role may do, written out. */
const BY_ROLE: Record<string, readonly string[]> = {
  none: ['self'],
  viewer: ['self', 'read'],
  editor: ['self', 'read', 'write'],
  admin: ['self', 'read', 'write', 'admin']
}

const scope = fc.tuple(fc.constantFrom(...AREAS), fc.constantFrom(...ACCESSES)).map((halves) => halves.join(':'))
const scopes = fc.option(fc.uniqueArray(scope, { minLength: 1, maxLength: 4 }), { nil: undefined })
const role = fc.option(fc.constantFrom(...ROLES), { nil: undefined })

const actorWith = (role: Role | undefined, scopes: readonly string[] | undefined): Actor => ({
  id: 'usr_1',
  name: 'x',
  role,
  scopes,
  apiKeyId: scopes && 'key_1'
})

/** Every permission that a scope stands for, by listing them. */
const expand = (one: string) => PERMISSIONS.filter((permission) => fits(one, permission))

function fits(pattern: string, permission: string): boolean {
  const wanted = permission.split(':')
  return pattern.split(':').every((half, index) => half === '*' || half === wanted[index])
}

describe('permissions', () => {
  it('follow from role and scopes alone', () => {
    const property = fc.property(role, scopes, (role, scopes) => {
      const byRole = PERMISSIONS.filter((permission) =>
        BY_ROLE[role ?? 'none']?.includes(permission.split(':')[1] as string)
      )
      const expected = byRole.filter((permission) => scopes?.flatMap(expand).includes(permission) ?? true)
      assert.deepEqual(permissionsOf(actorWith(role, scopes)), expected)
      for (const permission of PERMISSIONS) {
        assert.equal(can(actorWith(role, scopes), permission), expected.includes(permission))
      }
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('include a scope only where everything it stands for is included', () => {
    const property = fc.property(scopes, scope, (own, wanted) => {
      const actor = actorWith('admin', own)
      if (!includesScope(actor, wanted)) return
      for (const permission of expand(wanted)) assert.ok(can(actor, permission), `${permission} by ${wanted}`)
    })
    fc.assert(property, { numRuns: 1000 })
    assert.ok(includesScope(actorWith('admin', ['users:*']), 'users:admin'))
    assert.ok(includesScope(actorWith('admin', ['*:*']), '*:read'))
    assert.ok(!includesScope(actorWith('admin', ['users:*']), '*:*'))
    assert.ok(!includesScope(actorWith('admin', ['*:read']), 'users:*'))
  })

  it('have scopes of a form that the pattern knows', () => {
    const pattern = new RegExp(SCOPE_PATTERN)
    fc.assert(fc.property(scope, (one) => assert.match(one, pattern)))
    for (const bad of ['', '*', 'users', 'users:', ':read', 'users:read ', 'users:run', 'users:read:x']) {
      assert.doesNotMatch(bad, pattern)
    }
    fc.assert(fc.property(scope, (one) => assert.equal(unknownAreaOf(one), undefined)))
    assert.match(unknownAreaOf('nothing:read') ?? '', /names no area: there is alerts, api-keys, audit, buckets/)
  })

  it('rank roles', () => {
    assert.deepEqual([undefined, ...ROLES].map(rankOf), [0, 1, 2, 3])
    assert.equal(highestRole([]), undefined)
    assert.equal(highestRole(['viewer', 'admin', 'editor']), 'admin')
  })
})

describe('an API key', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const permissionsWith = async (token: string): Promise<string[]> => {
    const answer = await test.call('GET', '/api/users/me', { as: { token } })
    // A key without users:self may not even ask who it is.
    return answer.status === 403 ? [] : answer.body.permissions
  }

  it('never has more rights than its maker, be that a user or another key', async () => {
    const link = fc.record({ role, scopes })
    const property = fc.asyncProperty(
      fc.constantFrom(...ROLES),
      fc.array(link, { maxLength: 4 }),
      async (first, chain) => {
        let maker = { token: await test.token(first, first), actor: actorWith(first, undefined) }
        for (const { role, scopes } of chain) {
          const body = { name: 'link', ...(role && { role }), ...(scopes && { scopes }) }
          const answer = await test.call('POST', '/api/api-keys', { as: maker, body })
          const mayMake = can(maker.actor, 'api-keys:self')
          const within =
            rankOf(role) <= rankOf(maker.actor.role) && (scopes ?? []).every((one) => includesScope(maker.actor, one))
          const needed = { self: 0, read: 1, write: 2, admin: 3, '*': 0 } as Record<string, number>
          const isUsable = (scope: string) =>
            Number(needed[String(scope.split(':')[1])]) <= rankOf(role ?? maker.actor.role)
          const made = (scopes ?? []).every(isUsable) ? 201 : 400
          assert.equal(answer.status, mayMake && within ? made : 403, answer.text)
          if (answer.status === 403) assert.equal(answer.body.code, mayMake ? 'rights_exceeded' : 'permission_denied')
          if (answer.status !== 201) return
          const actor = actorWith(role ?? maker.actor.role, scopes ?? maker.actor.scopes)
          const had = permissionsOf(maker.actor)
          assert.deepEqual(
            permissionsOf(actor).filter((permission) => !had.includes(permission)),
            []
          )
          if (can(actor, 'users:self')) assert.deepEqual(await permissionsWith(answer.body.key), permissionsOf(actor))
          maker = { token: answer.body.key, actor }
        }
      }
    )
    await fc.assert(property, { numRuns: RUNS })
  })

  it('loses what its maker loses', async () => {
    const { body } = await test.call('POST', '/api/api-keys', {
      as: { token: await test.token('demoted', 'admin') },
      body: { name: 'k' }
    })
    assert.ok((await permissionsWith(body.key)).includes('audit:admin'))
    await test.call('GET', '/api/users/me', { as: { token: await test.token('demoted', 'viewer') } })
    const { id } = (await test.call('GET', '/api/users?q=demoted', { as: 'admin' })).body.users[0]
    // Any change of a user makes the server forget all callers that it knows.
    await test.call('PUT', `/api/users/${id}`, { as: 'admin', body: { disabled: false } })
    assert.deepEqual(await permissionsWith(body.key), permissionsOf(actorWith('viewer', undefined)))
  })
})
