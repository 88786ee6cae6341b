import type { ColumnMapping, MappingKind } from '../sighting.ts'
import type { Field } from './field.ts'
import type { Scope } from './scope.ts'

/**
 * What the `columnLineage` facet of an output says. Versions before 1-2-0 have no place for what decides about rows, and say
 * it of every column: said of every column, it is about rows here too.
 */
export function columnLineageOf(facet: Field, to: string, scope: Scope): ColumnMapping[] {
  const found = new Mappings(to)
  const columns = facet.required('fields').values()
  for (const column of columns) {
    scope.columns.take(column)
    const place = column.key().name()
    const kind = legacyKind(column.at('transformationType').prose()) ?? 'computed'
    for (const source of column.required('inputFields').items()) {
      source.required('field')
      addSource(found, source, place, kind, scope)
    }
  }
  for (const source of facet.at('dataset').items()) {
    source.required('field')
    addSource(found, source, null, 'filtered', scope)
  }
  return found.all(columns.length)
}

/** What the `lineage` facet says, which newer producers send in its place. It may name jobs as sources; those have no columns. */
export function lineageOf(facet: Field, to: string, scope: Scope): { reads: string[]; columns: ColumnMapping[] } {
  const found = new Mappings(to)
  const reads: string[] = []
  const columns = facet.at('fields').values()
  for (const column of columns) {
    scope.columns.take(column)
    const place = column.key().name()
    for (const source of dataAmong(column.required('inputs'))) addSource(found, source, place, 'computed', scope)
  }
  for (const source of dataAmong(facet.at('inputs'))) {
    scope.datasets.take(source)
    reads.push(scope.dataAt(source))
    if (source.at('field').isThere) addSource(found, source, null, 'filtered', scope)
  }
  return { reads, columns: found.all(columns.length) }
}

export function dataAmong(sources: Field): Field[] {
  return sources.items().filter((source) => source.required('type').name().toUpperCase() === 'DATASET')
}

function addSource(found: Mappings, source: Field, to: string | null, otherwise: MappingKind, scope: Scope): void {
  const reference = scope.dataAt(source)
  const field = source.at('field')
  const from = { reference, column: field.isThere ? field.name() : null }
  const transformations = source.at('transformations').items()
  if (transformations.length === 0) {
    scope.mappings.take(source)
    found.add(from, to, otherwise)
  }
  for (const transformation of transformations) {
    scope.mappings.take(transformation)
    found.add(from, to, kindOf(transformation, otherwise))
  }
}

const INDIRECT: ReadonlyMap<string, MappingKind> = new Map([
  ['FILTER', 'filtered'],
  ['JOIN', 'joined'],
  ['GROUP_BY', 'grouped'],
  ['WINDOW', 'grouped'],
  ['SORT', 'sorted'],
  // Something can be told of a value from what was chosen by it.
  ['CONDITIONAL', 'computed']
])

function kindOf(transformation: Field, otherwise: MappingKind): MappingKind {
  const type = transformation.required('type').name().toUpperCase()
  const subtype = transformation.at('subtype').prose()?.toUpperCase() ?? ''
  const isMasking = transformation.at('masking').isTrue()
  const indirect = type === 'INDIRECT' ? (INDIRECT.get(subtype) ?? 'filtered') : undefined
  if (indirect !== undefined && indirect !== 'computed') return indirect
  if (isMasking) return 'masked'
  if (subtype === 'IDENTITY') return 'identity'
  const isUnsaid = subtype === '' && (otherwise === 'identity' || otherwise === 'masked')
  return isUnsaid ? otherwise : 'computed'
}

const ROW_KINDS: ReadonlySet<MappingKind> = new Set(['filtered', 'joined', 'grouped', 'sorted'])

/** Versions before 1-1-0 say one thing of a column, for all its sources. */
function legacyKind(type: string | undefined): MappingKind | undefined {
  if (type?.toUpperCase() === 'IDENTITY') return 'identity'
  return type?.toUpperCase() === 'MASKED' ? 'masked' : undefined
}

/** Each mapping once, and those that are of rows once for all columns. */
class Mappings {
  readonly #to: string
  readonly #mappings = new Map<string, ColumnMapping>()
  readonly #ofRows = new Map<string, ColumnMapping[]>()

  constructor(to: string) {
    this.#to = to
  }

  add(from: ColumnMapping['from'], column: string | null, kind: MappingKind): void {
    // No name is empty or has this character.
    const source = `${from.reference}\0${from.column ?? ''}\0${kind}`
    const key = `${column ?? ''}\0${source}`
    if (this.#mappings.has(key)) return
    const mapping: ColumnMapping = { from, to: { reference: this.#to, column }, kind }
    this.#mappings.set(key, mapping)
    if (column === null || !ROW_KINDS.has(kind)) return
    const same = this.#ofRows.get(source)
    if (same === undefined) this.#ofRows.set(source, [mapping])
    else same.push(mapping)
  }

  all(columnCount: number): ColumnMapping[] {
    const everywhere = [...this.#ofRows.values()].filter((same) => same.length === columnCount)
    const merged = new Set(everywhere.flat())
    for (const [first] of everywhere as [ColumnMapping][]) this.add(first.from, null, first.kind)
    return [...this.#mappings.values()].filter((mapping) => !merged.has(mapping))
  }
}
