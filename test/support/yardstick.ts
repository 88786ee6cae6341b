import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Processor time of the work below on the machine that limits were set on, with nothing else running there. */
const REFERENCE_MS = 60
const AGAIN_AFTER_MS = 10_000
const ROUNDS = 3

/** How much slower this machine is than the one that limits were set on, over some time; 1 where it is not. */
export class Yardstick {
  readonly #measured: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#measured.push(measureMs())
    // Others on the machine come and go.
    this.#timer = setInterval(() => this.#measured.push(measureMs()), AGAIN_AFTER_MS)
  }

  close(): number {
    clearInterval(this.#timer)
    return slownessOf(this.#measured)
  }
}

/** The same at this moment, for limits within a test: `limitMs * slowness()`. */
export function slowness(): number {
  return slownessOf(Array.from({ length: ROUNDS }, measureMs))
}

function slownessOf(measured: readonly number[]): number {
  const middle = measured.toSorted((one, other) => one - other)[measured.length >> 1] as number
  return Math.max(1, middle / REFERENCE_MS)
}

/**
 * How long the main thread of a process has waited for a processor that others had, which is no fault of its own. None
 * where the system does not tell.
 */
export function heldUpMs(pid: number): number {
  try {
    const [, waitedNs = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return waitedNs / 1e6
  } catch {
    return 0
  }
}

/** Of the kinds of work that tests do: objects, texts, sorting, hashing. */
function measureMs(): number {
  const before = process.cpuUsage()
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
  return (user + system) / 1000
}
