import type { Effort } from '../effort.ts'
import { isPrimitive } from './names.ts'

/** The nearest name that Avro allows. */
export function validName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** Namespaces too; a name without one is put into `namespace`. */
export function validFullName(text: string, namespace: string): string {
  const name = text.split('.').map(validName).join('.')
  const full = namespace === '' || name.includes('.') ? name : `${namespace}.${name}`
  return isPrimitive(full) ? `${full}_` : full
}

export function uniqueName(name: string, taken: { has(name: string): boolean }, effort: Effort): string {
  for (let count = 1; ; count++) {
    effort.spend()
    const candidate = count === 1 ? name : `${name}_${count}`
    if (!taken.has(candidate)) return candidate
  }
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
