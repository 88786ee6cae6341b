import {
  jobReference,
  type Lineage,
  type Provenance,
  type RunSeen,
  type RunState,
  type Sighting
} from '../../lineage/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { RunLineage } from '../protocol/run-lineage.ts'
import { outputReference, referencesOf } from './references.ts'

/** Who keeps the lineage, told in the transaction of what it is told. */
export type LineageTeller = Pick<Lineage, 'saw' | 'removed' | 'called' | 'ownerRemoved'>

export const PROVENANCE: Provenance = { how: 'captured', who: 'pipelines' }

export const jobOf = (pipelineId: string): string => jobReference('pipeline', pipelineId)

interface RunOf {
  readonly pipelineId: string
  readonly runId: string
  readonly timeMs: number
  /** It puts dead letters through and reads no source, so that it says nothing of what the pipeline reads. */
  readonly isReplay: boolean
}

interface Described {
  readonly name: string
  readonly description: string
}

/**
 * A run begins, with what its definition names. Where the definition `isNew`, that is all: what others named before is over,
 * also where the run fails at once. Where it is not, nothing can be over yet: the columns are not known.
 */
export function beginning(
  run: RunOf,
  { name, description }: Described,
  nodes: readonly PipelineNode[],
  isNew: boolean
): Sighting {
  const { inputs, outputs } = referencesOf(run.pipelineId, nodes)
  const output = outputReference(run.pipelineId)
  const named = (references: readonly string[]) =>
    references.map((reference) => ({ reference, ...(reference === output && { name }) }))
  const lineage = { inputs: run.isReplay ? [] : named(inputs), outputs: named(outputs), columns: [] }
  const sighting = sightingOf(run, { state: 'running', isWhole: isNew && !run.isReplay }, lineage)
  return { ...sighting, job: { ...sighting.job, name, description } }
}

/** The columns that there are have become known, or others. */
export const columnsOf = (run: RunOf, { inputs, outputs, columns }: RunLineage): Sighting =>
  sightingOf(run, { state: 'running', isWhole: false }, { inputs, outputs, columns })

/**
 * A run has ended. One that was stopped has said all that it had to say; but where a source gave nothing, nobody knows its
 * columns, which are what they were.
 */
export function ending(
  run: RunOf,
  status: 'completed' | 'stopped' | 'failed',
  { isAllKnown, error }: { readonly isAllKnown: boolean; readonly error: string | undefined }
): Sighting {
  const state: RunState = status === 'failed' ? 'failed' : 'completed'
  const isWhole = state === 'completed' && isAllKnown && !run.isReplay
  const said = { state, isWhole, ...(error !== undefined && { error }) }
  return sightingOf(run, said, { inputs: [], outputs: [], columns: [] })
}

function sightingOf(
  run: RunOf,
  said: Pick<RunSeen, 'state' | 'isWhole' | 'error'>,
  lineage: Pick<Sighting, 'inputs' | 'outputs' | 'columns'>
): Sighting {
  const { pipelineId, runId: id, timeMs } = run
  return {
    job: { reference: jobOf(pipelineId) },
    run: { id, timeMs, ...said },
    ...lineage,
    provenance: PROVENANCE
  }
}
