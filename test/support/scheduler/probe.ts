import { type Area, declareArea } from '../../../src/area.ts'
import { Closed } from '../../../src/http/schemas.ts'
import { Type } from '../../../src/http/type.ts'
import type { ScheduleTarget, TargetEnd, TargetLineage, TargetRun } from '../../../src/schedule-target.ts'

interface ProbedRun {
  readonly runId: string
  readonly scheduleName: string
  readonly dueAt: string
  readonly attempt: number
  readonly previousDueAt: string | null
  /** Ends it, in one of the ways that a target can end. */
  end(end: TargetEnd): void
}

/** A target that tests look into, and end when they like. */
export class Probe {
  readonly runs: ProbedRun[] = []
  readonly held: ProbedRun[] = []
  /** Whether runs wait for `end`; otherwise they succeed at once. */
  holds = false
  /** What becomes of runs that are not held. */
  end: TargetEnd = { outcome: 'succeeded' }
  /** Whether the lineage is told of runs; to be set before the first schedule is made. */
  tellsLineage = false
  /** What runs tell the lineage before they write. */
  begins: TargetLineage | undefined
  /** What runs wait for before they begin. */
  turn: Promise<unknown> = Promise.resolve()

  readonly area: Area = declareProbeArea(() => this.#target())

  #target(): ScheduleTarget {
    return {
      about: 'For tests.',
      permissions: [],
      config: Closed({ note: Type.Optional(Type.String()) }),
      ...(this.tellsLineage && { tellsLineage: true }),
      turn: async () => {
        await this.turn
        return () => {}
      },
      run: async (run) => {
        if (this.begins !== undefined) await run.begin(this.begins)
        return this.#run(run)
      }
    }
  }

  #run(run: TargetRun): Promise<TargetEnd> {
    const { runId, scheduleName, dueAt, attempt, previousDueAt } = run
    return new Promise((resolve, reject) => {
      const probed: ProbedRun = { runId, scheduleName, dueAt, attempt, previousDueAt, end: resolve }
      this.runs.push(probed)
      if (!this.holds) return resolve(this.end)
      const held: ProbedRun = { ...probed, end: (end) => this.#let(held, () => resolve(end)) }
      this.held.push(held)
      run.signal.addEventListener('abort', () => this.#let(held, () => reject(run.signal.reason)), { once: true })
    })
  }

  #let(run: ProbedRun, go: () => void): void {
    this.held.splice(this.held.indexOf(run), 1)
    go()
  }
}

let made = 0

function declareProbeArea(target: () => ScheduleTarget): Area {
  made += 1
  return declareArea({
    name: `probes-${made}`,
    about: 'For tests.',
    paths: [`/api/probes-${made}`],
    scheduleTargets: { probe: async () => target() },
    load: async () => () => ({ routes: [] })
  })
}
