import { isPackable } from '../link/field-type.ts'
import type { FieldModel } from '../model.ts'
import { RULES } from '../rules.ts'
import { compareTypes } from './compare-type.ts'
import type { Comparison } from './comparison.ts'
import { labelAndType } from './describe.ts'

/** A field that both have, by its number. */
export function compareField(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  if (written.name !== read.name) comparison.add(RULES.field_name_changed, path, written.name, read.name)
  else if (written.jsonName !== read.jsonName) {
    comparison.add(RULES.field_json_name_changed, path, written.jsonName, read.jsonName)
  }
  if (compareTypes(comparison, path, written.type, read.type)) {
    if (written.isDelimited !== read.isDelimited) {
      const [before, after] = [written, read].map((field) =>
        field.isDelimited ? 'a group' : 'a message with its length'
      )
      comparison.add(RULES.field_kind_changed, path, before, after)
    } else compareLabels(comparison, path, written, read)
  }
  if (written.defaultValue !== read.defaultValue) {
    comparison.add(RULES.field_default_changed, path, written.defaultValue, read.defaultValue)
  }
  comparison.compareOptions(path, written.options, read.options)
}

function compareLabels(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  const [before, after] = [labelAndType(written), labelAndType(read)]
  const [wasList, isList] = [written.label === 'repeated', read.label === 'repeated']
  const [wasRequired, isRequired] = [written.label === 'required', read.label === 'required']
  const isNumber = isPackable(written.type)
  const areLabelsOther = written.label !== undefined && read.label !== undefined && written.label !== read.label
  // Lists of numbers may be packed; one number is then not found in them, whatever label the reader has.
  if (isNumber && (areLabelsOther || (wasList && !isList))) {
    comparison.add(RULES.field_numeric_label_changed, path, before, after)
  } else if (isRequired && !wasRequired) comparison.add(RULES.field_became_required, path, before, after)
  else if (isList && !wasList) comparison.add(RULES.field_became_list, path, before, after)
  else if (wasList && !isList) comparison.add(RULES.field_became_single, path, before, after)
  else if (wasRequired && !isRequired) comparison.add(RULES.field_no_longer_required, path, before, after)
  else if (written.hasPresence !== read.hasPresence && written.oneof === read.oneof) {
    comparison.add(RULES.field_presence_changed, path, written.hasPresence, read.hasPresence)
  } else if (written.isPacked !== read.isPacked) {
    comparison.add(RULES.field_packing_changed, path, written.isPacked, read.isPacked)
  }
}
