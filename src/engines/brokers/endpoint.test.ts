import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseEndpoints } from './endpoint.ts'

const port = fc.integer({ min: 1, max: 65_535 })

test('names and addresses are read with and without a port', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4()), port, (host, number) => {
      const [bare, full] = parseEndpoints([host, `${host}:${number}`], 1883)
      assert.deepEqual(bare, { host, port: 1883, where: `${host}:1883` })
      assert.deepEqual(full, { host, port: number, where: `${host}:${number}` })
    })
  )
  fc.assert(
    fc.property(fc.ipV6(), port, (host, number) => {
      const [bare, full] = parseEndpoints([host, `[${host}]:${number}`], 1883)
      assert.deepEqual(bare, { host, port: 1883, where: `[${host}]:1883` })
      assert.deepEqual(full, { host, port: number, where: `[${host}]:${number}` })
    })
  )
})

test('anything else is refused, without repeating what may hold a password', () => {
  const wrong = [
    '',
    ':1883',
    'host:',
    'host:0',
    'host:65536',
    'host:x',
    'mqtt://host',
    'user:secret@host:1',
    'a b',
    '[::1',
    '[x]:1'
  ]
  for (const text of wrong) {
    assert.throws(
      () => parseEndpoints([text], 1),
      (error: Error & { code?: string }) => {
        return error.code === 'invalid' && (text === '' || !error.message.includes('secret'))
      }
    )
  }
  assert.throws(() => parseEndpoints([], 1), { code: 'invalid' })
  assert.throws(() => parseEndpoints(new Array(17).fill('host'), 1), { code: 'invalid' })
})
