const LOOK_MS = 500
/** If the process is late by more than this, new work would only make it worse. */
const MAX_LATE_MS = 1000
/** One long piece of work is over when it is noticed; only a process that is late several times in a row is behind. */
const LATE_IN_A_ROW = 3

/** Whether the process is behind with its work. It is measured by how late a regular timer fires. */
export class Pressure {
  #late = 0

  get isHigh(): boolean {
    return this.#late >= LATE_IN_A_ROW
  }

  note(lateMs: number): void {
    this.#late = lateMs > MAX_LATE_MS ? this.#late + 1 : 0
  }
}

/**
 * Uses real time rather than the injected clock, since the process itself is measured. The returned function ends it.
 */
export function watchPressure(pressure: Pressure): () => void {
  let dueMs = performance.now() + LOOK_MS
  const timer = setTimeout(() => {
    pressure.note(performance.now() - dueMs)
    dueMs = performance.now() + LOOK_MS
    timer.refresh()
  }, LOOK_MS)
  timer.unref()
  return () => clearTimeout(timer)
}
