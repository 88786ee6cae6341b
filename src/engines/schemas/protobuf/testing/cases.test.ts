import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ProtobufModel } from '../model.ts'
import { breaks, compare, modelOf } from './parsing.ts'

interface Case {
  readonly id: string
  readonly mode: string
  readonly old: string
  readonly new: string
  readonly history?: readonly string[]
  readonly compatible: boolean
}

const CASES = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as Case[]
/** Why a verdict of ours is another. */
const REASONS: ReadonlyMap<string, string> = new Map()

function isCompatible({ mode, old, new: text, history = [] }: Case): boolean {
  const now = modelOf(text)
  const before = [...(mode.endsWith('_TRANSITIVE') ? history : []), old].map((version) => modelOf(version))
  const backward = (version: ProtobufModel) => !breaks(compare(version, now))
  const forward = (version: ProtobufModel) => !breaks(compare(now, version))
  return before.every((version) => {
    if (mode.startsWith('BACKWARD')) return backward(version)
    return mode.startsWith('FORWARD') ? forward(version) : backward(version) && forward(version)
  })
}

describe('public cases of Protobuf compatibility', () => {
  for (const one of CASES) {
    it(one.id, () => {
      assert.equal(isCompatible(one) === one.compatible, !REASONS.has(one.id), REASONS.get(one.id) ?? 'another verdict')
    })
  }
})
