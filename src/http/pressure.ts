const LOOK_MS = 500
/** Beyond this the process is so far behind that new work would only make it worse. */
const MAX_LATE_MS = 1000
/** One piece of work that takes long is over when it is noticed; a process that is behind is late again and again. */
const LATE_IN_A_ROW = 3

/** Whether the process is behind with its work, told by how late it comes to look. */
export class Pressure {
  #late = 0

  get isHigh(): boolean {
    return this.#late >= LATE_IN_A_ROW
  }

  note(lateMs: number): void {
    this.#late = lateMs > MAX_LATE_MS ? this.#late + 1 : 0
  }
}

/** In true time, whatever the clock says: it is the process that is looked at. The returned function ends it. */
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
