import type { Shape } from '../../shape.ts'

/** A shape and whether it may also be null, which Protobuf says by absence. */
export function withoutNull(shape: Shape): { readonly shape: Shape; readonly isNullable: boolean } {
  if (shape.kind !== 'union') return { shape, isNullable: false }
  const options = shape.options.flatMap((option) => (option.kind === 'union' ? option.options : [option]))
  const others = options.filter((option) => option.kind !== 'null')
  const isNullable = others.length < options.length
  if (others.length === 0) return { shape: { kind: 'null' }, isNullable: false }
  return { shape: others.length === 1 ? (others[0] as Shape) : { kind: 'union', options: others }, isNullable }
}
