import type { Clock } from '../../../engines/clock.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'
import { lockToEscalate, noteStep, stepsOf } from './escalation-store.ts'
import type { GroupNotices, Joining } from './group-notices.ts'
import type { Route } from './store.ts'
import { lookAt } from './waking.ts'

const AT_ONCE = 200

interface Needs {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly notices: GroupNotices
}

/** Tells others of alerts that nobody has taken on in time. */
export async function escalate(tx: Db, { clock, jobs, notices }: Needs): Promise<void> {
  const alerts = await lockToEscalate(tx, clock.now(), AT_ONCE)
  const steps = await stepsOf(tx, alerts)
  const joinings: Joining[] = []
  /** Alerts that go on alike. */
  const taken = new Map<string, { step: number; atMs: number | null; ids: string[] }>()
  for (const alert of alerts) {
    const own = steps.get(alert.rule_id) ?? new Map<number, Route[]>()
    const step = alert.escalation_step + 1
    for (const { channel_id, settings } of own.get(step) ?? []) {
      joinings.push({ alert, channelId: channel_id, settings, step })
    }
    const atMs = nextStepMs(alert, own.get(step), own.get(step + 1), clock.now())
    const alike = taken.get(`${step} ${atMs}`) ?? { step, atMs, ids: [] }
    alike.ids.push(alert.id)
    taken.set(`${step} ${atMs}`, alike)
  }
  if (joinings.length > 0) await notices.join(tx, joinings)
  for (const { step, atMs, ids } of taken.values()) {
    await noteStep(tx, ids, step, atMs)
    if (atMs !== null) await lookAt(tx, jobs, atMs)
  }
}

/** As long after this step as the rule says, also where the alert was taken on for a while in between. */
function nextStepMs(
  { escalate_ms }: AlertRow,
  step: Route[] | undefined,
  next: Route[] | undefined,
  nowMs: number
): number | null {
  const [[taken], [to]] = [step ?? [], next ?? []]
  return to === undefined ? null : (escalate_ms ?? nowMs) + to.after_ms - (taken?.after_ms ?? 0)
}
