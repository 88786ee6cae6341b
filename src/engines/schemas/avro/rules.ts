import { breaks, keeps, keepsIf, tableOf, type Words } from '../rules.ts'

const MAX_LIST = 10

/** What the words in sentences of rules stand for. */
const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  where: ({ path }) => where(path),
  Where: ({ path }) => capital(where(path)),
  at: ({ path }) => at(path),
  property: ({ path }) => lastToken(path),
  'value before': ({ before }) => said(before),
  'value after': ({ after }) => said(after),
  'fields before': ({ before }) => listed(before),
  'logical before': ({ before }) => logical(before),
  'logical after': ({ after }) => logical(after),
  'fallback before': ({ before }) => fallback(before),
  'fallback after': ({ after }) => fallback(after)
} satisfies Words

/** Every kind of change; which of them break is what the specification says of resolution, as the Java library reads it. */
export const RULES = tableOf('avro', words, {
  // Types
  type_changed: breaks(
    "Data of type {before} {at}, which {writer} writes, can't be read as {after} by readers of {reader}."
  ),
  type_promoted: keeps(
    'Data of type {before} {at}, which {writer} writes, are read as {after} by readers of {reader}.'
  ),
  type_promoted_inexactly: keepsIf(
    'Readers may round numbers that have more digits than the new type holds.',
    'Numbers of type {before} {at}, which {writer} writes, are read as the nearest {after} by readers of {reader}.'
  ),
  bytes_read_as_text: keepsIf(
    'The bytes that were written are UTF-8.',
    'Bytes {at}, which {writer} writes, are read as text by readers of {reader}.'
  ),
  logical_type_changed: keepsIf(
    'Readers look at the stored value, and not at the logical type alone.',
    'Values {at} that {writer} writes as {logical before} are taken for {logical after}, without being converted, by readers of {reader}.'
  ),
  fixed_size_changed: breaks(
    'Values of {before} bytes {at}, which {writer} writes, are refused by readers of {reader}, who expect {after} bytes.'
  ),

  // Names of types
  name_changed: breaks(
    'The type {before} {at}, which {writer} writes, is not recognised by readers of {reader}, who expect {after} and have no alias for it.'
  ),
  name_changed_with_alias: keeps(
    'The type {before} {at}, which {writer} writes, is recognised as {after} by readers of {reader}, who have an alias for it.'
  ),
  namespace_changed: keepsIf(
    'Readers compare names of types without namespaces, as the Java library does.',
    'The type {before} {at}, which {writer} writes, is recognised as {after} by readers of {reader}.'
  ),

  // Fields of records
  field_added_with_default: keeps(
    'Data of {writer} lack {where}, for which readers of {reader} take its default {value after}.'
  ),
  field_added_without_default: breaks(
    "Data of {writer} lack {where}, for which readers of {reader} have no default, so they can't be read."
  ),
  field_removed: keeps('Readers of {reader} skip {where}, which {writer} writes.'),
  field_renamed_with_alias: keeps(
    'What {writer} writes as {before} is read as {where} by readers of {reader}, who have an alias for it.'
  ),
  field_renamed_without_alias: breaks(
    "What readers of {reader} look for as {after} is called {where} in data of {writer}; they have no alias and no default for it, so they can't read them."
  ),
  field_renamed_read_as_default: keeps(
    'What readers of {reader} look for as {after} is called {where} in data of {writer}; they have no alias for it and take their default.'
  ),
  field_ambiguous: breaks(
    'Readers of {reader} find several fields in data of {writer} that {where} could be by its name and aliases, and refuse to choose: {fields before}.'
  ),
  fields_reordered: keeps(
    'The fields of {where} are in another order in {reader} than in {writer}, which only matters to sorting.'
  ),

  // Defaults of fields
  default_added: keeps(
    "Data that lack {where}, which those of {writer} don't, are read with {value after} by readers of {reader}."
  ),
  default_changed: keeps(
    "Data that lack {where}, which those of {writer} don't, are read with {value after} rather than {value before} by readers of {reader}."
  ),
  default_removed: keeps(
    "Data that lack {where}, which those of {writer} don't, are refused by readers of {reader}, who have no default for it."
  ),

  // Enums
  enum_symbol_added: keeps('The symbol {after} {at} is new in {reader} and never comes from writers of {writer}.'),
  enum_symbol_removed: breaks(
    'The symbol {before} {at}, which {writer} allows, is refused by readers of {reader}, which has no default symbol.'
  ),
  enum_symbol_read_as_default: keeps(
    'The symbol {before} {at}, which {writer} allows, is read as the default {after} by readers of {reader}.'
  ),
  enum_symbols_reordered: keeps(
    'The symbols {at} are in another order in {reader} than in {writer}, which only matters to sorting.'
  ),
  enum_default_changed: keeps(
    "Symbols that readers of {reader} don't know {at} are {fallback after} rather than {fallback before}."
  ),

  // Unions
  union_branch_added: keeps(
    'Data of type {after} are allowed {at} by {reader} and never come from writers of {writer}.'
  ),
  union_branch_removed: breaks(
    'Data of type {before} {at}, which {writer} allows, are refused by readers of {reader}.'
  ),
  union_branches_reordered: keeps(
    'The types that {where} can have are in another order in {reader} than in {writer}; readers find them by name.'
  ),
  union_made: keeps('{Where} is always of type {before} in {writer} and a union in {reader}.'),
  union_unmade: keeps('{Where} is a union in {writer} and always of type {after} in {reader}.'),

  // What has no meaning to data
  aliases_changed: keeps('The aliases of {where} are {value before} in {writer} and {value after} in {reader}.'),
  doc_changed: keeps('The documentation of {where} is another one in {reader} than in {writer}.'),
  property_changed: keeps(
    'The property {property} {at} is {value before} in {writer} and {value after} in {reader}, which has no meaning to Avro.'
  ),
  record_kind_changed: keeps(
    '{Where} is of kind {before} in {writer} and {after} in {reader}, whose data are the same.'
  ),
  sort_order_changed: keeps('Records are sorted by {where} in order {before} in {writer} and {after} in {reader}.')
})

/** The place a path is about, for sentences: `field customer.tags[]`, or `the top level`. */
function where(path: string): string {
  const tokens = path.split('/').slice(1)
  let place = ''
  let isType = true
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1]
    if (token === 'fields' && isType) {
      if (next === undefined) break
      place += place === '' ? next : `.${next}`
      at++
      isType = false
    } else if (!isType && token === 'type') isType = true
    else if (!isType) break
    else if (token === 'items') place += '[]'
    else if (token === 'values') place += '{}'
  }
  if (place === '') return 'the top level'
  return /^[[{]/.test(place) ? `the top level ${place}` : `field ${place}`
}

/** The place within a sentence: `in field customer.age`. */
function at(path: string): string {
  const place = where(path)
  return place.startsWith('field ') ? `in ${place}` : `at ${place}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function lastToken(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** A value within a sentence. */
function said(value: unknown): string {
  return value === undefined ? 'not there' : JSON.stringify(value)
}

function listed(values: unknown): string {
  const list = Array.isArray(values) ? values.map(String) : [String(values)]
  return list.length > MAX_LIST
    ? `${list.slice(0, MAX_LIST).join(', ')} and ${list.length - MAX_LIST} more`
    : list.join(', ')
}

function logical(type: unknown): string {
  return String(type ?? 'values without a logical type')
}

/** The sentence about what readers make of a symbol they don't know. */
function fallback(symbol: unknown): string {
  return symbol === undefined ? 'refused' : `read as ${symbol}`
}
