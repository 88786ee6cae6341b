import type { Json, JsonObject } from './model.ts'

const MAX_SHOWN_CHARS = 100

export function isJsonObject(json: Json | undefined): json is JsonObject {
  return json instanceof Map
}

/** The same text for the same value: keys are sorted. */
export function jsonText(json: Json): string {
  if (Array.isArray(json)) return `[${json.map(jsonText).join()}]`
  if (isJsonObject(json)) {
    const keys = [...json.keys()].sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${jsonText(json.get(key) ?? null)}`).join()}}`
  }
  return typeof json === 'bigint' ? String(json) : JSON.stringify(json)
}

/** As others have JSON. Integers that no number holds become the nearest that one does. */
export function toPlain(json: Json): unknown {
  if (Array.isArray(json)) return json.map(toPlain)
  if (isJsonObject(json)) return Object.fromEntries([...json].map(([key, value]) => [key, toPlain(value)]))
  return typeof json === 'bigint' ? Number(json) : json
}

export function fromPlain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(fromPlain)
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, fromPlain(inner)]))
  }
  return value as Json
}

/** For people: as JSON where that is short, or the beginning of it as text. */
export function shown(json: Json | undefined): unknown {
  if (json === undefined) return undefined
  const text = jsonText(json)
  if (text.length > MAX_SHOWN_CHARS) return `${text.slice(0, MAX_SHOWN_CHARS)}…`
  return typeof json === 'bigint' ? text : toPlain(json)
}

/** A token of a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
