import type { ColumnMapping, MappingKind } from '../sighting.ts'
import { dataNameOf, type OutsideName } from './naming.ts'

type InputField = OutsideName & { readonly field: string; readonly transformations: object[] }

/** What stands in the `columnLineage` facet of each output. Sources without a column have no place there. */
export function columnFacets(mappings: readonly ColumnMapping[]): Map<string, object> {
  const sources = new Map<string, InputField>()
  const facets = new Map<string, { fields: Map<string, { inputFields: InputField[] }>; dataset: InputField[] }>()
  for (const { from, to, kind } of mappings) {
    const name = dataNameOf(from.reference)
    if (name === undefined || from.column === null) continue
    const transformation = TRANSFORMATIONS[kind]
    const key = JSON.stringify([from, to])
    const same = sources.get(key)
    if (same !== undefined) {
      same.transformations.push(transformation)
      continue
    }
    const source = { ...name, field: from.column, transformations: [transformation] }
    sources.set(key, source)
    const { fields, dataset } = facets.getOrInsertComputed(to.reference, () => ({ fields: new Map(), dataset: [] }))
    if (to.column === null) dataset.push(source)
    else fields.getOrInsertComputed(to.column, () => ({ inputFields: [] })).inputFields.push(source)
  }
  return new Map([...facets].map(([to, { fields, dataset }]) => [to, { fields: Object.fromEntries(fields), dataset }]))
}

const direct = (subtype: string, masking: boolean) => ({ type: 'DIRECT', subtype, description: '', masking })
const indirect = (subtype: string) => ({ type: 'INDIRECT', subtype, description: '', masking: false })

const TRANSFORMATIONS: Readonly<Record<MappingKind, object>> = {
  identity: direct('IDENTITY', false),
  computed: direct('TRANSFORMATION', false),
  masked: direct('TRANSFORMATION', true),
  filtered: indirect('FILTER'),
  joined: indirect('JOIN'),
  grouped: indirect('GROUP_BY'),
  sorted: indirect('SORT')
}
