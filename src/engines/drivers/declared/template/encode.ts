import { SourceError } from '../../errors.ts'
import { encoded } from './functions.ts'
import { fill, namesIn, type Scope, valueIn } from './template.ts'

/** What headers can carry: no sign that ends one, and none beyond Latin. */
const HEADER = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
const MAX_DEPTH = 50

/** A path with values in it, each of which stays within its segment. */
export function filledPath(template: string, scope: Scope): string {
  const path = fill(template, scope, encoded)
  if (path === undefined) throw unfilled(template, scope)
  const [way = ''] = path.split(/[?#]/, 1)
  if (way.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new SourceError(
      'bad_request',
      'A part of the path would be . or .., which leads elsewhere',
      pointerIn(template)
    )
  }
  return path
}

/** What is sent under names; those without a value are left out. */
export function filledValues(
  templates: Readonly<Record<string, string>> | undefined,
  scope: Scope
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(templates ?? {}).flatMap(([name, template]) => {
      const value = fill(String(template), scope)
      return value === undefined ? [] : [[name, value]]
    })
  )
}

export function filledHeaders(
  templates: Readonly<Record<string, string>> | undefined,
  scope: Scope
): Record<string, string> {
  const headers = filledValues(templates, scope)
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER.test(value))
      throw new SourceError(
        'bad_request',
        `The header ${name} would have signs in it that headers can't have; check what is given for it`,
        pointerIn(templates?.[name] ?? '')
      )
  }
  return headers
}

/** A body as JSON: values stay within their texts, and a text that is one name alone becomes its value. */
export function filledBody(body: unknown, scope: Scope, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new SourceError('bad_request', 'The body has too many parts within each other')
  if (typeof body === 'string') return filledText(body, scope)
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) {
    return body.map((part) => filledBody(part, scope, depth + 1)).filter((part) => part !== undefined)
  }
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, part]) => {
      const value = filledBody(part, scope, depth + 1)
      return value === undefined ? [] : [[name, value]]
    })
  )
}

function filledText(text: string, scope: Scope): unknown {
  const value = valueIn(text, scope)
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (Array.isArray(value)) return value.filter((one) => typeof one !== 'object')
  return fill(text, scope)
}

function unfilled(template: string, scope: Scope): SourceError {
  const name = namesIn(template).find((one) => fill(`{${one}}`, scope) === undefined)
  return new SourceError('bad_request', `The address needs ${name}, which has no value`, pointerIn(template))
}

/** The setting that a template is about. */
function pointerIn(template: string): string | undefined {
  const name = namesIn(template).find((one) => !/^(?:parent|slice)(?:\.|$)/.test(one))
  return name === undefined ? undefined : `/${name.split('.')[0]}`
}
