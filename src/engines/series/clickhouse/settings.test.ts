import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './settings.ts'
import { VersionClock } from './version-clock.ts'

test('an address says where, as whom and how', () => {
  assert.deepEqual(
    readSettings('clickhouse://me:p%40%2F%25@example.org:9999/plant?tls=true&cluster=c&replicated=true'),
    {
      origin: 'https://example.org:9999',
      user: 'me',
      password: 'p@/%',
      database: 'plant',
      cluster: 'c',
      isReplicated: true
    }
  )
  assert.deepEqual(readSettings('clickhouse://[::1]'), {
    origin: 'http://[::1]:8123',
    user: 'default',
    password: '',
    database: 'millrace',
    cluster: undefined,
    isReplicated: false
  })
  assert.equal(readSettings('clickhouse://host?tls=true').origin, 'https://host:8443')
})

test('what is wrong with an address is told, but not the password', () => {
  for (const [address, message] of [
    ['http://host', /must look like clickhouse:/],
    ['nonsense', /must look like clickhouse:/],
    ['clickhouse://u:secret@host?cluster=a-b', /name of the cluster .* "a-b"/],
    ['clickhouse://u:secret@host/a%27b', /name of the database .* "a'b"/],
    ['clickhouse://u:secret@host?tls=yes', /"tls" .* true or false/],
    ['clickhouse://u:secret@host?replicas=2', /option "replicas"/],
    ['clickhouse://u:secret%zz@host', /a % that is not followed/]
  ] as const) {
    assert.throws(
      () => readSettings(address),
      (error: Error) => message.test(error.message) && !error.message.includes('secret'),
      address
    )
  }
})

test('versions only rise, whatever the clock does', () => {
  let nowMs = 1_700_000_000_000
  const clock = new VersionClock(() => nowMs)
  const first = clock.next()
  assert.equal(first, BigInt(nowMs) * 2n ** 20n + 1n)
  nowMs -= 5000
  assert.equal(clock.next(), first + 1n)
  clock.passBy(2n ** 61n + 2n ** 32n - 1n)
  assert.equal(clock.next(), 2n ** 61n + 2n ** 32n)
  clock.passBy(5n)
  assert.equal(clock.next(), 2n ** 61n + 2n ** 32n + 1n)
})
