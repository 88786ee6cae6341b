import { FUNCTIONS, plainText, type TemplateFunction } from './functions.ts'

/** What is wrong with a template itself. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** What names in a template stand for: settings, `parent`, `slice` and so on. Only own members are seen. */
export type Scope = Readonly<Record<string, unknown>>

/** A text, or a name with the functions that its value goes through. */
type Part = string | Placeholder

interface Placeholder {
  readonly path: readonly string[]
  readonly functions: readonly { readonly run: TemplateFunction; readonly argument: string | undefined }[]
}

/** A name in braces; a brace that begins anything else is text, so that JSON and GraphQL can stand in a template. */
const PLACEHOLDER = /\{([A-Za-z_][\w-]*(?:\.[\w@-]+)*)((?:\|[a-z0-9]+(?::[^|{}]*)?)*)\}/g

const parsed = new Map<string, readonly Part[]>()
const MAX_KEPT = 5000

/** The text with values in the place of names; undefined where one of them has none. `encode` is for each value. */
export function fill(template: string, scope: Scope, encode: (text: string) => string = String): string | undefined {
  let text = ''
  for (const part of partsOf(template)) {
    if (typeof part === 'string') text += part
    else {
      const value = filled(part, scope)
      if (value === undefined) return undefined
      text += encode(value)
    }
  }
  return text
}

/** The value, of whatever type, of a template that is one name and nothing else; undefined for other templates. */
export function valueIn(template: string, scope: Scope): unknown {
  const [part, ...others] = partsOf(template)
  return part === undefined || typeof part === 'string' || others.length > 0 ? undefined : resolved(part, scope)
}

/** The names in a template, with their members: `parent.id`. */
export function namesIn(template: string): string[] {
  return partsOf(template).flatMap((part) => (typeof part === 'string' ? [] : [part.path.join('.')]))
}

/** What a template is beside its names. */
export const textAround = (template: string): string => template.replace(PLACEHOLDER, '')

/** What a path leads to; own members alone, and a number counts a list, from its end where it is negative. */
export function memberOf(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    if (Array.isArray(found)) found = /^-?\d{1,9}$/.test(name) ? found.at(Number(name)) : undefined
    else found = Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : undefined
  }
  return found
}

function partsOf(template: string): readonly Part[] {
  const known = parsed.get(template)
  if (known !== undefined) return known
  const parts: Part[] = []
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [whole, path = '', functions = ''] = match
    if (match.index > end) parts.push(template.slice(end, match.index))
    parts.push({ path: path.split('.'), functions: functionsIn(functions) })
    end = match.index + whole.length
  }
  if (end < template.length) parts.push(template.slice(end))
  if (parsed.size >= MAX_KEPT) parsed.clear()
  parsed.set(template, parts)
  return parts
}

function functionsIn(text: string): Placeholder['functions'] {
  return text
    .split('|')
    .slice(1)
    .map((told) => {
      const colon = told.indexOf(':')
      const name = colon < 0 ? told : told.slice(0, colon)
      const run = FUNCTIONS.get(name)
      if (run === undefined)
        throw new TemplateError(`there is no function ${name}; there are ${[...FUNCTIONS.keys()].join(', ')}`)
      return { run, argument: colon < 0 ? undefined : told.slice(colon + 1) }
    })
}

function resolved({ path, functions }: Placeholder, scope: Scope): unknown {
  let value = memberOf(scope, path)
  for (const { run, argument } of functions) value = run(value, argument)
  return value
}

function filled(placeholder: Placeholder, scope: Scope): string | undefined {
  const value = resolved(placeholder, scope)
  const text = Array.isArray(value) ? value.map(plainText).join(',') : plainText(value)
  return text === '' ? undefined : text
}
