import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeKeyInAddress } from './key-address.ts'

const CASES: [given: string, expected: string][] = [
  ['/api/buckets/b/objects/a', '/api/buckets/b/objects/a'],
  ['/api/buckets/b/objects/a/b', '/api/buckets/b/objects/a%2Fb'],
  ['/api/buckets/b/objects//a//b/', '/api/buckets/b/objects/%2Fa%2F%2Fb%2F'],
  ['/api/buckets/b/objects/a%2Fb', '/api/buckets/b/objects/a%2Fb'],
  ['/api/buckets/b/objects/a/b?x=/y/z', '/api/buckets/b/objects/a%2Fb?x=/y/z'],
  ['/api/buckets/b/objects/a?x=/url', '/api/buckets/b/objects/a?x=/url'],
  ['/api/buckets/b/objects/a/url', '/api/buckets/b/objects/a/url'],
  ['/api/buckets/b/objects/a/b/url?expiry=1', '/api/buckets/b/objects/a%2Fb/url?expiry=1'],
  ['/api/buckets/b/objects/a%2Furl', '/api/buckets/b/objects/a%2Furl'],
  ['/api/buckets/b/objects/a/url/url', '/api/buckets/b/objects/a%2Furl/url'],
  ['/api/buckets/b/objects/url', '/api/buckets/b/objects/url'],
  ['/api/buckets/b/objects//url', '/api/buckets/b/objects/%2Furl'],
  ['/api/buckets/b/objects/', '/api/buckets/b/objects/'],
  ['/api/buckets/b/objects', '/api/buckets/b/objects'],
  ['/api/buckets/b/objects?prefix=a/b/', '/api/buckets/b/objects?prefix=a/b/'],
  ['/api/buckets/b/links/lnk_1/a/b?expires=1', '/api/buckets/b/links/lnk_1/a%2Fb?expires=1'],
  ['/api/buckets/b/links/lnk_1/a/url', '/api/buckets/b/links/lnk_1/a%2Furl'],
  ['/api/buckets/b/links/lnk_1', '/api/buckets/b/links/lnk_1'],
  ['/api/buckets/b/uploads/up_1/parts/1', '/api/buckets/b/uploads/up_1/parts/1'],
  ['/api/buckets/b', '/api/buckets/b'],
  ['/api/buckets?q=/a/b', '/api/buckets?q=/a/b'],
  ['/api/bucketsx/b/objects/a/b', '/api/bucketsx/b/objects/a/b'],
  ['/api/audit/logs', '/api/audit/logs']
]

for (const [given, expected] of CASES) {
  test(`${given} is ${expected}`, () => assert.equal(encodeKeyInAddress(given), expected))
}
