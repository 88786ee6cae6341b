import type { RunSeen, RunState, Sighting } from '../sighting.ts'
import { lineageAt, readDataset } from './datasets.ts'
import { EventProblem, Field } from './field.ts'
import type { Naming } from './naming.ts'
import { jobAt, Scope } from './scope.ts'
import type { News, RunDetails, Told } from './told.ts'
import { readWork } from './work.ts'

/**
 * What an OpenLineage event tells of a run, a job or data (versions 1-0-0 to 2-0-2). What it has beside what we know is let be;
 * where something is missing, of a wrong type or too much, that is the problem, and nothing of the event counts.
 */
export function sightingsOf(event: unknown, naming: Naming): Told | { readonly problem: EventProblem } {
  try {
    return readEvent(new Field(event), naming)
  } catch (error) {
    if (error instanceof EventProblem) return { problem: error }
    throw error
  }
}

/** `schemaURL` is required too, but the examples of the standard leave it out, and it says nothing that is not seen. */
function readEvent(event: Field, naming: Naming): Told {
  const scope = new Scope(naming, event.required('eventTime').timeMs())
  const producer = event.required('producer').name()
  if (event.at('run').isThere) return readRun(event, scope, producer)
  if (event.at('eventType').isThere) event.at('run').fail('is missing')
  if (event.at('dataset').isThere) return readData(event.at('dataset'), scope, producer)
  if (event.at('job').isThere) return readDesign(event, scope, producer)
  return event.fail('must have run and job, or job, or dataset')
}

const STATES: Readonly<Record<string, RunState>> = {
  START: 'running',
  RUNNING: 'running',
  COMPLETE: 'completed',
  ABORT: 'aborted',
  FAIL: 'failed',
  OTHER: 'other'
}

function readRun(event: Field, scope: Scope, producer: string): Told {
  const run = event.at('run')
  const id = runIdAt(run)
  const state = stateAt(event.at('eventType'))
  const facets = run.at('facets')
  const parent = parentAt(facets.at('parent').isThere ? facets.at('parent') : facets.at('parentRun'))
  const { job, inputs, outputs, columns, statement, isSnapshot, news, newsOnSuccess } = readWork(event, scope)
  const isCompleted = state === 'completed'
  const isWhole = isCompleted || (isSnapshot && state === 'running' && inputs.length + outputs.length > 0)
  const error = facets.at('errorMessage').at('message').prose()
  const seen: RunSeen = { id, state, timeMs: scope.timeMs, isWhole, ...(error && { error }), ...(parent && { parent }) }
  return {
    sightings: [{ job, run: seen, inputs, outputs, columns, provenance: { how: 'openlineage', who: producer } }],
    news: isCompleted ? [...news, ...newsOnSuccess] : news,
    run: detailsOf(facets),
    statement
  }
}

/** A job that is told without a run is told as it is meant to be: as a run that names all, if it names anything. */
function readDesign(event: Field, scope: Scope, producer: string): Told {
  const { job, inputs, outputs, columns, statement, news, newsOnSuccess } = readWork(event, scope)
  const { timeMs } = scope
  const parts = { job, inputs, outputs, columns }
  const sightings = inputs.length + outputs.length > 0 ? [designed(parts, timeMs, producer)] : []
  const described: News = { kind: 'job-described', timeMs, job }
  return { sightings, news: [described, ...news, ...newsOnSuccess], run: undefined, statement }
}

/** Data that say where they come from, such as a view, are written by a job of their own name. */
function readData(dataset: Field, scope: Scope, producer: string): Told {
  const { data, news, newsOnSuccess } = readDataset(dataset, scope)
  const lineage = lineageAt(dataset, data.reference, scope)
  const { timeMs } = scope
  const described: News = { kind: 'data-described', timeMs, data }
  const told = { news: [described, ...news, ...newsOnSuccess], run: undefined, statement: undefined }
  if (lineage === undefined) return { sightings: [], ...told }
  const { columns } = lineage
  const reads = new Set([...lineage.reads, ...columns.map(({ from }) => from.reference)])
  const inputs = [...reads].map((reference) => ({ reference }))
  const job = { reference: jobAt(dataset) }
  return { sightings: [designed({ job, inputs, outputs: [data], columns }, timeMs, producer)], ...told }
}

function designed(
  parts: Pick<Sighting, 'job' | 'inputs' | 'outputs' | 'columns'>,
  timeMs: number,
  who: string
): Sighting {
  const run: RunSeen = { id: `design-${timeMs}`, state: 'other', timeMs, isWhole: true }
  return { ...parts, run, provenance: { how: 'openlineage', who } }
}

function stateAt(eventType: Field): RunState {
  if (!eventType.isThere) return 'other'
  const name = eventType.name().toUpperCase()
  if (Object.hasOwn(STATES, name)) return STATES[name] as RunState
  return eventType.fail(`must be one of ${Object.keys(STATES).join(', ')}`)
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** It should be a UUID, which is the same in capitals; what is none is unique as it stands. */
function runIdAt(run: Field): string {
  const id = run.required('runId').name()
  return UUID.test(id) ? id.toLowerCase() : id
}

function parentAt(parent: Field): RunSeen['parent'] {
  if (!parent.isThere) return undefined
  return { job: jobAt(parent.required('job')), run: runIdAt(parent.required('run')) }
}

function detailsOf(facets: Field): RunDetails {
  const engine = facets.at('processing_engine')
  const engineName = [engine.at('name').prose(100), engine.at('version').prose(100)].filter(Boolean).join(' ')
  const start = facets.at('nominalTime').at('nominalStartTime')
  const end = facets.at('nominalTime').at('nominalEndTime')
  return {
    ...(engineName && { engine: engineName }),
    ...(start.isThere && { nominalStartMs: start.timeMs() }),
    ...(end.isThere && { nominalEndMs: end.timeMs() })
  }
}
