import { compareAliases, compareDocs } from './compare-names.ts'
import { compareProperties } from './compare-properties.ts'
import { jsonText, shown } from './json-values.ts'
import { type AvroType, branchName, type Field, type RecordType } from './model.ts'
import { isReordered } from './order.ts'
import { fieldOnceCalled, fieldsRead } from './resolution.ts'
import { RULES } from './rules.ts'
import type { Walk } from './walk.ts'

export function compareRecords(walk: Walk, written: RecordType, read: RecordType, path: string, depth: number): void {
  const [before, after] = [written.isError ? 'error' : 'record', read.isError ? 'error' : 'record']
  if (before !== after) walk.add(RULES.record_kind_changed, `${path}/type`, before, after)
  const isMixed = isReordered(
    written.fields.map(({ name }) => name),
    read.fields.map(({ name }) => name)
  )
  if (isMixed) walk.add(RULES.fields_reordered, `${path}/fields`)
  const taken = new Set<Field>()
  // A type that several fields have is reported at the first of them, which must be the same one when the sides are swapped.
  const fields = isMixed ? [...read.fields].sort((a, b) => (a.name < b.name ? -1 : 1)) : read.fields
  for (const field of fields) compareToWritten(walk, written, field, `${path}/fields`, depth, taken)
  for (const field of written.fields) {
    if (!taken.has(field)) walk.add(RULES.field_removed, `${path}/fields/${field.name}`, kindName(field.type))
  }
}

function compareToWritten(
  walk: Walk,
  written: RecordType,
  field: Field,
  path: string,
  depth: number,
  taken: Set<Field>
): void {
  walk.effort.spend(1 + field.aliases.length)
  const place = `${path}/${field.name}`
  const candidates = fieldsRead(written, field)
  for (const candidate of candidates) taken.add(candidate)
  const [found, ...others] = candidates
  if (found === undefined) compareToNothing(walk, written, field, path, taken)
  else if (others.length > 0)
    walk.add(RULES.field_ambiguous, place, shown(candidates.map(({ name }) => name)), field.name)
  else {
    if (found.name !== field.name) walk.add(RULES.field_renamed_with_alias, `${place}/name`, found.name, field.name)
    compareFields(walk, found, field, place)
    walk.types(found.type, field.type, `${place}/type`, depth + 1)
  }
}

/** A field that is not in the data, or is there under a name that only the writer's aliases connect with it. */
function compareToNothing(walk: Walk, written: RecordType, field: Field, path: string, taken: Set<Field>): void {
  const renamed = fieldOnceCalled(written, field.name)
  if (renamed !== undefined && !taken.has(renamed)) {
    taken.add(renamed)
    const rule = field.default === undefined ? RULES.field_renamed_without_alias : RULES.field_renamed_read_as_default
    walk.add(rule, `${path}/${renamed.name}/name`, renamed.name, field.name)
  } else if (field.default === undefined) {
    walk.add(RULES.field_added_without_default, `${path}/${field.name}`, undefined, kindName(field.type))
  } else walk.add(RULES.field_added_with_default, `${path}/${field.name}`, undefined, shown(field.default))
}

function compareFields(walk: Walk, written: Field, read: Field, path: string): void {
  compareDocs(walk, written, read, path)
  compareAliases(walk, written, read, path)
  compareProperties(walk, written, read, path)
  if (written.order !== read.order) walk.add(RULES.sort_order_changed, `${path}/order`, written.order, read.order)
  compareDefaults(walk, written, read, `${path}/default`)
}

function compareDefaults(walk: Walk, { default: before }: Field, { default: after }: Field, path: string): void {
  if (before === undefined && after === undefined) return
  if (before === undefined) walk.add(RULES.default_added, path, undefined, shown(after))
  else if (after === undefined) walk.add(RULES.default_removed, path, shown(before))
  else if (jsonText(before) !== jsonText(after)) walk.add(RULES.default_changed, path, shown(before), shown(after))
}

function kindName(type: AvroType): unknown {
  return shown(type.kind === 'union' ? type.branches.map(branchName) : branchName(type))
}
