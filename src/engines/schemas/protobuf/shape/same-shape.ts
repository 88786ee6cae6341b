import type { Shape } from '../../shape.ts'

/** Whether two shapes say the same, one of them perhaps by naming a record where the other spells it out. */
export function isSameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true
  const [nameOfA, nameOfB] = [recordName(a), recordName(b)]
  if (a.kind === 'recursion' || b.kind === 'recursion') return nameOfA !== undefined && nameOfA === nameOfB
  if (a.kind === 'list' && b.kind === 'list') return isSameShape(a.items, b.items)
  if (a.kind === 'map' && b.kind === 'map') return isSameShape(a.values, b.values)
  if (a.kind === 'union' && b.kind === 'union') return areSame(a.options, b.options, isSameShape)
  if (a.kind !== 'record' || b.kind !== 'record') return JSON.stringify(a) === JSON.stringify(b)
  if (nameOfA !== nameOfB || a.doc !== b.doc || a.open !== b.open) return false
  return areSame(a.fields, b.fields, ({ shape, ...first }, { shape: other, ...second }) => {
    return JSON.stringify(first) === JSON.stringify(second) && isSameShape(shape, other)
  })
}

function recordName(shape: Shape): string | undefined {
  return shape.kind === 'record' || shape.kind === 'recursion' ? shape.name : undefined
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index] as T))
}
