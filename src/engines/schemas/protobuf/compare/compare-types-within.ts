import type { FieldModel, FileModel, MessageModel } from '../model.ts'
import { RULES } from '../rules.ts'
import { compareEnum } from './compare-enum.ts'
import { compareField } from './compare-field.ts'
import { compareMessage } from './compare-message.ts'
import { type Comparison, pathOf } from './comparison.ts'
import { describe } from './describe.ts'

type Holder = FileModel | MessageModel

/** The types that a file or a message holds, by their names. */
export function compareTypesWithin(comparison: Comparison, written: Holder, read: Holder): void {
  const isPackageSame = comparison.written.file.packageName === comparison.read.file.packageName
  const alone = (type: { readonly fullName: string; readonly localName: string }) =>
    `/${isPackageSame ? type.fullName : type.localName}`
  const messages = pair(written.messages, read.messages)
  for (const { before, after, beforeIndex, afterIndex } of messages) {
    if (before !== undefined && after !== undefined) {
      compareMessage(comparison, before, after)
      if (beforeIndex !== afterIndex)
        comparison.add(RULES.message_moved, pathOf(before, after), beforeIndex, afterIndex)
    } else if (before !== undefined) comparison.add(RULES.message_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.message_added, alone(after), undefined, after.localName)
  }
  for (const { before, after } of pair(written.enums, read.enums)) {
    if (before !== undefined && after !== undefined) compareEnum(comparison, before, after)
    else if (before !== undefined) comparison.add(RULES.enum_removed, alone(before), before.localName)
    else if (after !== undefined) comparison.add(RULES.enum_added, alone(after), undefined, after.localName)
  }
  compareExtensions(comparison, written.extensions, read.extensions)
}

interface Pair<T> {
  readonly before?: T
  readonly after?: T
  readonly beforeIndex?: number
  readonly afterIndex?: number
}

function pair<T extends { readonly name: string }>(written: readonly T[], read: readonly T[]): Pair<T>[] {
  if (written.length === 0 && read.length === 0) return []
  const pairs = new Map<string, Pair<T>>(written.map((before, beforeIndex) => [before.name, { before, beforeIndex }]))
  read.forEach((after, afterIndex) => void pairs.set(after.name, { ...pairs.get(after.name), after, afterIndex }))
  return [...pairs.values()]
}

function compareExtensions(comparison: Comparison, written: readonly FieldModel[], read: readonly FieldModel[]): void {
  if (written.length === 0 && read.length === 0) return
  const keyOf = ({ extendee, number }: FieldModel) => `/${extendee}/${number}`
  const after = new Map(read.map((field) => [keyOf(field), field]))
  for (const field of written) {
    const path = keyOf(field)
    const same = after.get(path)
    after.delete(path)
    if (same === undefined) comparison.add(RULES.field_removed, path, describe(field))
    else compareField(comparison, path, field, same)
  }
  for (const [path, field] of after) comparison.add(RULES.field_added, path, undefined, describe(field))
}
