import { MASK_TEXT } from '../../data/mask.ts'
import type { Clock } from '../../engines/clock.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { type Finding, type Installation, ok, warn } from '../../finding.ts'
import { QuotedData } from '../classification/index.ts'
import { outputReferences } from '../pipelines/index.ts'
import { conditionOf } from './health.ts'
import type { ScheduleRow } from './migrations.ts'
import type { SqlTargetConfig } from './targets/sql-config.ts'

/** What the doctor says of schedules. */
export async function checkSchedules({ metadata, clock }: Installation): Promise<Finding[]> {
  if (metadata === undefined || !(await areThere(metadata.db))) return []
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
      warn(
        'schedules',
        `${failing} failed and have not succeeded since: ${await namesOf(metadata.db, clock)} (GET /api/scheduler/schedules?failing=true)`
      )
    )
  if (missed > 0)
    findings.push(
      warn('schedules', `${missed} due times of the last day were missed: see GET /api/scheduler/history?state=missed`)
    )
  return findings
}

/** In a database that is empty, or of an older version, they may not be. */
async function areThere(db: Db): Promise<boolean> {
  const names = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return ['schedules', 'schedule_runs', 'jobs'].every((name) => names.has(name))
}

const MAX_NAMED = 5

/** The first schedules that failed, with when they last did and why. */
async function namesOf(db: Db, clock: Clock): Promise<string> {
  const rows = await db
    .selectFrom('schedules')
    .leftJoin('schedule_runs', 'schedule_runs.id', 'schedules.last_run_id')
    .select([
      'schedules.name',
      'schedules.id',
      'schedules.failures',
      'schedules.target_type',
      'schedules.target_config'
    ])
    .select(['schedule_runs.due_at', 'schedule_runs.reason'])
    .where('schedules.failures', '>', 0)
    .where('schedules.enabled', '=', 1)
    .orderBy('schedules.failures', 'desc')
    .orderBy('schedules.id')
    .limit(MAX_NAMED)
    .execute()
  const quoted = new QuotedData({ db, clock, outputsOf: (id) => outputReferences(db, id) })
  const named: string[] = []
  for (const { name, id, failures, due_at, reason, ...target } of rows) {
    const words = (await quoted.isHidden(quotableIn(target))) ? MASK_TEXT : reason
    named.push(`${name} (${id}, ${failures} in a row, last ${due_at}: ${words})`)
  }
  return named.join('; ')
}

/** What a statement says when it fails may quote what it reads. */
function quotableIn({ target_type, target_config }: Pick<ScheduleRow, 'target_type' | 'target_config'>): string[] {
  if (target_type !== 'sql') return []
  return Object.values((JSON.parse(target_config) as Pick<SqlTargetConfig, 'relations'>).relations)
}
