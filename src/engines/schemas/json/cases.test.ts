import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Effort } from '../effort.ts'
import { differences } from './differences.ts'
import { parse } from './parse.ts'
import cases from './testing/cases.json' with { type: 'json' }

/** Cases in which our verdict is another one on purpose, by id, each with the reason. There are none. */
const OTHERWISE = new Map<string, string>()

test('public cases have the verdict that others give', () => {
  const wrong: string[] = []
  for (const { id, mode, old, new: fresh, compatible } of cases) {
    const [before, after] = mode === 'BACKWARD' ? [old, fresh] : [fresh, old]
    const found = differences(modelOf(before), modelOf(after), new Effort(100_000))
    const isOurs = !found.some(({ rule }) => rule.breaks)
    if ((isOurs === compatible) === OTHERWISE.has(id)) wrong.push(id)
  }
  assert.deepEqual(wrong, [])
  assert.equal(cases.length, 286)
})

function modelOf(text: string) {
  return parse({ text, dependencies: [] }, new Effort(100_000)).model
}
