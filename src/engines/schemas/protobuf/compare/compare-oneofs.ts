import type { FieldModel, MessageModel, OneofModel } from '../model.ts'
import { RULES } from '../rules.ts'
import type { Comparison } from './comparison.ts'

export function compareOneofs(comparison: Comparison, path: string, written: MessageModel, read: MessageModel): void {
  const before = new Map(written.oneofs.map((oneof) => [oneof.name, oneof]))
  const after = new Map(read.oneofs.map((oneof) => [oneof.name, oneof]))
  for (const { name, numbers, options } of written.oneofs) {
    const same = after.get(name)
    if (same === undefined) comparison.add(RULES.oneof_removed, `${path}/${name}`, namesOf(written, numbers))
    else comparison.compareOptions(`${path}/${name}`, options, same.options)
  }
  for (const oneof of read.oneofs) {
    const at = `${path}/${oneof.name}`
    if (!before.has(oneof.name)) comparison.add(RULES.oneof_added, at, undefined, namesOf(read, oneof.numbers))
    const { alone, choices, numbers } = originsOf(oneof, written)
    if (alone + choices.length < 2) continue
    const rule = alone > 1 ? RULES.multiple_fields_moved_to_oneof : RULES.field_moved_to_existing_oneof
    comparison.add(rule, at, choices, namesOf(read, numbers))
  }
  for (const oneof of written.oneofs) {
    const { alone, choices, numbers } = originsOf(oneof, read)
    if (alone + choices.length > 1)
      comparison.add(RULES.oneof_split, `${path}/${oneof.name}`, namesOf(written, numbers), choices)
  }
}

/**
 * Fields of one choice exclude each other for readers. That is news, and costs data, where they come from more than one
 * place: a field that stood alone is a place of its own, fields of one choice are one. New fields come from nowhere.
 */
function originsOf({ numbers }: OneofModel, { fields }: MessageModel) {
  const known = numbers.flatMap((number) => fields.get(number) ?? [])
  return {
    alone: known.filter(({ oneof }) => oneof === undefined).length,
    choices: [...new Set(known.flatMap(({ oneof }) => oneof ?? []))],
    numbers: known.map(({ number }) => number)
  }
}

function namesOf({ fields }: MessageModel, numbers: readonly number[]): string[] {
  return numbers.map((number) => (fields.get(number) as FieldModel).name)
}
