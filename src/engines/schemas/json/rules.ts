import type { Difference } from '../format.ts'
import { breaks, keeps, keepsIf, tableOf, type Words } from '../rules.ts'

const MAX_CHARS = 80

/** What the words in sentences of rules stand for. */
const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  at: ({ path }) => (path === '' ? 'at the top of the schema' : `at ${path}`),
  name: ({ path }) => nameIn(path),
  'value before': ({ before }) => show(before),
  'value after': ({ after }) => show(after),
  'range before': ({ path, before }) => range(path, before),
  'range after': ({ path, after }) => range(path, after),
  'below or above': ({ path }) => (path.endsWith('minimum') ? 'below' : 'above'),
  'multiples before': ({ before }) => (before === undefined ? '' : `, which asks for multiples of ${before}`),
  'multiples after': ({ after }) => (after === undefined ? 'no multiples' : `multiples of ${after}`),
  'limit of items': ({ path, after }) => limit(path.endsWith('minItems'), plural(after, 'items')),
  'limit of properties': ({ path, after }) => limit(path.endsWith('minProperties'), plural(after, 'properties')),
  'limit of contained': ({ path, after }) => limit(path.endsWith('minContains'), show(after)),
  'limit of characters': ({ path, after }) =>
    `${path.endsWith('minLength') ? 'shorter' : 'longer'} than ${plural(after, 'characters')}`,
  'form before': ({ before }) => formOfItems(before === 'tuple'),
  'form after': ({ before }) => formOfItems(before !== 'tuple')
} satisfies Words

/** Every kind of change; which of them break is what users of Confluent's registry know, but for `docs/json-schema-deviations.md`. */
export const RULES = tableOf('json', words, {
  // Types and whole schemas
  type_changed: breaks(
    'Values of {before}, which {writer} allows {at}, are refused by readers of {reader}, which takes {after}.'
  ),
  type_narrowed: breaks(
    'Numbers that are no integers, which {writer} allows {at}, are refused by readers of {reader}.'
  ),
  type_widened: keeps('Readers of {reader} take any number {at}, and so every integer that {writer} allows.'),
  type_left_open: keeps('{reader} takes values of other types than {before} as well {at}.'),
  type_made_explicit: keepsIf(
    'Values here are of the type that the keywords of the schema are about.',
    'Values have to be of type {after} for readers of {reader} {at}, where {writer} only has keywords for that type.'
  ),
  schema_widened: keeps('Readers of {reader} take {after} {at}, and so all that {writer} allows.'),
  constraint_added: breaks(
    'Readers of {reader} also ask for {value after} {at}, which values of {writer} need not fulfil.'
  ),
  constraint_removed: keeps('Readers of {reader} no longer ask for {value before} {at}.'),

  // Listed values
  enum_changed: breaks(
    'Values that {writer} allows ({value before}) are refused by readers of {reader}, who know others instead ({value after}).'
  ),
  enum_extended: keeps('Readers of {reader} know more values than {writer} has: {value after}.'),
  enum_reduced: breaks('Values that {writer} allows are refused by readers of {reader}: {value before}.'),

  // Numbers
  number_range_narrowed: breaks(
    'Numbers {below or above} what readers of {reader} take ({range after}) are allowed by {writer} ({range before}).'
  ),
  number_range_widened: keeps(
    'Readers of {reader} take more numbers ({range after}) than {writer} allows ({range before}).'
  ),
  multiple_of_narrowed: breaks(
    'Numbers that are no multiples of {after} are allowed by {writer}{multiples before}, and refused by readers of {reader}.'
  ),
  multiple_of_widened: keeps('Readers of {reader} ask for {multiples after}, and every multiple of {before} fits.'),

  // Strings
  string_length_narrowed: breaks(
    'Strings {limit of characters}, which {writer} allows, are refused by readers of {reader}.'
  ),
  string_length_widened: keeps(
    'Readers of {reader} take strings of more lengths than {writer} allows: the limit {at} was {value before} and is {value after}.'
  ),
  pattern_added: breaks(
    'Strings that do not match {value after}, which {writer} allows, are refused by readers of {reader}.'
  ),
  pattern_changed: breaks(
    'Strings that match {value before}, as {writer} asks, need not match {value after}, as readers of {reader} ask.'
  ),
  pattern_removed: keeps('Readers of {reader} no longer ask that strings match {value before}.'),
  format_added: breaks('Strings that are no {after}, which {writer} allows, are refused by readers of {reader}.'),
  format_changed: breaks(
    'Strings in the format {before}, as {writer} asks, need not be in the format {after}, as readers of {reader} ask.'
  ),
  format_removed: keeps('Readers of {reader} no longer ask for the format {before}.'),
  content_added: breaks(
    'Readers of {reader} expect content of a certain kind in strings ({name}: {value after}), of which {writer} says nothing.'
  ),
  content_changed: breaks(
    'Strings hold {value before} by {writer} ({name}), but readers of {reader} take it for {value after}.'
  ),
  content_removed: keeps(
    'Readers of {reader} no longer expect content of a certain kind in strings ({name}: {value before}).'
  ),

  // Alternatives and conditions
  alternative_added: keeps('Readers of {reader} know another alternative {at}: {value after}.'),
  alternative_removed: breaks(
    'Values of the alternative {value before}, which {writer} allows {at}, are refused by readers of {reader}.'
  ),
  alternatives_changed: breaks(
    'Not every alternative that {writer} allows {at} is covered by one of {reader}, so that its readers refuse some values.'
  ),
  alternatives_may_overlap: keepsIf(
    'No value fits more than one of the alternatives.',
    'Values that fit one alternative of {writer} may fit two of {reader} {at}, whose readers then refuse them.'
  ),
  combination_changed: breaks(
    '{before} in {writer} became {after} in {reader}, which refuses values {at} that were allowed.'
  ),
  combination_widened: keeps('{before} in {writer} became {after} in {reader}, which asks less {at}.'),
  condition_changed: breaks(
    'The condition {at} is another one in {reader}, so that its readers may refuse values that {writer} allows.'
  ),
  not_extended: breaks('Values that {writer} allows are excluded by readers of {reader} {at}.'),
  not_narrowed: keeps('Readers of {reader} exclude no more values {at} than {writer} does.'),

  // Properties that a schema names
  property_added_to_closed_object: keeps('Readers of {reader} know {name}, which no object of {writer} has.'),
  property_added_to_open_object: breaks(
    'Objects of {writer} may have {name} with any value, since it takes other properties; readers of {reader} take {after} only.'
  ),
  property_added_covered: keeps(
    'Readers of {reader} know {name} and take all that {writer} allows of properties it does not name.'
  ),
  property_added_uncovered: breaks(
    'Objects of {writer} may have {name} among the properties it does not name, with values ({before}) that readers of {reader} refuse ({after}).'
  ),
  property_without_constraint_added: keeps('Readers of {reader} know {name} and take any value of it.'),
  property_removed_from_closed_object: breaks(
    'Property {name}, which {writer} allows, is refused by readers of {reader}, whose object takes no other properties.'
  ),
  property_removed_from_open_object: keeps(
    'Readers of {reader} have no schema for {name} any more and take all that {writer} allows of it.'
  ),
  property_removed_covered: keeps(
    'Readers of {reader} take {name} as a property without a schema of its own, with all values that {writer} allows.'
  ),
  property_removed_uncovered: breaks(
    'Readers of {reader} take {name} as a property without a schema of its own, but not with all values that {writer} allows ({before}, not {after}).'
  ),
  impossible_property_removed: keeps(
    'Readers of {reader} refuse {name} with all properties they do not know; {writer} refuses it, too.'
  ),

  // Properties that have to be there
  required_added: breaks('Objects without {name}, which {writer} allows, are refused by readers of {reader}.'),
  required_with_default_added: keepsIf(
    'Readers put the default where the property is missing, before they check the value.',
    'Objects may lack {name} by {writer}; readers of {reader} need it and have the default {value after} for it.'
  ),
  required_removed: keeps('Readers of {reader} take objects without {name}, which {writer} always has.'),
  dependency_tightened: breaks(
    'Objects of {writer} with {name} may lack {value after}, which readers of {reader} need with it.'
  ),
  dependency_loosened: keeps('Readers of {reader} no longer need {value before} where there is {name}.'),
  dependent_schema_added: breaks('Readers of {reader} ask more of objects with {name} than {writer} does.'),
  dependent_schema_removed: keeps('Readers of {reader} no longer ask more of objects with {name}.'),

  // Other properties
  additional_properties_allowed: keeps(
    'Readers of {reader} take properties that they do not know, which no object of {writer} has.'
  ),
  additional_properties_refused: breaks(
    'Properties that the schema does not name, which {writer} allows, are refused by readers of {reader}.'
  ),
  additional_properties_narrowed: breaks(
    'Properties that the schema does not name may have any value by {writer}, but only {after} for readers of {reader}.'
  ),
  additional_properties_widened: keeps(
    'Readers of {reader} take any value of properties that the schema does not name; {writer} allows only {before}.'
  ),
  pattern_properties_added: breaks(
    'Readers of {reader} ask something of properties that match {name} ({after}), which those of {writer} need not fulfil.'
  ),
  pattern_properties_added_covered: keeps(
    'Readers of {reader} take all that {writer} allows of properties that match {name}.'
  ),
  pattern_properties_removed: keeps(
    'Readers of {reader} take properties that match {name} with all values that {writer} allows.'
  ),
  pattern_properties_removed_uncovered: breaks(
    'Properties that match {name}, which {writer} allows ({before}), are refused by readers of {reader} or have to be {after}.'
  ),
  property_names_added: breaks(
    'Readers of {reader} refuse names of properties that are not {after}, which {writer} allows.'
  ),
  property_names_removed: keeps('Readers of {reader} take any name of a property.'),
  object_size_narrowed: breaks(
    'Objects with {limit of properties}, which {writer} allows, are refused by readers of {reader}.'
  ),
  object_size_widened: keeps(
    'Readers of {reader} take objects of more sizes than {writer} allows: the limit {at} was {value before} and is {value after}.'
  ),

  // Items by position
  item_added_to_closed_array: keeps(
    'Readers of {reader} know an item at position {name}, where no array of {writer} has one.'
  ),
  item_added_to_open_array: breaks(
    'Arrays of {writer} may have anything at position {name}; readers of {reader} take {after} only.'
  ),
  item_added_covered: keeps('Readers of {reader} take at position {name} all that {writer} allows of further items.'),
  item_added_uncovered: breaks(
    'Arrays of {writer} may have {before} at position {name}, which readers of {reader}, who take {after} there, may refuse.'
  ),
  item_without_constraint_added: keeps('Readers of {reader} know an item at position {name} and take any value of it.'),
  item_removed_from_closed_array: breaks(
    'The item at position {name}, which {writer} allows, is refused by readers of {reader}, whose arrays end before it.'
  ),
  item_removed_from_open_array: keeps('Readers of {reader} take anything at position {name}.'),
  item_removed_covered: keeps(
    'Readers of {reader} take at position {name}, as of all further items, what {writer} allows.'
  ),
  item_removed_uncovered: breaks(
    'At position {name} readers of {reader} take {after}, as of all further items, but not all that {writer} allows ({before}).'
  ),
  impossible_item_removed: keeps('Readers of {reader} take no item at position {name}, and {writer} allows none.'),

  // Other items
  additional_items_allowed: keeps('Readers of {reader} take further items, which no array of {writer} has.'),
  additional_items_refused: breaks(
    'Arrays with further items, which {writer} allows, are refused by readers of {reader}.'
  ),
  additional_items_narrowed: breaks(
    'Items may be anything by {writer} {at}, but only {after} for readers of {reader}.'
  ),
  additional_items_widened: keeps('Readers of {reader} take any items {at}; {writer} allows only {before}.'),
  items_form_changed: breaks(
    'Items are described {form before} in {writer} and {form after} in {reader}, so that readers may refuse some.'
  ),
  array_length_narrowed: breaks(
    'Arrays with {limit of items}, which {writer} allows, are refused by readers of {reader}.'
  ),
  array_length_widened: keeps(
    'Readers of {reader} take arrays of more lengths than {writer} allows: the limit {at} was {value before} and is {value after}.'
  ),
  unique_items_added: breaks(
    'Arrays with the same item twice, which {writer} allows, are refused by readers of {reader}.'
  ),
  unique_items_removed: keeps('Readers of {reader} take arrays with the same item twice.'),

  // Items that are counted
  contains_added: breaks(
    'Arrays without an item that {reader} asks for ({after}), which {writer} allows, are refused by its readers.'
  ),
  contains_changed: breaks(
    'Arrays have the items that {writer} asks for, which need not be those that readers of {reader} ask for.'
  ),
  contains_removed: keeps('Readers of {reader} no longer ask for items of a certain kind ({before}).'),
  contains_count_narrowed: breaks(
    'Arrays with {limit of contained} of the items that are counted, which {writer} allows, are refused by readers of {reader}.'
  ),
  contains_count_widened: keeps(
    'Readers of {reader} take other numbers of the items that are counted: the limit {at} was {value before} and is {value after}.'
  ),

  // What no other schema has looked at
  unevaluated_removed: keeps(
    'Readers of {reader} take what no other schema has looked at {at}, which {writer} restricts.'
  ),
  unevaluated_unclear: breaks(
    'Readers of {reader} refuse what their other schemas {at} have not looked at, and that is not sure to be what {writer} refuses.'
  ),

  // What says nothing of values
  annotation_changed: keeps(
    '{name} was {value before} in {writer} and is {value after} in {reader}; it says nothing of what values are allowed.'
  ),
  default_changed: keeps('The default {at} was {value before} in {writer} and is {value after} in {reader}.'),
  description_changed: keeps('The description {at} was {value before} in {writer} and is {value after} in {reader}.'),
  id_changed: keeps('The address {at} was {value before} in {writer} and is {value after} in {reader}.'),
  title_changed: keeps('The title {at} was {value before} in {writer} and is {value after} in {reader}.')
})

/** A value in a sentence, cut where it is long. */
function show(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((each) => JSON.stringify(each)).join(', ')
    : (JSON.stringify(value) ?? 'none')
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text
}

/** The name at the end of a path. */
function nameIn(path: Difference['path']): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return show(name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function plural(count: unknown, word: string): string {
  return `${count} ${count === 1 ? word.replace(/ies$/, 'y').replace(/s$/, '') : word}`
}

/** The bound at the end of a path; bounds that exclude themselves are texts such as `> 5`. */
function range(path: Difference['path'], bound: unknown): string {
  if (bound === undefined) return 'without a limit'
  if (typeof bound === 'string') return bound
  return `${path.endsWith('minimum') ? 'from' : 'up to'} ${bound}`
}

function limit(isLower: boolean, count: string): string {
  return `${isLower ? 'fewer' : 'more'} than ${count}`
}

function formOfItems(isByPosition: boolean): string {
  return isByPosition ? 'by position' : 'all alike'
}
