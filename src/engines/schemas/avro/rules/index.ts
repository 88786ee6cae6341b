import type { Rule } from '../../format.ts'
import { aliasesChanged } from './aliases-changed.ts'
import { bytesReadAsText } from './bytes-read-as-text.ts'
import { defaultAdded } from './default-added.ts'
import { defaultChanged } from './default-changed.ts'
import { defaultRemoved } from './default-removed.ts'
import { docChanged } from './doc-changed.ts'
import { enumDefaultChanged } from './enum-default-changed.ts'
import { enumSymbolAdded } from './enum-symbol-added.ts'
import { enumSymbolReadAsDefault } from './enum-symbol-read-as-default.ts'
import { enumSymbolRemoved } from './enum-symbol-removed.ts'
import { enumSymbolsReordered } from './enum-symbols-reordered.ts'
import { fieldAddedWithDefault } from './field-added-with-default.ts'
import { fieldAddedWithoutDefault } from './field-added-without-default.ts'
import { fieldAmbiguous } from './field-ambiguous.ts'
import { fieldRemoved } from './field-removed.ts'
import { fieldRenamedReadAsDefault } from './field-renamed-read-as-default.ts'
import { fieldRenamedWithAlias } from './field-renamed-with-alias.ts'
import { fieldRenamedWithoutAlias } from './field-renamed-without-alias.ts'
import { fieldsReordered } from './fields-reordered.ts'
import { fixedSizeChanged } from './fixed-size-changed.ts'
import { logicalTypeChanged } from './logical-type-changed.ts'
import { nameChanged } from './name-changed.ts'
import { nameChangedWithAlias } from './name-changed-with-alias.ts'
import { namespaceChanged } from './namespace-changed.ts'
import { propertyChanged } from './property-changed.ts'
import { recordKindChanged } from './record-kind-changed.ts'
import { sortOrderChanged } from './sort-order-changed.ts'
import { typeChanged } from './type-changed.ts'
import { typePromoted } from './type-promoted.ts'
import { typePromotedInexactly } from './type-promoted-inexactly.ts'
import { unionBranchAdded } from './union-branch-added.ts'
import { unionBranchRemoved } from './union-branch-removed.ts'
import { unionBranchesReordered } from './union-branches-reordered.ts'
import { unionMade } from './union-made.ts'
import { unionUnmade } from './union-unmade.ts'

export const rules: readonly Rule[] = [
  aliasesChanged,
  bytesReadAsText,
  defaultAdded,
  defaultChanged,
  defaultRemoved,
  docChanged,
  enumDefaultChanged,
  enumSymbolAdded,
  enumSymbolReadAsDefault,
  enumSymbolRemoved,
  enumSymbolsReordered,
  fieldAddedWithDefault,
  fieldAddedWithoutDefault,
  fieldAmbiguous,
  fieldRemoved,
  fieldRenamedReadAsDefault,
  fieldRenamedWithAlias,
  fieldRenamedWithoutAlias,
  fieldsReordered,
  fixedSizeChanged,
  logicalTypeChanged,
  nameChanged,
  nameChangedWithAlias,
  namespaceChanged,
  propertyChanged,
  recordKindChanged,
  sortOrderChanged,
  typeChanged,
  typePromoted,
  typePromotedInexactly,
  unionBranchAdded,
  unionBranchRemoved,
  unionBranchesReordered,
  unionMade,
  unionUnmade
]
