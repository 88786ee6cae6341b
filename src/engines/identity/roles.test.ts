import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRoles } from './roles.ts'

const rolesOf = (value: unknown) => readRoles({ roles: value }, undefined)

test('accepts a bare name or one of Millrace, in any case', () => {
  for (const name of ['admin', 'Admin', 'millrace-admin', 'MILLRACE:Admin', 'millrace/admin', '/millrace/admin']) {
    assert.deepEqual(rolesOf([name]), ['admin'], name)
  }
})

test('ignores names of others', () => {
  const names = [
    'other-admin',
    '/other/admin',
    '/admin',
    'millrace--admin',
    '/millrace-admin',
    'millrace',
    'admins',
    ''
  ]
  assert.deepEqual(rolesOf([...names, 'x millrace-admin', 'admin\n', 'adm\u0131n', 7, null, ['admin']]), [])
})

test('reads lists and separated text, each role once, least first', () => {
  assert.deepEqual(rolesOf(['admin', 'viewer', 'millrace-admin']), ['viewer', 'admin'])
  assert.deepEqual(rolesOf('openid admin, editor\tviewer'), ['viewer', 'editor', 'admin'])
  for (const value of [7, true, { admin: true }, {}, '', []]) assert.deepEqual(rolesOf(value), [])
})

test('the first of the usual places that is present wins, even with no role in it', () => {
  const places = { roles: 'viewer', realm_access: { roles: ['editor'] }, groups: ['/millrace/admin'] }
  assert.deepEqual(readRoles(places, undefined), ['viewer'])
  assert.deepEqual(readRoles({ ...places, roles: [] }, undefined), [])
  assert.deepEqual(readRoles({ ...places, roles: null }, undefined), ['editor'])
  assert.deepEqual(readRoles({ groups: places.groups, realm_access: {} }, undefined), ['admin'])
  assert.deepEqual(readRoles({}, undefined), [])
})

test('a configured claim is the only one read; its name may have dots', () => {
  const claims = { roles: ['admin'], 'https://example.com/roles': ['editor'], a: { b: { c: 'viewer' } } }
  assert.deepEqual(readRoles(claims, 'https://example.com/roles'), ['editor'])
  assert.deepEqual(readRoles(claims, 'a.b.c'), ['viewer'])
  for (const path of ['missing', 'a.b.c.d', 'a..c', 'constructor.name', '__proto__']) {
    assert.deepEqual(readRoles(claims, path), [], path)
  }
})

test('never grants what no entry names', () => {
  const property = fc.property(fc.array(fc.string()), (names) => {
    const granted = rolesOf(names)
    assert.ok(granted.every((role) => names.some((name) => name.toLowerCase().endsWith(role))))
  })
  fc.assert(property)
})
