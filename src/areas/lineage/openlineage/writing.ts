import { createHash } from 'node:crypto'
import type { DataSeen, RunState, Sighting } from '../sighting.ts'
import { columnFacets } from './column-facets.ts'
import { dataNameOf, jobNameOf, type OutsideName } from './naming.ts'

/** An event about a run, as the standard has it. */
export interface RunEvent {
  readonly eventType: 'START' | 'RUNNING' | 'COMPLETE' | 'FAIL' | 'ABORT' | 'OTHER'
  readonly eventTime: string
  readonly producer: string
  readonly schemaURL: string
  readonly run: { readonly runId: string; readonly facets: Facets }
  readonly job: OutsideName & { readonly facets: Facets }
  readonly inputs: readonly DatasetWritten[]
  readonly outputs: readonly DatasetWritten[]
}

type Facets = Readonly<Record<string, object>>
type DatasetWritten = OutsideName & { readonly facets: Facets }

export interface EventManners {
  /** A URI that names this program and its version. */
  readonly producer: string
  /** Whether nothing has been sent of the run: the standard wants its first event to be a START. */
  readonly isFirst: boolean
}

const EVENT_SCHEMA = 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent'

/** The versions of facets that are written here. */
const FACETS = {
  schema: '1-1-1/SchemaDatasetFacet',
  ownership: '1-0-1/OwnershipDatasetFacet',
  documentation: '1-0-1/DocumentationDatasetFacet',
  symlinks: '1-0-1/SymlinksDatasetFacet',
  columnLineage: '1-2-0/ColumnLineageDatasetFacet',
  jobOwnership: '1-0-1/OwnershipJobFacet',
  jobDocumentation: '1-0-1/DocumentationJobFacet',
  parent: '1-1-0/ParentRunFacet'
} as const

/** A sighting of ours for a collector elsewhere; undefined where its job is none that others could name. */
export function eventOf(sighting: Sighting, manners: EventManners): RunEvent | undefined {
  const { job, run, inputs, outputs } = sighting
  const name = jobNameOf(job.reference)
  if (name === undefined) return undefined
  const facet = (kind: keyof typeof FACETS, parts: object) => facetOf(manners.producer, kind, parts)
  const columns = columnFacets(sighting.columns)
  const parentName = run.parent && jobNameOf(run.parent.job)
  return {
    eventType: run.state === 'running' && manners.isFirst ? 'START' : EVENT_TYPES[run.state],
    eventTime: new Date(run.timeMs).toISOString(),
    producer: manners.producer,
    schemaURL: EVENT_SCHEMA,
    run: {
      runId: runUuid(job.reference, run.id),
      facets:
        run.parent && parentName
          ? { parent: facet('parent', { job: parentName, run: { runId: runUuid(run.parent.job, run.parent.run) } }) }
          : {}
    },
    job: {
      ...name,
      facets: {
        ...(job.owners && { ownership: facet('jobOwnership', ownersOf(job.owners)) }),
        ...(job.description && { documentation: facet('jobDocumentation', { description: job.description }) })
      }
    },
    inputs: inputs.flatMap((data) => datasetOf(data, undefined, facet)),
    outputs: outputs.flatMap((data) => datasetOf(data, columns.get(data.reference), facet))
  }
}

const EVENT_TYPES: Readonly<Record<RunState, RunEvent['eventType']>> = {
  running: 'RUNNING',
  completed: 'COMPLETE',
  failed: 'FAIL',
  aborted: 'ABORT',
  other: 'OTHER'
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The standard wants a UUID: one that follows from the run, so that all its events have the same. */
export function runUuid(job: string, run: string): string {
  if (UUID.test(run)) return run
  const hex = createHash('sha256').update(`${job}\0${run}`).digest('hex')
  // Version 8 is the one whose bits are the maker's own.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

type MakeFacet = (kind: keyof typeof FACETS, parts: object) => object

function facetOf(producer: string, kind: keyof typeof FACETS, parts: object): object {
  const path = FACETS[kind]
  const definition = path.slice(path.indexOf('/') + 1)
  const schema = `https://openlineage.io/spec/facets/${path}.json#/$defs/${definition}`
  return { _producer: producer, _schemaURL: schema, ...parts }
}

/** None where it is nothing that others could name. */
function datasetOf(data: DataSeen, lineage: object | undefined, facet: MakeFacet): DatasetWritten[] {
  const name = dataNameOf(data.reference)
  if (name === undefined) return []
  const identifiers = (data.aliases ?? []).flatMap((alias) => dataNameOf(alias) ?? [])
  const facets = {
    ...(data.columns && { schema: facet('schema', { fields: data.columns }) }),
    ...(data.owners && { ownership: facet('ownership', ownersOf(data.owners)) }),
    ...(data.description && { documentation: facet('documentation', { description: data.description }) }),
    ...(identifiers.length > 0 && {
      symlinks: facet('symlinks', { identifiers: identifiers.map((identifier) => ({ ...identifier, type: 'TABLE' })) })
    }),
    ...(lineage && { columnLineage: facet('columnLineage', lineage) })
  }
  return [{ ...name, facets }]
}

function ownersOf(owners: readonly string[]): object {
  return { owners: owners.map((name) => ({ name })) }
}
