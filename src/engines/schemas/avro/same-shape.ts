import type { Effort } from '../effort.ts'
import type { FieldShape, Shape } from '../shape.ts'

/** Whether two shapes say the same. Inside itself a record stands as its name only, so the name is as good as the record. */
export function isSameShape(one: Shape, other: Shape, effort: Effort): boolean {
  effort.spend()
  if (isMention(one, other) || isMention(other, one)) return true
  if (one.kind === 'record' && other.kind === 'record') {
    if (one.name !== other.name || one.doc !== other.doc || one.open !== other.open) return false
    return areAlike(one.fields, other.fields, (a, b) => isSameField(a, b, effort))
  }
  if (one.kind === 'list' && other.kind === 'list') return isSameShape(one.items, other.items, effort)
  if (one.kind === 'map' && other.kind === 'map') return isSameShape(one.values, other.values, effort)
  if (one.kind === 'union' && other.kind === 'union') {
    return areAlike(one.options, other.options, (a, b) => isSameShape(a, b, effort))
  }
  return isFlat(one) && isFlat(other) && JSON.stringify(one) === JSON.stringify(other)
}

function isSameField(one: FieldShape, other: FieldShape, effort: Effort): boolean {
  const [{ shape: inner, ...rest }, { shape: otherInner, ...otherRest }] = [one, other]
  return JSON.stringify(rest) === JSON.stringify(otherRest) && isSameShape(inner, otherInner, effort)
}

function isMention(one: Shape, other: Shape): boolean {
  return one.kind === 'recursion' && other.kind === 'record' && one.name === other.name
}

function isFlat({ kind }: Shape): boolean {
  return !['record', 'list', 'map', 'union'].includes(kind)
}

function areAlike<T>(ones: readonly T[], others: readonly T[], isAlike: (one: T, other: T) => boolean): boolean {
  return ones.length === others.length && ones.every((one, index) => isAlike(one, others[index] as T))
}
