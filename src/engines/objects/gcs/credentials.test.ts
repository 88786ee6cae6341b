import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { rsaKeys } from '../../../../test/support/rsa-keys.ts'
import { readCredentials } from './credentials.ts'
import { settings } from './testing/open.ts'

const pem = rsaKeys('known').privateKey.export({
  type: 'pkcs8',
  format: 'pem'
}) as string
const email = 'name@some-project.iam.gserviceaccount.com'
const read = (accessKey: string, secretKey: string, endpoint?: string) =>
  readCredentials({ ...settings, endpoint, accessKey, secretKey })

test('an account comes from its name and key, or from the key file alone', () => {
  const account = { email, privateKey: pem, projectId: 'some-project', tokenUri: undefined }
  assert.deepEqual(read(email, pem), account)
  assert.deepEqual(read(email, pem.replaceAll('\n', '\\n')), account)
  const file = { client_email: email, private_key: pem, project_id: 'other', token_uri: 'https://tokens.example/' }
  const fromFile = { ...account, projectId: 'other', tokenUri: 'https://tokens.example/' }
  assert.deepEqual(read('', JSON.stringify(file)), fromFile)
  assert.equal(read('123@developer.gserviceaccount.com', pem)?.projectId, undefined)
})

test('only a server of one’s own can do without', () => {
  assert.equal(read('', '', 'emulator.example'), undefined)
  assert.throws(() => read('', ''), { code: 'unknown_access_key' })
})

test('what can’t be an account is told at once, without the secret', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem'
  })
  const wrong: [string, string, string][] = [
    ['not an address', pem, 'unknown_access_key'],
    ['', pem, 'unknown_access_key'],
    ['', JSON.stringify({ private_key: pem }), 'unknown_access_key'],
    [email, '', 'wrong_secret'],
    [email, 'a password', 'wrong_secret'],
    [email, String(elliptic), 'wrong_secret'],
    [email, '{"client_email":', 'wrong_secret'],
    ['', JSON.stringify({ client_email: email }), 'wrong_secret'],
    [email, pem.slice(0, 400), 'wrong_secret']
  ]
  for (const [accessKey, secretKey, code] of wrong) {
    assert.throws(
      () => read(accessKey, secretKey),
      (error: Error & { code: string }) => error.code === code && !(error.stack ?? '').includes('password')
    )
  }
})
