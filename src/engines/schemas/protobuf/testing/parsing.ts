import assert from 'node:assert/strict'
import { Effort } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { Dependency, Difference } from '../../format.ts'
import { protobuf } from '../index.ts'
import type { ProtobufModel } from '../model.ts'

const STEPS = 1_000_000
export const WHO = { writer: 'version 1', reader: 'version 2' }

export function parseText(text: string, dependencies: Readonly<Record<string, string>> = {}) {
  const list = Object.entries(dependencies).map(([name, content]): Dependency => ({ name, text: content }))
  return protobuf.parse({ text, dependencies: list }, new Effort(STEPS))
}

export function modelOf(text: string, dependencies: Readonly<Record<string, string>> = {}): ProtobufModel {
  return parseText(text, dependencies).model
}

export function compare(written: ProtobufModel, read: ProtobufModel): Difference[] {
  return protobuf.differences(written, read, new Effort(STEPS))
}

export function breaks(found: readonly Difference[]): boolean {
  return found.some(({ rule }) => rule.breaks)
}

/** `path code`, without what all codes begin with. */
export function brief(found: readonly Difference[]): string[] {
  return found.map(({ path, rule }) => `${path} ${rule.code.slice('protobuf.'.length)}`).sort()
}

/** What is wrong with a text, as `line:column message`. */
export function faultOf(text: string, dependencies: Readonly<Record<string, string>> = {}): SchemaFault {
  try {
    parseText(text, dependencies)
  } catch (error) {
    assert.ok(error instanceof SchemaFault, `not a fault of the schema: ${error}`)
    return error
  }
  return assert.fail(`no fault in: ${text.slice(0, 200)}`)
}
