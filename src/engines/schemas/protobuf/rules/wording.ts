import type { Difference } from '../../format.ts'

// Paths are `/shop.Order` for a type and `/shop.Order/3` or `/shop.Order/payment` for what is in it.

export function typeOf({ path }: Difference): string {
  return path.slice(1)
}

export function ownerOf({ path }: Difference): string {
  return path.slice(1, path.lastIndexOf('/'))
}

export function memberOf({ path }: Difference): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function fieldOf(difference: Difference): string {
  return `Field ${memberOf(difference)} of ${ownerOf(difference)}`
}

export function lowerFieldOf(difference: Difference): string {
  return `field ${memberOf(difference)} of ${ownerOf(difference)}`
}

export function list(values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return 'nothing'
  return values.join(', ')
}

export function show(value: unknown): string {
  return value === undefined ? 'the default of its type' : JSON.stringify(value)
}
