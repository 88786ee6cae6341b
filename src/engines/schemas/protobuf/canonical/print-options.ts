import type { Option, OptionValue } from '../model.ts'
import { quote } from '../syntax/strings.ts'

/** What an option is where it is not there; to say so changes nothing. */
const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['deprecated', 'false'],
  ['lazy', 'false'],
  ['unverified_lazy', 'false'],
  ['weak', 'false'],
  ['ctype', 'STRING'],
  ['jstype', 'JS_NORMAL'],
  ['debug_redact', 'false'],
  ['allow_alias', 'false'],
  ['map_entry', 'false'],
  ['message_set_wire_format', 'false'],
  ['no_standard_descriptor_accessor', 'false'],
  ['java_multiple_files', 'false'],
  ['java_string_check_utf8', 'false'],
  ['java_generic_services', 'false'],
  ['cc_generic_services', 'false'],
  ['py_generic_services', 'false'],
  ['optimize_for', 'SPEED'],
  ['idempotency_level', 'IDEMPOTENCY_UNKNOWN']
])

/** The options that say something, each as `name = value`. */
export function printOptions(options: readonly Option[], except: ReadonlySet<string> = NONE): string[] {
  const printed: string[] = []
  for (const { name, value } of options) {
    if (except.has(name) || (value.kind === 'plain' && DEFAULTS.get(name) === value.value)) continue
    printed.push(`${name} = ${printValue(value)}`)
  }
  return printed
}
const NONE: ReadonlySet<string> = new Set()

export function printBracketed(options: readonly string[]): string {
  return options.length === 0 ? '' : ` [${options.join(', ')}]`
}

function printValue(value: OptionValue): string {
  if (value.kind === 'plain') return value.value
  if (value.kind === 'string') return quote(value.value)
  if (value.kind === 'list') return `[${value.values.map(printValue).join(', ')}]`
  const fields = [...value.fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{ ${fields.map(([name, inner]) => `${name}: ${printValue(inner)}`).join(' ')} }`
}
