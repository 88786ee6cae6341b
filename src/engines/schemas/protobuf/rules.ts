import type { Difference, Who } from '../format.ts'
import { breaks, keeps, keepsIf, tableOf, type Words } from '../rules.ts'

// Paths are `/shop.Order` for a type and `/shop.Order/3` or `/shop.Order/payment` for what is in it.

/** What the words in sentences of rules stand for. */
const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  type: ({ path }) => path.slice(1),
  owner: ownerOf,
  member: memberOf,
  field: (difference) => `field ${memberOf(difference)} of ${ownerOf(difference)}`,
  Field: (difference) => `Field ${memberOf(difference)} of ${ownerOf(difference)}`,
  place: ({ path }) => (path === '' ? 'the file' : path),
  'list before': ({ before }) => list(before),
  'list after': ({ after }) => list(after),
  'default before': ({ before }) => defaultIn(before),
  'default after': ({ after }) => defaultIn(after),
  'package before': ({ before }) => String(before || 'none'),
  'package after': ({ after }) => String(after || 'none'),
  'packing before': ({ before }) => (before ? 'packed' : 'not packed'),
  'who can tell': ({ before }, { writer, reader }) =>
    before
      ? `data of ${writer}, but not by readers of ${reader}`
      : `what readers of ${reader} see, but is not in data of ${writer}`,
  'both labels': bothLabels
} satisfies Words

/** Every kind of change; which of them break is what users of Confluent's registry know. */
export const RULES = tableOf('protobuf', words, {
  // The file
  package_changed: breaks(
    'The package of {writer} is {package before} and that of {reader} is {package after}, so that its readers know the types by other names.'
  ),
  syntax_changed: keeps('The syntax of {writer} is {before} and that of {reader} is {after}.'),
  options_changed: keeps(
    'The options of {place} are {list before} in {writer} and {list after} in {reader}; data stay the same.'
  ),
  service_changed: keeps('The service {member} is not the same in {writer} and {reader}; data stay the same.'),

  // Messages
  message_added: keeps('Readers of {reader} know the message {type}, of which {writer} has no data.'),
  message_removed: breaks('Messages {type}, which {writer} can write, are not known to readers of {reader}.'),
  message_moved: keepsIf(
    'readers find the type of a message with the schema it was written with, as its position is only good for that',
    'The message {type} is number {before} among its like in {writer} and number {after} in {reader}.'
  ),
  reserved_changed: keeps(
    'What {type} keeps from being used is {list before} in {writer} and {list after} in {reader}.'
  ),

  // Enums
  enum_added: keeps('Readers of {reader} know the enum {type}, which {writer} does not have.'),
  enum_removed: keeps('The enum {type} of {writer} is not known to readers of {reader}.'),
  enum_value_added: keeps('Readers of {reader} know the value {after} of {owner}, which {writer} never writes.'),
  enum_value_removed: keepsIf(
    'readers can do with a value they have no name for',
    'Readers of {reader} have no name for the value {before} of {owner} that {writer} can write.'
  ),
  enum_value_renamed: keepsIf(
    'both names mean the same, and data are binary, where only numbers are',
    'The value {member} of {owner} is called {before} by {writer} and {after} by readers of {reader}.'
  ),
  enum_closed: keepsIf(
    'data hold named values only',
    'Readers of {reader} pass over numbers that {type} does not name, which {writer} lets through.'
  ),
  enum_opened: keeps('Readers of {reader} take numbers that {type} does not name, which {writer} never writes.'),

  // Fields that come and go
  field_added: keeps(
    '{Field} ({after}) is missing from data of {writer}, so that readers of {reader} see its default.'
  ),
  field_removed: keepsIf(
    'nobody uses its number for something else',
    '{Field} ({before}) is passed over by readers of {reader}.'
  ),
  required_field_added: breaks(
    'Data of {writer} do not have {field} ({after}), and readers of {reader}, who require it, refuse them.'
  ),
  required_field_removed: breaks('{Field} ({before}), which {writer} requires, is passed over by readers of {reader}.'),

  // Names of fields
  field_name_changed: keepsIf(
    'data are binary, where only numbers are; as JSON they have names',
    '{Field} is called {before} by {writer} and {after} by readers of {reader}.'
  ),
  field_json_name_changed: keepsIf(
    'data are binary, where only numbers are',
    '{Field} is {before} in JSON of {writer} and {after} for readers of {reader}.'
  ),

  // Types of fields
  field_kind_changed: breaks(
    "{Field} is written as {before} by {writer} and can't be read as {after} by readers of {reader}."
  ),
  field_scalar_kind_changed: breaks(
    '{Field} is {before} for {writer} and {after} for readers of {reader}, which is encoded differently, so that values are lost or wrong.'
  ),
  field_scalar_type_changed: keepsIf(
    'values fit the type they are read as',
    '{Field} is written as {before} by {writer} and read as {after} with {reader}; what does not fit is cut off.'
  ),
  field_named_type_changed: breaks(
    '{Field} holds a {before} in data of {writer}, which readers of {reader} take for a {after}.'
  ),
  field_named_type_moved: keeps(
    '{Field} holds a {before} in {writer} and a {after} in {reader}, the same message in another package.'
  ),

  // Labels and defaults of fields
  field_numeric_label_changed: breaks('{Field} is {both labels}.'),
  field_became_list: keeps('{Field} is {before} in {writer}; readers of {reader} see a list of one, or of none.'),
  field_became_single: keepsIf(
    'lists hold at most one element',
    '{Field} is {before} in {writer}; readers of {reader} see one value, which is the last, or messages merged into one.'
  ),
  field_became_required: breaks(
    'Data of {writer} may lack {field} ({before}), and readers of {reader}, who require it, refuse them.'
  ),
  field_no_longer_required: keeps(
    '{Field} is always there in data of {writer}, and readers of {reader} do not insist on it.'
  ),
  field_presence_changed: keepsIf(
    'nobody makes a difference between absent and default',
    'Whether {field} is there or has its default can be told from {who can tell}.'
  ),
  field_packing_changed: keeps('{Field} is {packing before} in data of {writer}, and readers of {reader} take both.'),
  field_default_changed: keepsIf(
    'nobody relies on the default of a value that is not there',
    'Where {writer} leaves {field} out it means {default before}, but readers of {reader} see {default after}.'
  ),

  // Choices (oneof)
  oneof_added: keeps(
    'Readers of {reader} take fields of {owner} for one choice, {member}, which they are not in {writer}.'
  ),
  oneof_removed: keeps('The choice {member} of {owner} in {writer} is none for readers of {reader}.'),
  oneof_split: keeps(
    'Fields {list before} exclude each other in {writer}, as the choice {member} of {owner}; readers of {reader} can take several of them.'
  ),
  oneof_field_added: keeps(
    'Readers of {reader} know another choice, field {member} ({after}) of {owner}, that {writer} never makes.'
  ),
  oneof_field_removed: breaks(
    'Where {writer} chooses {field} ({before}), readers of {reader}, who do not know it, see no choice at all.'
  ),
  oneof_field_moved_out: keeps('{Field} is a choice of {before} in {writer} and stands alone for readers of {reader}.'),
  field_moved_to_oneof: keeps('{Field} stands alone in {writer} and is a choice of {after} for readers of {reader}.'),
  field_moved_to_existing_oneof: breaks(
    'Fields {list after} are not one choice in {writer}; readers of {reader}, for whom they are, {member} of {owner}, keep only the last.'
  ),
  multiple_fields_moved_to_oneof: breaks(
    'Several of the fields {list after} can be in data of {writer} at once; readers of {reader}, for whom they are one choice, {member} of {owner}, keep only the last.'
  )
})

function ownerOf({ path }: Difference): string {
  return path.slice(1, path.lastIndexOf('/'))
}

function memberOf({ path }: Difference): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function list(values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return 'nothing'
  return values.join(', ')
}

function defaultIn(value: unknown): string {
  return value === undefined ? 'the default of its type' : JSON.stringify(value)
}

/** What a field of numbers is to each side, and what follows from that. */
function bothLabels(difference: Difference, { writer, reader }: Who): string {
  const [before, after] = [String(difference.before), String(difference.after)]
  if (before.startsWith('repeated')) {
    return `written as a list (${before}) by ${writer}, of which readers of ${reader}, who expect one number, see the last or none`
  }
  if (after.startsWith('repeated')) {
    return `one number (${before}) for ${writer} and a list (${after}), which is encoded differently, for readers of ${reader}`
  }
  return `${before} for ${writer} and ${after} for readers of ${reader}, so that they disagree on whether a number may be missing`
}
