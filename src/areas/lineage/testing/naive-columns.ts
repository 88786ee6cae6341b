import type { ColumnMapping, ColumnPlace } from '../sighting.ts'

const DIRECT: readonly string[] = ['identity', 'computed', 'masked']

/** All mappings that hold, and pairs of names of the same data. */
export interface NaiveColumns {
  readonly mappings: readonly ColumnMapping[]
  readonly names: readonly { readonly from: string; readonly to: string }[]
}

export interface NaiveFound {
  readonly distance: number
  readonly masked: boolean
}

export const nameOf = ({ reference, column }: ColumnPlace): string => `${reference} ${column ?? ''}`

/** Every column that a way leads to from the root, by trying all ways that visit nothing twice. */
export function naiveColumns(
  { mappings, names }: NaiveColumns,
  root: ColumnPlace,
  direction: 'upstream' | 'downstream',
  influences: boolean
): Map<string, NaiveFound> {
  const asked = mappings.filter(({ kind }) => influences || DIRECT.includes(kind))
  const found = new Map<string, { distance: number; unmasked: boolean; open: boolean; place: ColumnPlace }>()
  const go = (place: ColumnPlace, way: readonly ColumnPlace[], masked: boolean, isDirect: boolean): void => {
    const name = nameOf(place)
    const known = found.get(name)
    found.set(name, {
      place,
      distance: Math.min(known?.distance ?? Number.POSITIVE_INFINITY, way.length),
      unmasked: (known?.unmasked ?? false) || !masked,
      open: (known?.open ?? false) || (!masked && isDirect)
    })
    for (const { from, to, kind } of asked) {
      const [near, far] = direction === 'downstream' ? [from, to] : [to, from]
      if (near.reference !== place.reference) continue
      if (near.column !== null && place.column !== null && near.column !== place.column) continue
      if ([...way, place].some((before) => nameOf(before) === nameOf(far))) continue
      go(far, [...way, place], masked || kind === 'masked', isDirect && DIRECT.includes(kind))
    }
    for (const { from, to } of names) {
      const [near, far] = direction === 'downstream' ? [from, to] : [to, from]
      const next = { reference: far, column: place.column }
      if (near !== place.reference || [...way, place].some((before) => nameOf(before) === nameOf(next))) continue
      go(next, [...way, place], masked, isDirect)
    }
  }
  go(root, [], false, true)
  const isOpen = (reference: string) => found.get(nameOf({ reference, column: null }))?.open ?? false
  return new Map(
    [...found].map(([name, { distance, unmasked, place }]) => [
      name,
      { distance, masked: !unmasked && !isOpen(place.reference) }
    ])
  )
}
