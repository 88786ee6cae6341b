import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError } from '../../outbound/index.ts'
import { StoreError, type StoreErrorCode } from '../errors.ts'
import { fromGrant, fromNetwork, fromStatus } from './errors.ts'

const problem = (reason: string, message = 'said secret things') =>
  JSON.stringify({ error: { message, errors: [{ reason }] } })

test('what the server says becomes a code of ours, without its words', () => {
  const answers: [number, string, StoreErrorCode][] = [
    [401, problem('authError'), 'wrong_secret'],
    [401, problem('required'), 'access_denied'],
    [403, problem('forbidden'), 'access_denied'],
    [403, problem('rateLimitExceeded'), 'throttled'],
    [403, problem('accessNotConfigured'), 'access_denied'],
    [408, '', 'timed_out'],
    [412, problem('conditionNotMet'), 'precondition_failed'],
    [429, 'not JSON', 'throttled'],
    [500, '<html>secret</html>', 'store_failed'],
    [501, 'Not Implemented', 'store_failed'],
    [507, '', 'store_full']
  ]
  for (const [status, text, code] of answers) {
    const error = fromStatus(status, text)
    assert.equal(error.code, code, text)
    assert.doesNotMatch(error.message, /secret things|html/)
  }
})

test('a refusal names the permission that is missing', () => {
  const said = "x@y.iam does not have storage.objects.create access. Permission 'storage.objects.create' denied"
  assert.match(fromStatus(403, problem('forbidden', said)).message, /permission storage\.objects\.create$/)
})

test('what the token service says tells the account, its key and the clock apart', () => {
  const answers: [string, StoreErrorCode][] = [
    ['Invalid grant: account not found', 'unknown_access_key'],
    ['Invalid JWT Signature.', 'wrong_secret'],
    [
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check iat',
      'clock_off'
    ],
    ['Account is disabled', 'access_denied'],
    ['Something new', 'wrong_secret']
  ]
  for (const [description, code] of answers) {
    const text = JSON.stringify({ error: 'invalid_grant', error_description: description })
    assert.equal(fromGrant(400, text).code, code, description)
  }
  assert.equal(fromGrant(503, 'signature').code, 'store_failed')
})

test('failures of the network are found wherever they are wrapped', () => {
  const withCode = (code: string, message = '') => Object.assign(new Error(message), { code })
  const failures: [unknown, StoreErrorCode][] = [
    [withCode('ECONNREFUSED'), 'connection_refused'],
    [new AggregateError([withCode('ECONNREFUSED')]), 'connection_refused'],
    [new Error('outer', { cause: new Error('inner', { cause: withCode('ENOTFOUND') }) }), 'unknown_host'],
    [withCode('ECONNRESET'), 'store_failed'],
    [withCode('ECONNRESET', 'disconnected before secure TLS connection was established'), 'tls_failed'],
    [withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls_failed'],
    [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls_failed'],
    [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls_failed'],
    [withCode('HPE_INVALID_CONSTANT'), 'store_failed'],
    [withCode('ETIMEDOUT'), 'timed_out'],
    [new OutboundError('refused_by_policy', 'no'), 'address_refused'],
    [new Error('outer', { cause: new StoreError('clock_off', 'late') }), 'clock_off']
  ]
  for (const [error, code] of failures) assert.equal((fromNetwork(error) as StoreError).code, code, String(error))
  const other = new Error('a mistake of ours')
  assert.equal(fromNetwork(other), other)
})
