import { SourceError } from '../../errors.ts'
import type { Template } from '../entry.ts'
import { fill, namesIn, type Scope } from '../template/template.ts'

/** The text of a template; throws the setting that has no value. */
export function required(template: Template, scope: Scope): string {
  const text = fill(template, scope)
  if (text !== undefined) return text
  const name = namesIn(template).find((one) => fill(`{${one}}`, scope) === undefined)
  throw new SourceError(
    'wrong_credentials',
    `Signing in needs ${name ?? 'a setting'}, which has no value; give it`,
    pointerOf(template, name)
  )
}

/** The text of a template that may be left out. */
export const optional = (template: Template | undefined, scope: Scope): string | undefined =>
  template === undefined ? undefined : fill(template, scope)

/** The values of templates by name; what has no value is left out. */
export function filledFields(
  templates: Readonly<Record<string, Template>> | undefined,
  scope: Scope
): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, template] of Object.entries(templates ?? {})) {
    const text = fill(template, scope)
    if (text !== undefined) fields[name] = text
  }
  return fields
}

/** JSON with the templates in its texts filled in; members without a value are left out. */
export function filledJson(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fill(value, scope)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => filledJson(one, scope)).filter((one) => one !== undefined)
  const members = Object.entries(value).map(([name, one]) => [name, filledJson(one, scope)] as const)
  return Object.fromEntries(members.filter(([, one]) => one !== undefined))
}

/** All templates in JSON. */
export function templatesIn(value: unknown): Template[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(templatesIn) : []
}

/** What fills a header. Nothing is at its ends that HTTP would take away, and no line ends within. */
export function headerText(template: Template, scope: Scope): string {
  const text = required(template, scope).trim()
  requireHeaderText(text, pointerOf(template))
  return text
}

export function requireHeaderText(text: string, pointer: string | undefined): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (!/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(text)) return
  throw new SourceError(
    'wrong_credentials',
    'It has a line break or a character that can’t be sent in a header; copy it again, without what is around it',
    pointer
  )
}

/** The field of a configuration that a template is filled with: the first one, or the one that is named. */
export function pointerOf(template: Template | undefined, name?: string): string | undefined {
  const known = name ?? (template === undefined ? undefined : namesIn(template)[0])
  return known === undefined ? undefined : `/${known.split('.')[0]}`
}
