import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isCompatible } from './testing/compatibility.ts'

interface Case {
  readonly id: string
  readonly mode: string
  readonly old: string
  readonly new: string
  readonly history?: readonly string[]
  readonly compatible: boolean
}

const cases = JSON.parse(readFileSync(new URL('testing/cases.json', import.meta.url), 'utf8')) as Case[]

test('Verdicts are those that users of the Java library know', () => {
  assert.equal(cases.length, 356)
  const wrong = cases.filter((one) => {
    const older = one.mode.endsWith('_TRANSITIVE') ? [...(one.history ?? []), one.old] : [one.old]
    return older.every((old) => isCompatible(old, one.new, one.mode)) !== one.compatible
  })
  assert.deepEqual(
    wrong.map(({ id }) => id),
    []
  )
})
