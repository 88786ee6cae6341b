import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from './together.ts'

function asking() {
  const asked: (readonly string[])[] = []
  const ask = together(async (keys) => {
    asked.push(keys)
    if (keys.includes('bad')) throw new Error('no answer')
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]))
  })
  return { ask, asked }
}

test('what is wanted in the same turn is asked for once, and each gets its own answer', async () => {
  const { ask, asked } = asking()
  assert.deepEqual(await Promise.all(['a', 'b', 'a', 'unknown'].map(ask)), ['A', 'B', 'A', undefined])
  assert.deepEqual(asked, [['a', 'b', 'unknown']])
})

test('what is wanted later is asked for anew', async () => {
  const { ask, asked } = asking()
  assert.equal(await ask('a'), 'A')
  assert.equal(await ask('a'), 'A')
  assert.deepEqual(asked, [['a'], ['a']])
})

test('a question that fails does so for all who asked, and for nobody after them', async () => {
  const { ask } = asking()
  const answers = await Promise.allSettled([ask('a'), ask('bad')])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected']
  )
  assert.equal(await ask('a'), 'A')
})
