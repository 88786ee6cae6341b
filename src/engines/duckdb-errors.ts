/**
 * DuckDB's client has no codes for errors, only texts that begin with a kind. This is the one place that reads them, so that
 * a version with other words is noticed by the test beside it, which causes each kind in DuckDB itself.
 */
const KINDS = {
  Binder: 'binder',
  Catalog: 'catalog',
  Constraint: 'constraint',
  Conversion: 'conversion',
  Decimal: 'decimal',
  INTERRUPT: 'interrupted',
  'Invalid Input': 'invalid_input',
  'Mismatch Type': 'mismatch_type',
  'Not implemented': 'not_implemented',
  'Out of Memory': 'out_of_memory',
  'Out of Range': 'out_of_range',
  Parser: 'parser',
  Permission: 'permission',
  Syntax: 'syntax',
  Value: 'value'
} as const

/** DuckDB's own kinds of errors, and some that only the text tells. */
export type DuckdbErrorKind =
  | (typeof KINDS)[keyof typeof KINDS]
  | 'ambiguous_call'
  | 'disk_full'
  | 'missing_column'
  | 'unwritable'

const BEGINNING = new RegExp(`^(${Object.keys(KINDS).join('|')}) ?Error: `, 'i')
const BY_BEGINNING = new Map(Object.entries(KINDS).map(([words, kind]) => [words.toLowerCase(), kind]))

/** In files that DuckDB writes, and in those that queries spill to. Node says the same where it removes folders. */
const DISK_FULL = /no space left on device|ENOSPC|not enough disk space|max_temp_directory_size/i
const UNWRITABLE = /read-only file system|permission denied/i

/** Undefined for any other error, such as a missing file. */
export function duckdbErrorKind(error: unknown): DuckdbErrorKind | undefined {
  const message = error instanceof Error ? error.message : String(error)
  if (DISK_FULL.test(message)) return 'disk_full'
  const [beginning = '', words = ''] = BEGINNING.exec(message) ?? []
  const kind = BY_BEGINNING.get(words.toLowerCase())
  if (kind === undefined) return UNWRITABLE.test(message) ? 'unwritable' : undefined
  if (kind !== 'binder') return kind
  const rest = message.slice(beginning.length)
  if (/^Referenced (?:column|table)/.test(rest)) return 'missing_column'
  return rest.includes('Could not choose a best candidate') ? 'ambiguous_call' : kind
}

/** What keeps DuckDB from reading a text as it stands: some of its lines end otherwise than others, or it is not UTF-8. */
export type TextProblem = 'mixed_line_ends' | 'not_utf8'

export function textProblem(error: unknown): TextProblem | undefined {
  const message = error instanceof Error ? error.message : String(error)
  if (message.includes('The CSV Parser state machine reached an invalid state')) return 'mixed_line_ends'
  return message.includes('Invalid unicode (byte sequence mismatch)') ? 'not_utf8' : undefined
}
