import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
}

export interface ComposeService {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: string }
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly stop_grace_period?: string
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
}

/** What Compose makes of compose.yaml with these variables only; throws where it needs another. */
export function readCompose(variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8')
  return fill(parse(text), variables) as Compose
}

function fill(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, variables)
  if (Array.isArray(value)) return value.map((item) => fill(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, variables)]))
}

/** The forms that the file uses; any other is an error rather than a guess. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$(?:\$|\{(\w+)(?:(:\?|:-|:\+)([^}]*))?\}|)/g,
    (found, name?: string, form?: string, rest = '') => {
      if (found === '$$') return '$'
      if (name === undefined) throw new Error(`compose.yaml has a $ that stands for nothing: ${text}`)
      const value = variables[name] ?? ''
      if (form === ':?' && value === '') throw new Error(`${name}: ${rest}`)
      if (form === ':-') return value === '' ? rest : value
      if (form === ':+') return value === '' ? '' : rest
      return value
    }
  )
}
