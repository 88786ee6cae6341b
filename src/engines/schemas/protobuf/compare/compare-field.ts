import { isPackable } from '../link/field-type.ts'
import type { FieldModel } from '../model.ts'
import { fieldBecameList } from '../rules/field-became-list.ts'
import { fieldBecameRequired } from '../rules/field-became-required.ts'
import { fieldBecameSingle } from '../rules/field-became-single.ts'
import { fieldDefaultChanged } from '../rules/field-default-changed.ts'
import { fieldJsonNameChanged } from '../rules/field-json-name-changed.ts'
import { fieldKindChanged } from '../rules/field-kind-changed.ts'
import { fieldNameChanged } from '../rules/field-name-changed.ts'
import { fieldNoLongerRequired } from '../rules/field-no-longer-required.ts'
import { fieldNumericLabelChanged } from '../rules/field-numeric-label-changed.ts'
import { fieldPackingChanged } from '../rules/field-packing-changed.ts'
import { fieldPresenceChanged } from '../rules/field-presence-changed.ts'
import { compareTypes } from './compare-type.ts'
import type { Comparison } from './comparison.ts'
import { labelAndType } from './describe.ts'

/** A field that both have, by its number. */
export function compareField(comparison: Comparison, path: string, written: FieldModel, read: FieldModel): void {
  if (written.name !== read.name) comparison.add(fieldNameChanged, path, written.name, read.name)
  else if (written.jsonName !== read.jsonName) {
    comparison.add(fieldJsonNameChanged, path, written.jsonName, read.jsonName)
  }
  if (compareTypes(comparison, path, written.type, read.type)) {
    if (written.isDelimited !== read.isDelimited) {
      const [before, after] = [written, read].map((field) =>
        field.isDelimited ? 'a group' : 'a message with its length'
      )
      comparison.add(fieldKindChanged, path, before, after)
    } else compareLabels(comparison, path, written, read)
  }
  if (written.defaultValue !== read.defaultValue) {
    comparison.add(fieldDefaultChanged, path, written.defaultValue, read.defaultValue)
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
    comparison.add(fieldNumericLabelChanged, path, before, after)
  } else if (isRequired && !wasRequired) comparison.add(fieldBecameRequired, path, before, after)
  else if (isList && !wasList) comparison.add(fieldBecameList, path, before, after)
  else if (wasList && !isList) comparison.add(fieldBecameSingle, path, before, after)
  else if (wasRequired && !isRequired) comparison.add(fieldNoLongerRequired, path, before, after)
  else if (written.hasPresence !== read.hasPresence && written.oneof === read.oneof) {
    comparison.add(fieldPresenceChanged, path, written.hasPresence, read.hasPresence)
  } else if (written.isPacked !== read.isPacked) {
    comparison.add(fieldPackingChanged, path, written.isPacked, read.isPacked)
  }
}
