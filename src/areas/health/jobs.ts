import type { Jobs, KindCounts } from '../../engines/jobs/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'

/** Kinds are names of this program, so they reveal nothing to readers of health. */
const told = (counts: KindCounts) => counts.map(({ kind, count }) => `${count} of ${kind}`).join(', ')

/** Throws where background work makes no progress. */
export async function checkJobs(jobs: Pick<Jobs, 'trouble'>): Promise<void> {
  const { failing, givenUp } = await jobs.trouble()
  const wrong = [
    ...(failing.length > 0 ? [`jobs that fail and are tried again: ${told(failing)}`] : []),
    ...(givenUp.length > 0 ? [`jobs given up within the last hour: ${told(givenUp)}`] : [])
  ]
  if (wrong.length === 0) return
  throw new HealthProblem(
    `${wrong.join('; ')}. The log says why at each 'an attempt at a background job failed': mend that. Those that a killed server was at go on by themselves`
  )
}
