import { type Finding, type Installation, ok, warn } from '../../finding.ts'
import { conditionOf } from './health.ts'

/** What the doctor says of schedules. */
export async function checkSchedules({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined) return []
  const { enabled, paused, pausedByFailures, failing, missed, open } = await conditionOf(metadata.db, clock.now())
  if (enabled + paused === 0) return []
  const findings: Finding[] = [
    ok('schedules', `${enabled} enabled, ${paused} paused, ${open} runs wait or are under way`)
  ]
  if (pausedByFailures > 0) {
    findings.push(
      warn('schedules', `${pausedByFailures} paused by failures: mend the cause that pause tells, then resume them`)
    )
  }
  if (failing > 0)
    findings.push(
      warn('schedules', `${failing} failed at their last run: see GET /api/scheduler/schedules?failing=true`)
    )
  if (missed > 0)
    findings.push(
      warn('schedules', `${missed} due times of the last day were missed: see GET /api/scheduler/history?state=missed`)
    )
  return findings
}
