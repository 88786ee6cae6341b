import type { Clock } from '../../../engines/clock.ts'
import type { RemoteSettings, StoreSettings } from '../../../engines/objects/index.ts'
import { addressOf } from '../../../engines/objects/index.ts'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { within } from '../../../engines/timing.ts'
import type { Check, TestResult } from '../schema.ts'
import { type CheckFailure, toFailure } from './failure.ts'
import { Probe, type Target } from './probe.ts'
import { notTried, runSteps, timeUp } from './runner.ts'
import { diskSteps, objectSteps, remoteSteps } from './steps.ts'
import { summarise } from './summary.ts'
import { Wire } from './wire.ts'

/** Limits of the steps and of the cleaning: together less than the minute that a test may take. */
const LIMITS = { stepMs: 10_000, wholeMs: 42_000 }
const CLEANING_MS = 15_000
/** The part of the cleaning time in which to wait for a step that ran out of time. */
const LATE_MS = 5000

export interface TestTarget extends Omit<Target, 'kind'> {
  readonly settings: StoreSettings
}

export interface TestNeeds {
  readonly clock: Clock
  outbound(): Promise<Outbound>
}

/** Tries each thing that a store has to do, and removes everything that it has put there. */
export async function testStore(target: TestTarget, { clock, outbound }: TestNeeds): Promise<TestResult> {
  const { settings } = target
  const probe = new Probe({ ...target, kind: settings.kind })
  const guard = settings.kind === 'disk' ? undefined : await outbound()
  const wire = guard && new Wire(addressOf(settings as RemoteSettings), guard)
  const way = wire === undefined ? diskSteps() : remoteSteps(wire, probe, clock)
  let last: Promise<Check> | undefined
  try {
    const { checks, late } = await runSteps([...way, ...objectSteps(probe, guard)], clock, LIMITS)
    last = cleanUp(probe, clock, late)
    return summarise([...checks, await last])
  } finally {
    await (last ?? cleanUp(probe, clock, undefined))
    wire?.close()
    await probe.close()
  }
}

/**
 * The last check: whether the written objects can be deleted. Even if none was written there may be a bucket to
 * remove.
 */
async function cleanUp(probe: Probe, clock: Clock, late: Promise<unknown> | undefined): Promise<Check> {
  const startedMs = performance.now()
  const failure = await removeAll(probe, clock, late)
  const ms = Math.round(performance.now() - startedMs)
  if (failure !== undefined) {
    const left = probe.remnants.names().join(', and ')
    return { name: 'delete', ok: false, ms, code: failure.code, message: `${failure.message}; left behind: ${left}` }
  }
  if (!probe.written) return notTried('delete', 'there was nothing to delete')
  return { name: 'delete', ok: true, ms, code: null, message: 'What was written has been deleted again' }
}

async function removeAll(
  probe: Probe,
  clock: Clock,
  late: Promise<unknown> | undefined
): Promise<CheckFailure | undefined> {
  const remove = async () => {
    if (probe.remnants.names().length === 0) return undefined
    if (late !== undefined) {
      await probe.close()
      await within(clock, LATE_MS, late, () => {}).catch(() => {})
    }
    return probe.remnants.remove(await probe.open())
  }
  try {
    return await within(clock, CLEANING_MS, remove(), timeUp(CLEANING_MS))
  } catch (error) {
    return toFailure(error)
  }
}
