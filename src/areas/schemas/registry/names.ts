import { MAX_NAME_CHARS } from '../schema.ts'
import { invalidSubject, invalidVersion } from './refusals.ts'

const DEFAULT_CONTEXT = ':.:'
const MAX_VERSION = 2 ** 31 - 1

/** The name of the schema that a subject is. There is one context, which may be named or not. */
export function subjectOf(text: string): string {
  const name = text.startsWith(DEFAULT_CONTEXT) ? text.slice(DEFAULT_CONTEXT.length) : text
  if (/^:\.[^:]*:/.test(name)) throw invalidSubject('There are no contexts here but the default one, ":.:".')
  if (name === '' || [...name].length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)) {
    throw invalidSubject(`A subject has 1 to ${MAX_NAME_CHARS} characters, none of them a control character.`)
  }
  return name
}

/** What names begin with; undefined where they are in a context that is not there. */
export function prefixOf(text = ''): string | undefined {
  const [, context, rest = ''] = /^:([^:]*):(.*)$/s.exec(text) ?? [undefined, '.', text]
  return context === '.' || context === '*' ? rest : undefined
}

export function versionOf(text: string): number | 'latest' {
  const version = text.trim().toLowerCase()
  if (version === 'latest' || version === '-1') return 'latest'
  const number = /^\d{1,10}$/.test(version) ? Number(version) : 0
  if (number < 1 || number > MAX_VERSION) throw invalidVersion(text)
  return number
}
