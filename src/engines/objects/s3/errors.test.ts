import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError } from '../../outbound/errors.ts'
import { StoreError } from '../errors.ts'
import { toStoreError } from './errors.ts'

const subject = { bucket: 'photos', key: 'cat.png', needs: 's3:GetObject' }

function answered(name: string, httpStatusCode: number, headers = {}) {
  const error = Object.assign(new Error('<Error>AKIDEXAMPLE</Error>'), { name, $metadata: { httpStatusCode } })
  return toStoreError(Object.assign(error, { $response: { statusCode: httpStatusCode, headers } }), subject)
}

test('the codes of the vendors become ours, with what to change and nothing of the answer', () => {
  const cases: [string, number, string, RegExp][] = [
    ['NoSuchBucket', 404, 'no_such_bucket', /no bucket photos/],
    ['NoSuchKey', 404, 'no_such_key', /photos holds no object cat\.png/],
    ['Unknown', 404, 'no_such_key', /cat\.png/],
    ['BucketAlreadyExists', 409, 'bucket_taken', /choose another name/],
    ['BucketNotEmpty', 409, 'bucket_not_empty', /delete them first/],
    ['PreconditionFailed', 412, 'precondition_failed', /condition/],
    ['ConditionalRequestConflict', 409, 'precondition_failed', /condition/],
    ['InvalidRange', 416, 'range_not_satisfiable', /range/],
    ['NoSuchUpload', 404, 'no_such_upload', /start another/],
    ['EntityTooSmall', 400, 'invalid_part', /send the parts again/],
    ['InvalidAccessKeyId', 403, 'unknown_access_key', /access key/],
    ['SignatureDoesNotMatch', 403, 'wrong_secret', /enter it again/],
    ['RequestTimeTooSkewed', 403, 'clock_off', /clock/],
    ['AccessDenied', 403, 'access_denied', /grant it s3:GetObject/],
    ['Unknown', 403, 'access_denied', /grant it s3:GetObject/],
    ['QuotaExceeded', 403, 'store_full', /quota/],
    ['XMinioStorageFull', 507, 'store_full', /remove data/],
    ['SlowDown', 503, 'throttled', /later/],
    ['Unknown', 429, 'throttled', /later/],
    ['RequestTimeout', 400, 'timed_out', /try again/],
    ['InternalError', 500, 'store_failed', /InternalError \(status 500\); try again/],
    ['MalformedXML', 400, 'store_failed', /MalformedXML \(status 400\); check the settings/],
    ['InvalidLocationConstraint', 400, 'store_failed', /region/],
    ['TypeError: x', 200, 'store_failed', /does not speak the S3 protocol/]
  ]
  for (const [name, status, code, message] of cases) {
    const error = answered(name, status)
    assert.equal(error.code, code, name)
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /AKIDEXAMPLE|<Error>/)
    assert.equal(error.cause, undefined)
  }
})

test('a bucket of another region is told with the region to set', () => {
  const error = answered('PermanentRedirect', 301, { 'x-amz-bucket-region': 'eu-west-1' })
  assert.match(error.message, /set it to eu-west-1/)
})

test('what was told before is passed on', () => {
  const told = new StoreError('invalid_part', 'told')
  assert.equal(toStoreError(told, subject), told)
  assert.equal(toStoreError(new OutboundError('timeout', 'late'), subject).code, 'timed_out')
  assert.equal(toStoreError(new OutboundError('too_large', 'large'), subject).code, 'store_failed')
})
