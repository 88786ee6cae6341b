import type { JobRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'
import type { RunSeen, Sighting } from '../sighting.ts'
import { factsOf } from './statement.ts'

/** A sighting as tables know it: with keys in place of references. */
export interface Telling extends Pick<JobRow, 'job' | 'how' | 'who'> {
  readonly run: RunSeen
  readonly facts: readonly string[]
}

export const tellingOf = (sighting: Sighting): Telling => ({
  job: nodeKey(sighting.job.reference),
  how: sighting.provenance.how,
  who: sighting.provenance.who,
  run: sighting.run,
  facts: factsOf(sighting)
})
