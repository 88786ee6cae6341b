import type { Rule } from '../../format.ts'
import { enumAdded } from './enum-added.ts'
import { enumClosed } from './enum-closed.ts'
import { enumOpened } from './enum-opened.ts'
import { enumRemoved } from './enum-removed.ts'
import { enumValueAdded } from './enum-value-added.ts'
import { enumValueRemoved } from './enum-value-removed.ts'
import { enumValueRenamed } from './enum-value-renamed.ts'
import { fieldAdded } from './field-added.ts'
import { fieldBecameList } from './field-became-list.ts'
import { fieldBecameRequired } from './field-became-required.ts'
import { fieldBecameSingle } from './field-became-single.ts'
import { fieldDefaultChanged } from './field-default-changed.ts'
import { fieldJsonNameChanged } from './field-json-name-changed.ts'
import { fieldKindChanged } from './field-kind-changed.ts'
import { fieldMovedToExistingOneof } from './field-moved-to-existing-oneof.ts'
import { fieldMovedToOneof } from './field-moved-to-oneof.ts'
import { fieldNameChanged } from './field-name-changed.ts'
import { fieldNamedTypeChanged } from './field-named-type-changed.ts'
import { fieldNamedTypeMoved } from './field-named-type-moved.ts'
import { fieldNoLongerRequired } from './field-no-longer-required.ts'
import { fieldNumericLabelChanged } from './field-numeric-label-changed.ts'
import { fieldPackingChanged } from './field-packing-changed.ts'
import { fieldPresenceChanged } from './field-presence-changed.ts'
import { fieldRemoved } from './field-removed.ts'
import { fieldScalarKindChanged } from './field-scalar-kind-changed.ts'
import { fieldScalarTypeChanged } from './field-scalar-type-changed.ts'
import { messageAdded } from './message-added.ts'
import { messageMoved } from './message-moved.ts'
import { messageRemoved } from './message-removed.ts'
import { multipleFieldsMovedToOneof } from './multiple-fields-moved-to-oneof.ts'
import { oneofAdded } from './oneof-added.ts'
import { oneofFieldAdded } from './oneof-field-added.ts'
import { oneofFieldMovedOut } from './oneof-field-moved-out.ts'
import { oneofFieldRemoved } from './oneof-field-removed.ts'
import { oneofRemoved } from './oneof-removed.ts'
import { oneofSplit } from './oneof-split.ts'
import { optionsChanged } from './options-changed.ts'
import { packageChanged } from './package-changed.ts'
import { requiredFieldAdded } from './required-field-added.ts'
import { requiredFieldRemoved } from './required-field-removed.ts'
import { reservedChanged } from './reserved-changed.ts'
import { serviceChanged } from './service-changed.ts'
import { syntaxChanged } from './syntax-changed.ts'

/** Every kind of change; which of them break is what users of Confluent's registry know. */
export const RULES: readonly Rule[] = [
  packageChanged,
  syntaxChanged,
  messageAdded,
  messageRemoved,
  messageMoved,
  enumAdded,
  enumRemoved,
  enumValueAdded,
  enumValueRemoved,
  enumValueRenamed,
  enumClosed,
  enumOpened,
  fieldAdded,
  fieldRemoved,
  fieldNameChanged,
  fieldJsonNameChanged,
  fieldKindChanged,
  fieldScalarKindChanged,
  fieldScalarTypeChanged,
  fieldNamedTypeChanged,
  fieldNamedTypeMoved,
  fieldNumericLabelChanged,
  fieldBecameList,
  fieldBecameSingle,
  fieldBecameRequired,
  fieldNoLongerRequired,
  fieldPresenceChanged,
  fieldPackingChanged,
  fieldDefaultChanged,
  requiredFieldAdded,
  requiredFieldRemoved,
  oneofAdded,
  oneofRemoved,
  oneofFieldAdded,
  oneofFieldRemoved,
  multipleFieldsMovedToOneof,
  fieldMovedToExistingOneof,
  oneofSplit,
  fieldMovedToOneof,
  oneofFieldMovedOut,
  reservedChanged,
  optionsChanged,
  serviceChanged
]
