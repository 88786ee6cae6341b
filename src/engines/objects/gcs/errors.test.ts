import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreErrorCode } from '../errors.ts'
import { fromGrant, fromStatus } from './errors.ts'

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
