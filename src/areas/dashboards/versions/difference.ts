import { isDeepStrictEqual } from 'node:util'
import type { Content } from '../model/schema.ts'
import type { Difference } from './schema.ts'

type Change = Difference['changes'][number]
type Fields = Readonly<Record<string, unknown>>

/** What tells the items of a list apart, by the name of the list: so that a moved panel is not every panel changed. */
const KEYS: Readonly<Record<string, string>> = { panels: 'id', variables: 'name' }

/** What has to be changed of one content to get the other, in an order that follows the second one. */
export function differenceOf(before: Content, after: Content): Change[] {
  return fieldChanges(before as unknown as Fields, after as unknown as Fields, '')
}

function fieldChanges(before: Fields, after: Fields, at: string): Change[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...names].flatMap((name) => valueChanges(name, before[name], after[name], `${at}/${escaped(name)}`))
}

function valueChanges(name: string, from: unknown, to: unknown, path: string): Change[] {
  if (isDeepStrictEqual(from, to)) return []
  if (from === undefined) return [{ path, kind: 'added', from: null, to }]
  if (to === undefined) return [{ path, kind: 'removed', from, to: null }]
  const key = KEYS[name]
  if (key !== undefined && Array.isArray(from) && Array.isArray(to)) return listChanges(from, to, key, path)
  if (isFields(from) && isFields(to)) return fieldChanges(from, to, path)
  return [{ path, kind: 'changed', from, to }]
}

function listChanges(before: readonly Fields[], after: readonly Fields[], key: string, path: string): Change[] {
  const keyOf = (item: Fields) => String(item[key])
  const old = new Map(before.map((item) => [keyOf(item), item]))
  const now = new Map(after.map((item) => [keyOf(item), item]))
  const changes: Change[] = []
  for (const [name, item] of now) {
    const at = `${path}/${escaped(name)}`
    const known = old.get(name)
    if (known === undefined) changes.push({ path: at, kind: 'added', from: null, to: item })
    else changes.push(...fieldChanges(known, item, at))
  }
  for (const [name, item] of old) {
    if (!now.has(name)) changes.push({ path: `${path}/${escaped(name)}`, kind: 'removed', from: item, to: null })
  }
  const kept = [...now.keys()].filter((name) => old.has(name))
  const order = [...old.keys()].filter((name) => now.has(name))
  for (const [index, name] of kept.entries()) {
    const was = order.indexOf(name)
    if (was !== index) changes.push({ path: `${path}/${escaped(name)}`, kind: 'moved', from: was, to: index })
  }
  return changes
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As in a JSON pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
