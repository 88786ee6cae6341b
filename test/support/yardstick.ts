import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** How long the work below takes on the machine for which limits were set, with nothing else running. */
const REFERENCE_MS = 60
const AGAIN_AFTER_MS = 10_000
const TIMES = 3

/** How much more processor time work takes here than on the machine that limits were set on, over a while; at least 1. */
export class Yardstick {
  readonly #measured: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#measured.push(measure().processorMs)
    // Measured repeatedly, because other load on the machine comes and goes.
    this.#timer = setInterval(() => this.#measured.push(measure().processorMs), AGAIN_AFTER_MS)
  }

  close(): number {
    clearInterval(this.#timer)
    return ratio(this.#measured)
  }
}

/** How much longer work takes by the clock at this moment, as others use the machine too; at least 1. */
function slowness(): number {
  return ratio(Array.from({ length: TIMES }, () => measure().ms))
}

/** Fails where work takes longer than a limit that was set on an idle machine. */
export async function within<Result>(limitMs: number, work: () => Result | Promise<Result>): Promise<Result> {
  const startedMs = performance.now()
  const result = await work()
  assertMs(performance.now() - startedMs, limitMs)
  return result
}

/** Does the same for a time that was measured a moment ago. */
export function assertMs(tookMs: number, limitMs: number): void {
  if (tookMs < limitMs) return
  const allowedMs = limitMs * slowness()
  assert.ok(
    tookMs < allowedMs,
    `it took ${Math.round(tookMs)} ms, and may take ${Math.round(allowedMs)} ms at this moment`
  )
}

function ratio(measured: readonly number[]): number {
  const middle = measured.toSorted((one, other) => one - other)[measured.length >> 1] as number
  return Math.max(1, middle / REFERENCE_MS)
}

/** Measures kinds of work that tests do: objects, texts, sorting, hashing. */
function measure(): { ms: number; processorMs: number } {
  const [startedMs, before] = [performance.now(), process.cpuUsage()]
  const things = Array.from({ length: 20_000 }, (_, index) => ({ id: (index * 7919) % 20_011, name: `thing ${index}` }))
  for (let round = 0; round < 3; round++) {
    things.sort((one, other) => (round === 1 ? one.id - other.id : one.name < other.name ? -1 : 1))
    const text = JSON.stringify(things)
    createHash('sha256')
      .update(text)
      .update(JSON.stringify(JSON.parse(text)))
      .digest()
  }
  const { user, system } = process.cpuUsage(before)
  return { ms: performance.now() - startedMs, processorMs: (user + system) / 1000 }
}
