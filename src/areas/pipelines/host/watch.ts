import type { Activity, RunReports } from '../protocol/run-spec.ts'

const TELL_EVERY_MS = 10_000

/** Tells what a run is at that has not got on for a while. */
export class Watch {
  readonly #reports: RunReports
  /** When what is told of was told last; undefined while nothing is. */
  #toldMs: number | undefined

  constructor(reports: RunReports) {
    this.#reports = reports
  }

  look(busy: Activity | undefined, nowMs: number): void {
    if (busy === undefined || nowMs - busy.sinceMs < TELL_EVERY_MS) {
      if (this.#toldMs !== undefined) this.#reports.activity?.(null)
      this.#toldMs = undefined
      return
    }
    this.#reports.activity?.(busy)
    if (this.#toldMs !== undefined && nowMs - this.#toldMs < TELL_EVERY_MS) return
    this.#toldMs = nowMs
    const seconds = Math.round((nowMs - busy.sinceMs) / 1000)
    const message = `Still at ${busy.what}, of ${busy.records} records, after ${seconds} s`
    this.#reports.log({ level: 'info', node: busy.nodeId === '' ? null : busy.nodeId, message })
  }
}
