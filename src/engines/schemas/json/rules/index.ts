import type { Rule } from '../../format.ts'
import { additionalItemsAllowed } from './additional-items-allowed.ts'
import { additionalItemsNarrowed } from './additional-items-narrowed.ts'
import { additionalItemsRefused } from './additional-items-refused.ts'
import { additionalItemsWidened } from './additional-items-widened.ts'
import { additionalPropertiesAllowed } from './additional-properties-allowed.ts'
import { additionalPropertiesNarrowed } from './additional-properties-narrowed.ts'
import { additionalPropertiesRefused } from './additional-properties-refused.ts'
import { additionalPropertiesWidened } from './additional-properties-widened.ts'
import { alternativeAdded } from './alternative-added.ts'
import { alternativeRemoved } from './alternative-removed.ts'
import { alternativesChanged } from './alternatives-changed.ts'
import { alternativesMayOverlap } from './alternatives-may-overlap.ts'
import { annotationChanged } from './annotation-changed.ts'
import { arrayLengthNarrowed } from './array-length-narrowed.ts'
import { arrayLengthWidened } from './array-length-widened.ts'
import { combinationChanged } from './combination-changed.ts'
import { combinationWidened } from './combination-widened.ts'
import { conditionChanged } from './condition-changed.ts'
import { constraintAdded } from './constraint-added.ts'
import { constraintRemoved } from './constraint-removed.ts'
import { containsAdded } from './contains-added.ts'
import { containsChanged } from './contains-changed.ts'
import { containsCountNarrowed } from './contains-count-narrowed.ts'
import { containsCountWidened } from './contains-count-widened.ts'
import { containsRemoved } from './contains-removed.ts'
import { contentAdded } from './content-added.ts'
import { contentChanged } from './content-changed.ts'
import { contentRemoved } from './content-removed.ts'
import { defaultChanged } from './default-changed.ts'
import { dependencyLoosened } from './dependency-loosened.ts'
import { dependencyTightened } from './dependency-tightened.ts'
import { dependentSchemaAdded } from './dependent-schema-added.ts'
import { dependentSchemaRemoved } from './dependent-schema-removed.ts'
import { descriptionChanged } from './description-changed.ts'
import { enumChanged } from './enum-changed.ts'
import { enumExtended } from './enum-extended.ts'
import { enumReduced } from './enum-reduced.ts'
import { formatAdded } from './format-added.ts'
import { formatChanged } from './format-changed.ts'
import { formatRemoved } from './format-removed.ts'
import { idChanged } from './id-changed.ts'
import { impossibleItemRemoved } from './impossible-item-removed.ts'
import { impossiblePropertyRemoved } from './impossible-property-removed.ts'
import { itemAddedCovered } from './item-added-covered.ts'
import { itemAddedToClosedArray } from './item-added-to-closed-array.ts'
import { itemAddedToOpenArray } from './item-added-to-open-array.ts'
import { itemAddedUncovered } from './item-added-uncovered.ts'
import { itemRemovedCovered } from './item-removed-covered.ts'
import { itemRemovedFromClosedArray } from './item-removed-from-closed-array.ts'
import { itemRemovedFromOpenArray } from './item-removed-from-open-array.ts'
import { itemRemovedUncovered } from './item-removed-uncovered.ts'
import { itemWithoutConstraintAdded } from './item-without-constraint-added.ts'
import { itemsFormChanged } from './items-form-changed.ts'
import { multipleOfNarrowed } from './multiple-of-narrowed.ts'
import { multipleOfWidened } from './multiple-of-widened.ts'
import { notExtended } from './not-extended.ts'
import { notNarrowed } from './not-narrowed.ts'
import { numberRangeNarrowed } from './number-range-narrowed.ts'
import { numberRangeWidened } from './number-range-widened.ts'
import { objectSizeNarrowed } from './object-size-narrowed.ts'
import { objectSizeWidened } from './object-size-widened.ts'
import { patternAdded } from './pattern-added.ts'
import { patternChanged } from './pattern-changed.ts'
import { patternPropertiesAdded } from './pattern-properties-added.ts'
import { patternPropertiesAddedCovered } from './pattern-properties-added-covered.ts'
import { patternPropertiesRemoved } from './pattern-properties-removed.ts'
import { patternPropertiesRemovedUncovered } from './pattern-properties-removed-uncovered.ts'
import { patternRemoved } from './pattern-removed.ts'
import { propertyAddedCovered } from './property-added-covered.ts'
import { propertyAddedToClosedObject } from './property-added-to-closed-object.ts'
import { propertyAddedToOpenObject } from './property-added-to-open-object.ts'
import { propertyAddedUncovered } from './property-added-uncovered.ts'
import { propertyNamesAdded } from './property-names-added.ts'
import { propertyNamesRemoved } from './property-names-removed.ts'
import { propertyRemovedCovered } from './property-removed-covered.ts'
import { propertyRemovedFromClosedObject } from './property-removed-from-closed-object.ts'
import { propertyRemovedFromOpenObject } from './property-removed-from-open-object.ts'
import { propertyRemovedUncovered } from './property-removed-uncovered.ts'
import { propertyWithoutConstraintAdded } from './property-without-constraint-added.ts'
import { requiredAdded } from './required-added.ts'
import { requiredRemoved } from './required-removed.ts'
import { requiredWithDefaultAdded } from './required-with-default-added.ts'
import { schemaWidened } from './schema-widened.ts'
import { stringLengthNarrowed } from './string-length-narrowed.ts'
import { stringLengthWidened } from './string-length-widened.ts'
import { titleChanged } from './title-changed.ts'
import { typeChanged } from './type-changed.ts'
import { typeLeftOpen } from './type-left-open.ts'
import { typeMadeExplicit } from './type-made-explicit.ts'
import { typeNarrowed } from './type-narrowed.ts'
import { typeWidened } from './type-widened.ts'
import { unevaluatedRemoved } from './unevaluated-removed.ts'
import { unevaluatedUnclear } from './unevaluated-unclear.ts'
import { uniqueItemsAdded } from './unique-items-added.ts'
import { uniqueItemsRemoved } from './unique-items-removed.ts'

export const RULES: readonly Rule[] = [
  additionalItemsAllowed,
  additionalItemsNarrowed,
  additionalItemsRefused,
  additionalItemsWidened,
  additionalPropertiesAllowed,
  additionalPropertiesNarrowed,
  additionalPropertiesRefused,
  additionalPropertiesWidened,
  alternativeAdded,
  alternativeRemoved,
  alternativesChanged,
  alternativesMayOverlap,
  annotationChanged,
  arrayLengthNarrowed,
  arrayLengthWidened,
  combinationChanged,
  combinationWidened,
  conditionChanged,
  constraintAdded,
  constraintRemoved,
  containsAdded,
  containsChanged,
  containsCountNarrowed,
  containsCountWidened,
  containsRemoved,
  contentAdded,
  contentChanged,
  contentRemoved,
  defaultChanged,
  dependencyLoosened,
  dependencyTightened,
  dependentSchemaAdded,
  dependentSchemaRemoved,
  descriptionChanged,
  enumChanged,
  enumExtended,
  enumReduced,
  formatAdded,
  formatChanged,
  formatRemoved,
  idChanged,
  impossibleItemRemoved,
  impossiblePropertyRemoved,
  itemAddedCovered,
  itemAddedToClosedArray,
  itemAddedToOpenArray,
  itemAddedUncovered,
  itemRemovedCovered,
  itemRemovedFromClosedArray,
  itemRemovedFromOpenArray,
  itemRemovedUncovered,
  itemWithoutConstraintAdded,
  itemsFormChanged,
  multipleOfNarrowed,
  multipleOfWidened,
  notExtended,
  notNarrowed,
  numberRangeNarrowed,
  numberRangeWidened,
  objectSizeNarrowed,
  objectSizeWidened,
  patternAdded,
  patternChanged,
  patternPropertiesAdded,
  patternPropertiesAddedCovered,
  patternPropertiesRemoved,
  patternPropertiesRemovedUncovered,
  patternRemoved,
  propertyAddedCovered,
  propertyAddedToClosedObject,
  propertyAddedToOpenObject,
  propertyAddedUncovered,
  propertyNamesAdded,
  propertyNamesRemoved,
  propertyRemovedCovered,
  propertyRemovedFromClosedObject,
  propertyRemovedFromOpenObject,
  propertyRemovedUncovered,
  propertyWithoutConstraintAdded,
  requiredAdded,
  requiredRemoved,
  requiredWithDefaultAdded,
  schemaWidened,
  stringLengthNarrowed,
  stringLengthWidened,
  titleChanged,
  typeChanged,
  typeLeftOpen,
  typeMadeExplicit,
  typeNarrowed,
  typeWidened,
  unevaluatedRemoved,
  unevaluatedUnclear,
  uniqueItemsAdded,
  uniqueItemsRemoved
]
