import type { Jobs, KindCounts } from '../../engines/jobs/index.ts'
import { HealthProblem } from '../../http/health-problem.ts'

/** Kinds are names that this program has given: they tell nothing of anybody. */
const told = (counts: KindCounts) => counts.map(({ kind, count }) => `${count} of ${kind}`).join(', ')

/** Throws where background work does not get on. */
export async function checkJobs(jobs: Pick<Jobs, 'trouble'>): Promise<void> {
  const { failing, givenUp } = await jobs.trouble()
  const wrong = [
    ...(failing.length > 0 ? [`jobs that fail and are tried again: ${told(failing)}`] : []),
    ...(givenUp.length > 0 ? [`jobs given up within the last hour: ${told(givenUp)}`] : [])
  ]
  if (wrong.length === 0) return
  throw new HealthProblem(
    `${wrong.join('; ')}. The log says why at each 'an attempt at a background job failed': mend that`
  )
}
