import { SourceError } from '../../errors.ts'
import type { Each, Entry, StreamEntry } from '../entry.ts'
import { streamOf } from '../requests.ts'
import { memberOf, type Scope } from '../template/template.ts'
import type { JsonRecord } from './records.ts'

/** Streams within each other that anything may have: more are a mistake. */
const MAX_DEPTH = 8

/** A list that is gone through: the records of a stream, or values. */
export type Link =
  | { readonly stream: StreamEntry; readonly as: Readonly<Record<string, string>> | undefined }
  | { readonly values: readonly unknown[]; readonly as: string }

/** What is gone through for a stream, the outermost first and the stream last. */
export function chainOf(entry: Entry, name: string, scope: Scope): Link[] {
  const chain: Link[] = []
  let stream = streamOf(entry, name)
  let as: Readonly<Record<string, string>> | undefined
  for (let depth = 0; ; depth++) {
    if (depth > MAX_DEPTH) throw new SourceError('bad_request', `${name} is for each of itself, or too deep`)
    if (stream.unreadable !== undefined) {
      throw new SourceError('bad_request', `${name} can't be read: ${stream.unreadable}`)
    }
    chain.unshift({ stream, as })
    const { each } = stream
    if (each === undefined) return chain
    if (!('stream' in each)) {
      chain.unshift({ values: valuesOf(each, scope), as: each.as })
      return chain
    }
    as = each.as
    stream = streamOf(entry, each.stream)
  }
}

function valuesOf(each: Exclude<Each, { stream: string }>, scope: Scope): readonly unknown[] {
  if ('values' in each) return each.values
  const value = memberOf(scope, [each.setting])
  if (typeof value === 'string')
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  return Array.isArray(value) ? value : []
}

/** The names of what a stream's records get from their parents. */
export function parentNames(chain: readonly Link[]): string[] {
  return chain.slice(0, -1).flatMap((link) => ('values' in link ? [link.as] : Object.keys(link.as ?? {})))
}

/** What children know of a parent; undefined where it has not all of it. */
export function parentScope(link: Link, item: unknown, outer: Scope): Scope | undefined {
  if ('values' in link) return { ...outer, [link.as]: item }
  const found = Object.entries(link.as ?? {}).map(([name, field]): [string, unknown] => {
    const path = field.split('.')
    return [name, memberOf(item, path) ?? memberOf(item as JsonRecord, [field]) ?? memberOf(outer, path)]
  })
  if (found.some(([, value]) => value === undefined || value === null || value === '')) return undefined
  return { ...outer, ...Object.fromEntries(found) }
}
