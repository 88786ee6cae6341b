import { createHash } from 'node:crypto'

/** Processor time of the work below on the machine that limits were set on, with nothing else running there. */
const REFERENCE_MS = 60
const AGAIN_AFTER_MS = 10_000

/** How much slower this machine is at the moment than the one that limits were set on; 1 where it is not. */
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
    const middle = this.#measured.toSorted((one, other) => one - other)[this.#measured.length >> 1] as number
    return Math.max(1, middle / REFERENCE_MS)
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
