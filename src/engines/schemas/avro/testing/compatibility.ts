import { Effort } from '../../effort.ts'
import type { Difference, Parsed } from '../../format.ts'
import { avro } from '../index.ts'
import type { AvroType } from '../model.ts'

export const STEPS = 1_000_000

export function parsed(schema: unknown): Parsed<AvroType> {
  return avro.parse({ text: JSON.stringify(schema), dependencies: [] }, new Effort(STEPS))
}

export function modelOf(schema: unknown): AvroType {
  return parsed(schema).model
}

export function changes(written: unknown, read: unknown): Difference[] {
  return avro.differences(modelOf(written), modelOf(read), new Effort(STEPS))
}

/** Such as `/fields/a avro.field_removed`, for short expectations. */
export function changesInShort(written: unknown, read: unknown): string[] {
  return changes(written, read).map(({ path, rule }) => `${path} ${rule.code.slice('avro.'.length)}`)
}

function isReadable(written: unknown, read: unknown): boolean {
  return changes(written, read).every(({ rule }) => !rule.breaks)
}

export function isCompatible(old: string, next: string, mode: string): boolean {
  const isBackward = !mode.startsWith('FORWARD')
  const isForward = !mode.startsWith('BACKWARD')
  const [before, after] = [JSON.parse(old), JSON.parse(next)]
  return (!isBackward || isReadable(before, after)) && (!isForward || isReadable(after, before))
}
