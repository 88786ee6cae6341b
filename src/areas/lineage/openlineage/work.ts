import type { ColumnMapping, DataSeen, JobSeen } from '../sighting.ts'
import { aboutOf, type DatasetRead, facetsOf, lineageAt, readDataset } from './datasets.ts'
import type { Field } from './field.ts'
import { MAX_STATEMENT_CHARS } from './limits.ts'
import { dataAmong, lineageOf } from './mappings.ts'
import { jobAt, type Scope } from './scope.ts'
import type { News, Statement } from './told.ts'

/** A job as an event has it, with what it reads and writes. */
export interface WorkRead {
  readonly job: JobSeen
  readonly statement: Statement | undefined
  /** Whether each event has all that the job reads and writes, as streams say of theirs: they never complete. */
  readonly isSnapshot: boolean
  readonly inputs: readonly DataSeen[]
  readonly outputs: readonly DataSeen[]
  readonly columns: readonly ColumnMapping[]
  readonly news: readonly News[]
  readonly newsOnSuccess: readonly News[]
}

/** Of events about runs and about jobs, which have the same parts. */
export function readWork(event: Field, scope: Scope): WorkRead {
  const job = event.required('job')
  const reference = jobAt(job)
  const { facet, forgotten } = facetsOf(job.at('facets'), scope.timeMs, reference)
  const seen: JobSeen = {
    reference,
    ...aboutOf(facet('ownership', 'owners'), facet('documentation', 'description'))
  }
  const inputs = event
    .at('inputs')
    .items()
    .map((dataset) => readDataset(dataset, scope))
  const outputs = event
    .at('outputs')
    .items()
    .map((dataset) => readDataset(dataset, scope))
  const told = linesOf(facet('lineage').at('entries'), reference, outputs, scope)
  const all = [...inputs, ...outputs]
  const completeness = facet('jobType').at('emissionPattern').at('eventCompleteness')
  return {
    job: seen,
    statement: statementOf(facet('sql')),
    isSnapshot: completeness.prose()?.toUpperCase() === 'COMPLETE_SNAPSHOT',
    inputs: joined([...inputs.map(({ data }) => data), ...told.reads.map((read) => ({ reference: read }))]),
    outputs: joined([...written(outputs), ...told.writes.map((write) => ({ reference: write }))]),
    columns: told.columns,
    news: [...forgotten, ...all.flatMap(({ news }) => news)],
    newsOnSuccess: all.flatMap(({ newsOnSuccess }) => newsOnSuccess)
  }
}

function written(outputs: readonly DatasetRead[]): DataSeen[] {
  return outputs.filter(({ isDropped }) => !isDropped).map(({ data }) => data)
}

interface Lines {
  readonly reads: string[]
  readonly writes: string[]
  readonly columns: ColumnMapping[]
}

/** Where columns come from is also read, even if the event does not list it. */
function linesOf(entries: Field, job: string, outputs: readonly DatasetRead[], scope: Scope): Lines {
  const lines = entryLines(entries, job, scope)
  const byEntry = new Set(lines.writes)
  for (const { field, data, isDropped } of outputs) {
    // What the job says of an output counts before what the output says.
    const lineage = isDropped || byEntry.has(data.reference) ? undefined : lineageAt(field, data.reference, scope)
    if (lineage === undefined) continue
    lines.reads.push(...lineage.reads)
    for (const mapping of lineage.columns) lines.columns.push(mapping)
  }
  for (const { from } of lines.columns) lines.reads.push(from.reference)
  return { ...lines, reads: [...new Set(lines.reads)] }
}

/** The `lineage` facet of a job: for each of its targets the sources. What leads to other jobs has no place in our graph. */
function entryLines(entries: Field, job: string, scope: Scope): Lines {
  const lines: Lines = { reads: [], writes: [], columns: [] }
  for (const entry of entries.items()) {
    scope.datasets.take(entry)
    if (entry.required('type').name().toUpperCase() === 'DATASET') {
      const to = scope.dataAt(entry)
      const { reads, columns } = lineageOf(entry, to, scope)
      lines.writes.push(to)
      lines.reads.push(...reads)
      for (const mapping of columns) lines.columns.push(mapping)
    } else if (!entry.at('name').isThere || jobAt(entry) === job) {
      for (const source of dataAmong(entry.at('inputs'))) {
        scope.datasets.take(source)
        lines.reads.push(scope.dataAt(source))
      }
    }
  }
  return lines
}

/** Each reference once, with all that is said of it; what is said first counts. */
function joined(datasets: readonly DataSeen[]): DataSeen[] {
  const byReference = new Map<string, DataSeen>()
  for (const data of datasets) byReference.set(data.reference, { ...data, ...byReference.get(data.reference) })
  return [...byReference.values()]
}

function statementOf(sql: Field): Statement | undefined {
  const query = sql.isThere ? sql.required('query').prose(MAX_STATEMENT_CHARS + 1) : undefined
  if (query === undefined || query.length > MAX_STATEMENT_CHARS) return undefined
  const dialect = sql.at('dialect').prose(100)
  return { query, ...(dialect && { dialect }) }
}
