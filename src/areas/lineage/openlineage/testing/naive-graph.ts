import type { RawDataset, RawEvent } from './raw-event.ts'

export interface NaiveGraph {
  /** `<data> -> <job>` where it is read, `<job> -> <data>` where it is written. */
  readonly edges: ReadonlySet<string>
  /** `[job, from, column, to, column or null, kind]` as JSON. */
  readonly columns: ReadonlySet<string>
}

interface Run {
  readonly id: string
  readonly startMs: number
  /** Since when what it has not named is over; infinity where that never comes. */
  readonly wholeMs: number
  readonly names: ReadonlySet<string>
}

/**
 * What of the lineage holds at a time, found out from all events about runs again each time, in any order. A run names what its
 * events name, from the earliest of them on. What it named is over once a newer run of the same job has completed that names
 * something else instead, but not at the moment at which it was named; one that names nothing says nothing. Of two that start together the newer is the one whose identifier
 * is greater. `buckets` says which namespaces are buckets of the platform: `{ 's3://lake-raw': 'raw' }`.
 */
export function naiveGraph(
  events: readonly RawEvent[],
  atMs: number,
  buckets: Readonly<Record<string, string>> = {}
): NaiveGraph {
  const edges = new Set<string>()
  const columns = new Set<string>()
  for (const job of new Set(events.map(jobOf))) {
    const ofJob = events.filter((event) => jobOf(event) === job)
    const runs = [...new Set(ofJob.map(({ run }) => run.runId))].map((runId) =>
      runOf(
        ofJob.filter(({ run }) => run.runId === runId),
        buckets
      )
    )
    for (const run of runs) {
      if (run.startMs > atMs) continue
      for (const name of run.names) {
        const isOver = runs.some(
          (other) =>
            isNewer(other, run) &&
            other.wholeMs <= atMs &&
            run.startMs < atMs &&
            other.names.size > 0 &&
            !other.names.has(name)
        )
        if (!isOver) (name.startsWith('[') ? columns : edges).add(name)
      }
    }
  }
  return { edges, columns }
}

const isNewer = (one: Run, other: Run) =>
  one.startMs === other.startMs ? one.id > other.id : one.startMs > other.startMs

function jobOf({ job }: RawEvent): string {
  return `job://${encodeURIComponent(job.namespace)}/${job.name}`
}

function runOf(events: readonly RawEvent[], buckets: Readonly<Record<string, string>>): Run {
  const completed = events.filter(({ eventType }) => eventType === 'COMPLETE')
  return {
    id: events[0]?.run.runId ?? '',
    startMs: Math.min(...events.map(({ eventTime }) => Date.parse(eventTime))),
    wholeMs: Math.min(...completed.map(({ eventTime }) => Date.parse(eventTime))),
    names: new Set(events.flatMap((event) => namesIn(event, buckets)))
  }
}

function namesIn(event: RawEvent, buckets: Readonly<Record<string, string>>): string[] {
  const job = jobOf(event)
  const reference = ({ namespace, name }: RawDataset) => {
    const bucket = buckets[namespace.replace(/^s3[an]:/, 's3:')]
    return bucket
      ? `object://${bucket}/${name.replace(/^\//, '')}`
      : `dataset://${encodeURIComponent(namespace)}/${name}`
  }
  const names = (event.inputs ?? []).map((input) => `${reference(input)} -> ${job}`)
  for (const output of event.outputs ?? []) {
    const facets = (output.facets ?? {}) as FacetsRead
    if (facets.lifecycleStateChange?.lifecycleStateChange === 'DROP') continue
    names.push(`${job} -> ${reference(output)}`)
    for (const { source, column, kind } of facets.columnLineage ? effectsIn(facets.columnLineage) : []) {
      names.push(`${reference(source)} -> ${job}`)
      names.push(JSON.stringify([job, reference(source), source.field, reference(output), column, kind]))
    }
  }
  return names
}

interface Transformation {
  readonly type: string
  readonly subtype?: string
  readonly masking?: boolean
}

interface Source extends RawDataset {
  readonly field: string
  readonly transformations?: readonly Transformation[]
}

interface LineageFacet {
  readonly fields: Readonly<
    Record<string, { readonly inputFields: readonly Source[]; readonly transformationType?: string }>
  >
  readonly dataset?: readonly Source[]
}

interface FacetsRead {
  readonly lifecycleStateChange?: { readonly lifecycleStateChange: string }
  readonly columnLineage?: LineageFacet
}

interface Influence {
  readonly source: Source
  readonly column: string | null
  readonly kind: string
}

const ROWS = ['filtered', 'joined', 'grouped', 'sorted']

function effectsIn({ fields, dataset = [] }: LineageFacet): Influence[] {
  const found: Influence[] = []
  for (const [column, { inputFields, transformationType }] of Object.entries(fields)) {
    for (const source of inputFields) {
      for (const how of source.transformations?.length ? source.transformations : [undefined]) {
        found.push({ source, column, kind: kindOf(how, transformationType) })
      }
    }
  }
  for (const source of dataset) {
    if (!source.transformations?.length) found.push({ source, column: null, kind: 'filtered' })
    for (const how of source.transformations ?? []) found.push({ source, column: null, kind: kindOf(how) })
  }
  // What is said of the rows for every column is said of the rows; windows are of one column.
  const all = Object.keys(fields)
  const isSame = (a: Influence, b: Influence) =>
    a.kind === b.kind &&
    a.source.field === b.source.field &&
    a.source.name === b.source.name &&
    a.source.namespace === b.source.namespace
  return found.map((one) => {
    const isOfAll = all.every((column) => found.some((other) => other.column === column && isSame(one, other)))
    return ROWS.includes(one.kind) && isOfAll ? { ...one, column: null } : one
  })
}

function kindOf(how: Transformation | undefined, transformationType?: string): string {
  if (how === undefined) {
    return { IDENTITY: 'identity', MASKED: 'masked' }[transformationType ?? ''] ?? 'computed'
  }
  if (how.type === 'INDIRECT' && how.subtype !== 'CONDITIONAL') {
    return (
      { FILTER: 'filtered', JOIN: 'joined', GROUP_BY: 'grouped', SORT: 'sorted', WINDOW: 'grouped' }[
        how.subtype ?? ''
      ] ?? 'filtered'
    )
  }
  if (how.masking) return 'masked'
  return how.subtype === 'IDENTITY' ? 'identity' : 'computed'
}
