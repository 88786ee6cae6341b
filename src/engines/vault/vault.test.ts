import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { createVault, SealBroken } from './index.ts'

const text = fc.string({ unit: ANY_CHARACTER, maxLength: 300 })
const vault = createVault(['a secret of this test'])

test('any text opens in its own context, and only there', () => {
  fc.assert(
    fc.property(text, text, text, (secret, context, other) => {
      const sealed = vault.seal(secret, context)
      assert.equal(vault.open(sealed, context), secret)
      if (other !== context) assert.throws(() => vault.open(sealed, other), SealBroken)
    })
  )
})

test('no bit of a sealed value can be changed', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(7), (secret, at, bit) => {
      const [scheme, key, encoded] = vault.seal(secret, 'here').split('.') as [string, string, string]
      const body = Buffer.from(encoded, 'base64url')
      const place = at % body.length
      body[place] = (body[place] as number) ^ (1 << bit)
      const changed = [scheme, key, body.toString('base64url')].join('.')
      assert.throws(() => vault.open(changed, 'here'), SealBroken)
    })
  )
})

test('what was cut short, or was never sealed, is refused as broken', () => {
  const sealed = vault.seal('secret', 'here')
  const [, key] = sealed.split('.')
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => vault.open(sealed.slice(0, length), 'here'), SealBroken)
  }
  for (const value of ['secret', 'v1..', `v1.${key}.`, `v1.${key}`, sealed.replace('v1', 'v2')]) {
    assert.throws(() => vault.open(value, 'here'), SealBroken)
  }
})

test('another secret does not open it, and the failure tells neither', () => {
  const sealed = vault.seal('what is inside', 'here')
  assert.throws(
    () => createVault(['some other secret']).open(sealed, 'here'),
    (error: Error) => error instanceof SealBroken && !/inside|secret of this|some other/.test(error.message)
  )
})

test('a secret that was replaced still opens, and no longer seals', () => {
  const before = vault.seal('kept', 'here')
  const rotated = createVault(['the new secret', 'a secret of this test'])
  assert.equal(rotated.open(before, 'here'), 'kept')
  const after = rotated.seal('kept', 'here')
  assert.equal(createVault(['the new secret']).open(after, 'here'), 'kept')
  assert.throws(() => vault.open(after, 'here'), SealBroken)
})

test('sealing the same twice shows nothing of it', () => {
  const sealed = Array.from({ length: 100 }, () => vault.seal('the same', 'here'))
  assert.equal(new Set(sealed).size, 100)
  for (const value of sealed) {
    assert.match(value, /^v1\.[0-9a-f]{8}\.[\w-]+$/)
    assert.ok(!Buffer.from(value.split('.')[2] as string, 'base64url').includes('same'))
  }
})

test('a derived key is 32 bytes, always the same, and another for each purpose and secret', () => {
  const again = createVault(['a secret of this test', 'an old one'])
  assert.equal(vault.derive('tokens').length, 32)
  assert.deepEqual(vault.derive('tokens'), again.derive('tokens'))
  const keys = [vault.derive('tokens'), vault.derive('links'), vault.derive(''), createVault(['b']).derive('tokens')]
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, keys.length)
})
