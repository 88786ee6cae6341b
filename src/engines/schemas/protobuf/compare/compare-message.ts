import type { FieldModel, MessageModel } from '../model.ts'
import { RULES } from '../rules.ts'
import { compareField } from './compare-field.ts'
import { compareOneofs } from './compare-oneofs.ts'
import { compareReserved } from './compare-reserved.ts'
import { compareTypesWithin } from './compare-types-within.ts'
import { type Comparison, pathOf } from './comparison.ts'
import { describe } from './describe.ts'

export function compareMessage(comparison: Comparison, written: MessageModel, read: MessageModel): void {
  if (!comparison.enter(written, read)) return
  const path = pathOf(written, read)
  compareOneofs(comparison, path, written, read)
  const deletedOneofs = wholeOneofsDeleted(written, read)
  for (const [number, field] of written.fields) {
    comparison.effort.spend()
    const at = `${path}/${number}`
    const same = read.fields.get(number)
    if (same !== undefined) compareBoth(comparison, at, field, same)
    else comparison.add(removalOf(field, deletedOneofs), at, describe(field))
  }
  for (const [number, field] of read.fields) {
    if (written.fields.has(number)) continue
    const isRequired = field.label === 'required'
    const rule =
      field.oneof !== undefined ? RULES.oneof_field_added : isRequired ? RULES.required_field_added : RULES.field_added
    comparison.add(rule, `${path}/${number}`, undefined, describe(field))
  }
  compareReserved(comparison, path, written, read)
  comparison.compareOptions(path, written.options, read.options)
  compareTypesWithin(comparison, written, read)
}

function compareBoth(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  if (written.oneof !== undefined && read.oneof === undefined)
    comparison.add(RULES.oneof_field_moved_out, path, written.oneof)
  if (written.oneof === undefined && read.oneof !== undefined) {
    comparison.add(RULES.field_moved_to_oneof, path, undefined, read.oneof)
  }
  compareField(comparison, path, written, read)
}

/** To lose one choice of several is to see none where one was made; to lose a whole choice is like losing a field. */
function removalOf(field: FieldModel, deletedOneofs: ReadonlySet<string>) {
  if (field.label === 'required') return RULES.required_field_removed
  return field.oneof === undefined || deletedOneofs.has(field.oneof) ? RULES.field_removed : RULES.oneof_field_removed
}

function wholeOneofsDeleted(written: MessageModel, read: MessageModel): ReadonlySet<string> {
  const kept = new Set(read.oneofs.map(({ name }) => name))
  const deleted = written.oneofs.filter(
    ({ name, numbers }) => !kept.has(name) && !numbers.some((number) => read.fields.has(number))
  )
  return new Set(deleted.map(({ name }) => name))
}
