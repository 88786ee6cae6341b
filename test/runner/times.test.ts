import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { longestFirst, readTimes, updateTimes } from './times.ts'

test('the longest files start first, the others as they were', () => {
  assert.deepEqual(longestFirst(['b', 'a', 'long', 'longer'], { long: 5, longer: 9, gone: 20 }), [
    'longer',
    'long',
    'b',
    'a'
  ])
})

test('a run changes what is known of the files that ran, and drops those that are gone or short now', () => {
  const known = { 'short-now': 9, kept: 4, gone: 5, ran: 3 }
  const taken = new Map(Object.entries({ ran: 7.4, 'short-now': 0.3, new: 2.2 }))
  assert.deepEqual(
    updateTimes(known, taken, (file) => file !== 'gone'),
    { kept: 4, new: 2, ran: 7 }
  )
})

test('what is remembered are files that there are', () => {
  const gone = Object.keys(readTimes()).filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))
  assert.deepEqual(gone, [], 'node test/run.ts --remember drops them')
})
