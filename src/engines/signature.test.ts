import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { signatureOf } from './signature.ts'

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

test('the time and the body are signed together', () => {
  const header = signatureOf(['first secret'], 1_700_000_000_999, '{"a":1}')
  assert.equal(header, `t=1700000000,v1=${hmac('first secret', '1700000000.{"a":1}')}`)
})

test('while secrets change, each has its signature', () => {
  const [t, one, two, ...rest] = signatureOf(['new', 'old'], 5000, 'é').split(',')
  assert.deepEqual([t, one, two, rest], ['t=5', `v1=${hmac('new', '5.é')}`, `v1=${hmac('old', '5.é')}`, []])
})

test('text and its bytes have the same signature', () => {
  assert.equal(signatureOf(['s'], 0, 'körper'), signatureOf(['s'], 0, Buffer.from('körper')))
})
