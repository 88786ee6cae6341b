import type { Sighting } from '../sighting.ts'

/** Whether a job was known to read, write or map something at a time: by the rule alone, from all sightings, slowly. */
export function heldAt(
  sightings: readonly Sighting[],
  job: string,
  fact: (sighting: Sighting) => boolean,
  atMs: number
) {
  const own = sightings.filter((sighting) => sighting.job.reference === job)
  const runs = [...new Set(own.map(({ run }) => run.id))].map((id) => {
    const told = own.filter(({ run }) => run.id === id)
    const whole = told.filter(({ run }) => run.isWhole).map(({ run }) => run.timeMs)
    // The platform itself knows that it reads and writes nothing; others may just not have told.
    const saysNothing = told.every(
      ({ inputs, outputs, columns, provenance }) =>
        provenance.how !== 'captured' && inputs.length + outputs.length + columns.length === 0
    )
    return {
      id,
      startMs: Math.min(...told.map(({ run }) => run.timeMs)),
      wholeMs: saysNothing ? Number.POSITIVE_INFINITY : Math.min(...whole),
      names: told.some(fact)
    }
  })
  return runs.some(
    (run) =>
      run.names &&
      run.startMs <= atMs &&
      !runs.some(
        (other) =>
          !other.names &&
          other.wholeMs <= atMs &&
          run.startMs < atMs &&
          (other.startMs > run.startMs || (other.startMs === run.startMs && other.id > run.id))
      )
  )
}
