import { PRIMITIVES } from './model.ts'

/** Letters of any script, and namespaces such as `com.my-company`: the specification has neither, but writers in Java do. */
const NAME = /^[\p{L}_][\p{L}\p{Nd}_]*$/u
const FULL_NAME = /^(?:[^\s.\p{C}]+\.)*[\p{L}_][\p{L}\p{Nd}_]*$/u
const MAX_SHOWN_CHARS = 100

export const NAME_HELP = 'use letters, digits and underscores, and no digit at the beginning'

export function isName(text: string): boolean {
  return NAME.test(text)
}

export function isFullName(text: string): boolean {
  return FULL_NAME.test(text)
}

export function isPrimitive(name: string): name is (typeof PRIMITIVES)[number] {
  return (PRIMITIVES as readonly string[]).includes(name)
}

/** A name with a dot has its namespace already; any other is in the one around it, which is empty where there is none. */
export function fullNameOf(name: string, namespace: string): string {
  if (name.includes('.')) return name.startsWith('.') ? name.slice(1) : name
  return namespace === '' ? name : `${namespace}.${name}`
}

export function namespaceOf(fullName: string): string {
  return fullName.slice(0, Math.max(fullName.lastIndexOf('.'), 0))
}

/** In quotes, and never longer than a line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)
}
