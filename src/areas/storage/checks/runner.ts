import type { Clock } from '../../../engines/clock.ts'
import { within } from '../../../engines/timing.ts'
import type { Check } from '../schema.ts'
import { CheckFailure, toFailure } from './failure.ts'
import type { CheckName } from './names.ts'

/** One check of a store. */
export interface Step {
  readonly name: CheckName
  /** The checks that have to succeed before this one is tried. */
  readonly needs: readonly CheckName[]
  /** The permission that the step needs. */
  readonly permission?: string | undefined
  /** Answers a sentence about what was found. */
  run(): Promise<string | Skipped>
}

/** The result of a step that does not apply to a store. */
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
  /** The step that goes on although its time is up; it may still change the store. */
  readonly late: Promise<unknown> | undefined
}

/** Runs the steps one after another; a step that takes too long is the last one. */
export async function runSteps(steps: readonly Step[], clock: Clock, { stepMs, wholeMs }: Limits): Promise<Tried> {
  const checks: Check[] = []
  const worked = new Set<CheckName>()
  /** For each step that was not tried: the step whose failure is the reason. */
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
