import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './address.ts'
import { createAllowList } from './allow-list.ts'
import { parseHost } from './host.ts'

function allows(entry: string, hostText: string, addressText: string, port = 80): boolean {
  const host = parseHost(hostText)
  const address = parseAddress(addressText)
  assert.ok(host !== undefined && address !== undefined)
  return createAllowList([entry])(host, port, address)
}

test('a host is allowed by its exact name', () => {
  assert.ok(allows('db.internal', 'db.internal', '10.0.0.1'))
  assert.ok(allows('DB.Internal.', 'db.internal', '10.0.0.1'))
  assert.ok(!allows('db.internal', 'x.db.internal', '10.0.0.1'))
  assert.ok(!allows('db.internal', 'db.internal.evil.example', '10.0.0.1'))
})

test('a suffix allows the names below it and not itself', () => {
  assert.ok(allows('*.internal', 'db.internal', '10.0.0.1'))
  assert.ok(allows('*.internal', 'a.b.internal', '10.0.0.1'))
  assert.ok(!allows('*.internal', 'internal', '10.0.0.1'))
  assert.ok(!allows('*.internal', 'evilinternal', '10.0.0.1'))
})

test('a port narrows an entry', () => {
  assert.ok(allows('db:5432', 'db', '10.0.0.1', 5432))
  assert.ok(!allows('db:5432', 'db', '10.0.0.1', 5433))
  assert.ok(!allows('*.internal:5432', 'db.internal', '10.0.0.1', 80))
  assert.ok(allows('10.0.0.1:5432', '10.0.0.1', '10.0.0.1', 5432))
  assert.ok(!allows('10.0.0.1:5432', '10.0.0.1', '10.0.0.1', 80))
  assert.ok(allows('[fd00::1]:443', 'fd00::1', 'fd00::1', 443))
  assert.ok(!allows('[fd00::1]:443', 'fd00::1', 'fd00::1', 80))
})

test('addresses and ranges go by the address, not by the name', () => {
  assert.ok(allows('10.0.0.0/8', 'db', '10.255.0.1'))
  assert.ok(!allows('10.0.0.0/8', 'db', '11.0.0.1'))
  assert.ok(allows('10.0.0.1', 'db', '10.0.0.1'))
  assert.ok(allows('fd00::/8', 'db', 'fd12::1'))
  assert.ok(allows('fd00::1', 'db', 'fd00:0::1'))
  assert.ok(!allows('fd00::/8', 'db', '10.0.0.1'))
  assert.ok(allows('::ffff:10.0.0.0/104', 'db', '10.1.1.1'))
  assert.ok(allows('10.0.0.0/8', 'db', '::ffff:10.1.1.1'))
})

test('an entry that could never match is an error that names it', () => {
  const wrong = ['', '*', '*.', '*.10.0.0.1', 'http://db', 'db:0', 'db:65536', 'db:', '10.0.0.0/33', '10.0.0/8', 'db/8']
  for (const entry of [...wrong, '::/129', '::ffff:10.0.0.0/95', '[db]', 'a b', 'fd00::1:99999']) {
    assert.throws(() => createAllowList(['fine', entry]), {
      message: new RegExp(`ALLOWED_HOSTS has "${RegExp.escape(entry)}"`)
    })
  }
})
