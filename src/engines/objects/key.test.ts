import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFault } from './key.ts'
import { NOTABLE_KEYS } from './testing/keys.ts'

test('what one store would change or refuse is refused for all, and says why', () => {
  const faults: [string, RegExp][] = [
    ['', /empty/],
    ['\ud83d', /surrogate/],
    ['ü'.repeat(513), /1024 bytes/],
    ['a\nb', /control/],
    ['a\ufffe', /control/],
    ['/'.repeat(254), /253 slashes/],
    ['a/../b', /between its slashes/],
    ['.', /between its slashes/],
    ['a.', /dot at its end/],
    ['a./b', /before a slash/],
    ['...', /dot at its end/],
    ['a\\b', /backslash/]
  ]
  for (const [key, fault] of faults) assert.match(keyFault(key) ?? 'nothing', fault, key)
  for (const key of [...NOTABLE_KEYS, '/'.repeat(253), 'a.b/.c']) assert.equal(keyFault(key), undefined, key)
})
