import type { Sighting } from '../sighting.ts'

/** Runs of jobs that each day read and write other data, in order. */
export const dailyRuns = (jobs: number, days: number): Sighting[] =>
  Array.from({ length: jobs * days }, (_, number) => {
    const [job, day] = [number % jobs, Math.floor(number / jobs)]
    return {
      job: { reference: `job://cron/${job}` },
      run: { id: `${job} ${day}`, timeMs: 1000 + day, state: 'completed', isWhole: true },
      inputs: [{ reference: `dataset://db/in-${job}-${day}` }],
      outputs: [{ reference: `dataset://db/out-${job}-${day}` }],
      columns: [],
      provenance: { how: 'openlineage', who: 'a test' }
    }
  })
