import type { ColumnMapping, ColumnSeen, DataSeen } from '../sighting.ts'
import type { Field } from './field.ts'
import { MAX_ALIASES, MAX_OWNERS } from './limits.ts'
import { columnLineageOf, lineageOf } from './mappings.ts'
import type { Scope } from './scope.ts'
import type { Detail, News } from './told.ts'

/** Data as an event has them. */
export interface DatasetRead {
  readonly field: Field
  readonly data: DataSeen
  /** Whether the job removes it rather than writing it. */
  readonly isDropped: boolean
  /** What is so whatever becomes of the run, and what is so once it has succeeded. */
  readonly news: readonly News[]
  readonly newsOnSuccess: readonly News[]
}

export function readDataset(dataset: Field, scope: Scope): DatasetRead {
  scope.datasets.take(dataset)
  const reference = scope.dataAt(dataset)
  const { timeMs } = scope
  const { facet, forgotten } = facetsOf(dataset.at('facets'), timeMs, reference)
  const columns = columnsOf(facet('schema', 'columns'), scope)
  const aliases = aliasesOf(facet('symlinks', 'aliases'), reference, scope)
  const data: DataSeen = {
    reference,
    ...(columns && { columns }),
    ...aboutOf(facet('ownership', 'owners'), facet('documentation', 'description')),
    ...(aliases.length > 0 && { aliases })
  }
  const source = facet('dataSource')
  const [name, uri] = [source.at('name').prose(1000), source.at('uri').prose(1000)]
  const place = { ...(name && { name: withoutSecrets(name) }), ...(uri && { uri: withoutSecrets(uri) }) }
  const isPlaced = name !== undefined || uri !== undefined
  const change = facet('lifecycleStateChange')
  const state = change.at('lifecycleStateChange').prose()?.toUpperCase()
  return {
    field: dataset,
    data,
    isDropped: state === 'DROP',
    news: [...forgotten, ...(isPlaced ? [{ kind: 'data-source' as const, timeMs, reference, ...place }] : [])],
    newsOnSuccess: changeNews(state, change.at('previousIdentifier'), reference, scope)
  }
}

interface DataLineage {
  readonly reads: readonly string[]
  readonly columns: readonly ColumnMapping[]
}

/** What data say of where they come from; undefined where they say nothing. Only what is written is asked for it. */
export function lineageAt(dataset: Field, reference: string, scope: Scope): DataLineage | undefined {
  const { facet } = facetsOf(dataset.at('facets'), scope.timeMs, reference)
  const [lineage, columnLineage] = [facet('lineage'), facet('columnLineage')]
  // The standard says that the newer one counts where both are there.
  if (lineage.isThere) return lineageOf(lineage, reference, scope)
  return columnLineage.isThere ? { reads: [], columns: columnLineageOf(columnLineage, reference, scope) } : undefined
}

/** A facet is not there where it says of itself that it was deleted; of those that we keep something of, that is news. */
export function facetsOf(
  facets: Field,
  timeMs: number,
  reference: string
): { facet: (name: string, what?: Detail) => Field; forgotten: News[] } {
  const forgotten: News[] = []
  return {
    forgotten,
    facet: (name, what) => {
      const facet = facets.at(name)
      if (!facet.at('_deleted').isTrue()) return facet
      if (what !== undefined) forgotten.push({ kind: 'forgotten', timeMs, reference, what })
      return facet.nothing()
    }
  }
}

/** Of data and of jobs alike. */
export function aboutOf(ownership: Field, documentation: Field): { owners?: string[]; description?: string } {
  const listed = ownership.at('owners')
  const owners = listed.items().map((owner, index) => {
    if (index >= MAX_OWNERS) owner.fail(`is one too many: there are at most ${MAX_OWNERS} owners`)
    return owner.required('name').name()
  })
  const description = documentation.at('description').prose()
  return { ...(listed.isThere && { owners: [...new Set(owners)] }), ...(description && { description }) }
}

/** Columns within columns are left out: what is mapped are those of the table. */
function columnsOf(schema: Field, scope: Scope): ColumnSeen[] | undefined {
  const fields = schema.at('fields')
  if (!fields.isThere) return undefined
  const columns = new Map<string, ColumnSeen>()
  for (const field of fields.items()) {
    scope.columns.take(field)
    const name = field.required('name').name()
    const type = field.at('type').prose(1000)
    if (!columns.has(name)) columns.set(name, { name, ...(type && { type }) })
  }
  return [...columns.values()]
}

function aliasesOf(symlinks: Field, reference: string, scope: Scope): string[] {
  const aliases = symlinks
    .at('identifiers')
    .items()
    .map((identifier, index) => {
      if (index >= MAX_ALIASES) identifier.fail(`is one too many: there are at most ${MAX_ALIASES} other names`)
      return scope.dataAt(identifier)
    })
  return [...new Set(aliases)].filter((alias) => alias !== reference)
}

function changeNews(state: string | undefined, previous: Field, reference: string, scope: Scope): News[] {
  const { timeMs } = scope
  if (state === 'DROP') return [{ kind: 'data-dropped', timeMs, reference }]
  if (state !== 'RENAME' || !previous.isThere) return []
  const from = scope.dataAt(previous)
  return from === reference ? [] : [{ kind: 'data-renamed', timeMs, from, to: reference }]
}

/** Addresses of databases are sent as clients have them. */
function withoutSecrets(address: string): string {
  return address.replace(/\/\/[^/@]*@/, '//').replace(/[?;].*$/s, '')
}
