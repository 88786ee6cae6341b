import type { Clock } from '../../../engines/clock.ts'
import { within } from '../../../engines/timing.ts'
import type { Check } from '../schema.ts'
import { CheckFailure, toFailure } from './failure.ts'
import type { CheckName } from './names.ts'

/** One thing that is tried. */
export interface Step {
  readonly name: CheckName
  /** What has to work for it to be worth a try. */
  readonly needs: readonly CheckName[]
  /** The permission it takes. */
  readonly permission?: string | undefined
  /** Answers what was found. */
  run(): Promise<string | Skipped>
}

/** What does not apply to a store. */
export class Skipped {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

class TimeUp extends CheckFailure {
  constructor(limitMs: number) {
    super('timed_out', `There was no result after ${limitMs / 1000} s; check that the store is up, and try again`)
  }
}

export interface Limits {
  readonly stepMs: number
  readonly wholeMs: number
}

export interface Tried {
  readonly checks: Check[]
  /** What goes on although its time is up, and may still do something. */
  readonly late: Promise<unknown> | undefined
}

/** Tries one after the other; the first that takes too long is the last. */
export async function runSteps(steps: readonly Step[], clock: Clock, { stepMs, wholeMs }: Limits): Promise<Tried> {
  const checks: Check[] = []
  const worked = new Set<CheckName>()
  /** By what was not tried: what failed in the first place. */
  const roots = new Map<CheckName, CheckName>()
  const end = clock.elapsed() + wholeMs
  let late: Promise<unknown> | undefined
  for (const step of steps) {
    const missing = step.needs.find((name) => !worked.has(name))
    const leftMs = end - clock.elapsed()
    if (missing !== undefined || late !== undefined || leftMs <= 0) {
      const root = missing && (roots.get(missing) ?? missing)
      if (root !== undefined) roots.set(step.name, root)
      checks.push(notTried(step.name, root === undefined ? 'the time is up' : `${root} did not work`))
      continue
    }
    const startedMs = performance.now()
    const record = (ok: boolean, code: string | null, message: string) => {
      checks.push({ name: step.name, ok, ms: Math.round(performance.now() - startedMs), code, message })
      if (ok) worked.add(step.name)
    }
    const work = step.run()
    const limitMs = Math.min(stepMs, leftMs)
    try {
      const found = await within(clock, limitMs, work, timeUp(limitMs))
      if (found instanceof Skipped) record(true, 'skipped', found.why)
      else record(true, null, found)
    } catch (error) {
      const { code, message } = toFailure(error, step.permission)
      if (error instanceof TimeUp) late = work
      record(false, code, message)
    }
  }
  return { checks, late }
}

export function notTried(name: CheckName, why: string): Check {
  return { name, ok: false, ms: 0, code: 'not_tried', message: `Not tried, because ${why}` }
}

export const timeUp = (limitMs: number) => () => {
  throw new TimeUp(limitMs)
}
