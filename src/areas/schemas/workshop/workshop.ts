import { Problem } from '../../../errors.ts'
import { SchemaFault } from '../formats/fault.ts'
import { type Bench, startBench } from './bench.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts'
import { typesIn } from './types-in.ts'

/** What is done at once, between two requests: some hundred microseconds. */
const HERE_CHARS = 16_000
const HERE_STEPS = 20_000
/** What a question may cost on the other thread; its time is what counts, the steps keep the memory flat. */
const AWAY_STEPS = 3_000_000
const MAX_WAITING = 64
const IDLE_MS = 30_000

/** Of processor time; what there is to read takes some, and a long history is nobody's fault. */
const cpuMsFor = (chars: number) => 200 + chars / 4000

/** Asked for with values of users, or known to take long. */
const ALWAYS_AWAY: readonly TaskName[] = ['validate', 'examples', 'convert', 'jsonSchema', 'infer']

interface Job {
  readonly name: TaskName
  readonly input: unknown
  resolve(output: unknown): void
  reject(error: unknown): void
}

/**
 * Where schemas are worked on. Most are small and done with before it would be worth to send them anywhere; large ones,
 * and those that make regular expressions of users run, go to a thread of their own, which is ended where it takes too long.
 */
export class Workshop {
  /** Loaded with the first question: the server starts without the formats. */
  #tasks: typeof import('./tasks.ts') | undefined
  #bench: Bench | undefined
  #isBusy = false
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  readonly #waiting: Job[] = []

  async run<N extends TaskName>(name: N, input: TaskInput<N>): Promise<TaskOutput<N>> {
    this.#tasks ??= await import('./tasks.ts')
    return this.now(name, input) ?? (this.#away(name, input) as Promise<TaskOutput<N>>)
  }

  /** The answer, where it is to be had at once; undefined where it has to be waited for. */
  now<N extends TaskName>(name: N, input: TaskInput<N>): TaskOutput<N> | undefined {
    if (this.#tasks === undefined || ALWAYS_AWAY.includes(name)) return undefined
    const { chars, runsPatterns } = weigh(input)
    if (chars > HERE_CHARS || runsPatterns) return undefined
    try {
      return this.#tasks.runTask(name, input, HERE_STEPS)
    } catch (error) {
      if (error instanceof SchemaFault && error.kind === 'too_complex') return undefined
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Problem('shutting_down'))
    await this.#putAway()
  }

  #away(name: TaskName, input: unknown): Promise<unknown> {
    if (this.#isClosed) throw new Problem('shutting_down')
    if (this.#waiting.length >= MAX_WAITING) throw new Problem('overloaded', { headers: { 'retry-after': '1' } })
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, input, resolve, reject })
      if (!this.#isBusy) void this.#workOff()
    })
  }

  /** One question after the other, on a thread that is kept for a while. */
  async #workOff(): Promise<void> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      this.#bench ??= startBench()
      const { name, input } = job
      await this.#bench
        .ask({ name, input, steps: AWAY_STEPS }, cpuMsFor(weigh(input).chars))
        .then(job.resolve, job.reject)
      // Whoever sends one such schema often sends the next: that one need not wait for a thread to begin.
      if (this.#bench?.isBroken) this.#bench = this.#isClosed ? undefined : startBench(typesIn(input))
    }
    this.#isBusy = false
    this.#idle = setTimeout(() => void this.#putAway(), IDLE_MS).unref()
  }

  async #putAway(): Promise<void> {
    clearTimeout(this.#idle)
    const bench = this.#bench
    this.#bench = undefined
    await bench?.close()
  }
}

/** How much is written in a question, and whether a pattern of a user's would run: on names that it may match. */
function weigh(input: unknown): { chars: number; runsPatterns: boolean } {
  const weight = { chars: 0, runsPatterns: false }
  const left: unknown[] = [input]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') {
      weight.chars += value.length
      weight.runsPatterns ||= value.includes('patternProperties')
    } else if (typeof value === 'object' && value !== null) left.push(...Object.values(value))
  }
  return weight
}
