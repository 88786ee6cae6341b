import { toIso } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { TargetLineage } from '../../../schedule-target.ts'
import { jobReference, type Lineage, type Provenance, type RunState, type Sighting } from '../../lineage/index.ts'
import type { RunRow, ScheduleRow } from '../migrations.ts'
import { findActive } from '../runs/store.ts'
import type { Targets } from '../schedules/targets.ts'

/** Who keeps the lineage, told in the transaction of what it is told. */
export type LineageTeller = Pick<Lineage, 'saw' | 'removed'>

const PROVENANCE: Provenance = { how: 'captured', who: 'scheduler' }

/** Of a run that did not succeed, or whose target had nothing to say. */
export const NOTHING_SEEN: TargetLineage = { inputs: [], outputs: [], columns: [], isWhole: false }

const STATES: Partial<Record<RunRow['state'], RunState>> = { succeeded: 'completed', cancelled: 'aborted' }

/** A run is about to read and write data. What earlier runs have named counts until it has ended. */
export function beginningOf(
  schedule: Pick<ScheduleRow, 'name' | 'description'>,
  run: Pick<RunRow, 'id' | 'schedule_id'>,
  startedAt: string,
  { inputs, outputs, columns }: TargetLineage
): Sighting {
  const started = { id: run.id, state: 'running', timeMs: Date.parse(startedAt), isWhole: false } as const
  return { ...jobSeen(schedule, run), run: started, inputs, outputs, columns }
}

/**
 * A run that is over tells that it began, unless it has told that before, and, with all that it has read and written, that it
 * has ended.
 */
export function sightingsOf(
  schedule: Pick<ScheduleRow, 'name' | 'description'>,
  run: RunRow,
  lineage: TargetLineage,
  hasBegun: boolean
): Sighting[] {
  const { inputs, outputs, columns, isWhole } = lineage
  const endMs = Date.parse(run.finished_at as string)
  const startMs = Math.min(endMs, Date.parse(run.started_at ?? (run.finished_at as string)))
  const state = STATES[run.state] ?? 'failed'
  const error = state === 'completed' ? null : run.reason
  const ended: Sighting = {
    ...jobSeen(schedule, run),
    run: { id: run.id, state, timeMs: endMs, isWhole, ...(error !== null && { error }) },
    inputs,
    outputs,
    columns
  }
  if (hasBegun || startMs === endMs) return [ended]
  return [beginningOf(schedule, run, toIso(startMs), NOTHING_SEEN), ended]
}

const jobSeen = (
  { name, description }: Pick<ScheduleRow, 'name' | 'description'>,
  { schedule_id }: Pick<RunRow, 'schedule_id'>
) => ({ job: { reference: jobOf(schedule_id), name, description }, provenance: PROVENANCE })

/** What an attempt fails with where what it writes could be read before it has its level. */
export class LevelsBehind extends Error {
  readonly code = 'levels_behind'

  constructor() {
    super('Levels of secrecy do not follow their changes yet, so that what it writes could have none')
  }
}

interface Needs {
  readonly targets: Pick<Targets, 'tellsLineage'>
  readonly metadata: Pick<Metadata, 'db'>
  lineage(): Promise<LineageTeller>
}

/** Whether runs of a schedule have told the lineage something, which is loaded then. */
export async function hasTold(
  { targets, metadata, lineage }: Needs,
  { id, target_type, last_run_id }: Pick<ScheduleRow, 'id' | 'target_type' | 'last_run_id'>
): Promise<boolean> {
  if (!(await targets.tellsLineage(target_type))) return false
  // The first run tells something when it begins, and is the last one when it has ended.
  if (last_run_id === null && (await findActive(metadata.db, id)) === undefined) return false
  await lineage()
  return true
}

/** A schedule is gone, or does something else from now on that nothing is told of. */
export const tellRemoved = (tx: Db, lineage: LineageTeller, scheduleId: string): Promise<void> =>
  lineage.removed(tx, jobOf(scheduleId), PROVENANCE)

const jobOf = (scheduleId: string): string => jobReference('schedule', scheduleId)
