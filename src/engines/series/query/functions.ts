import { SeriesError } from '../errors.ts'
import type { TagType } from '../index.ts'
import type { SeriesFunction } from './plan.ts'

const OF_TEXTS: readonly SeriesFunction[] = ['count', 'first', 'last']

/** Refuses functions that have no meaning for the type of a tag. */
export function checkFunctions(tag: string, type: TagType, functions: readonly SeriesFunction[]): void {
  if (type !== 'string') return
  const refused = functions.find((name) => !OF_TEXTS.includes(name))
  if (refused === undefined) return
  const message = `Tag "${tag}" holds texts: ${refused} has no meaning for it, only ${OF_TEXTS.join(', ')}`
  throw new SeriesError('function_not_applicable', message, { tag, function: refused })
}

/**
 * Whether the functions have a meaning for tags of this type. A query for all tags gets only the tags for which they
 * have.
 */
export function haveMeaning(type: TagType, functions: readonly SeriesFunction[]): boolean {
  return type !== 'string' || functions.every((name) => OF_TEXTS.includes(name))
}

/** Whether a function gives one of the points' own values, which may be a text, a boolean or a large whole number. */
export function givesPointValue(name: SeriesFunction | undefined): boolean {
  return name === undefined || name === 'first' || name === 'last'
}
