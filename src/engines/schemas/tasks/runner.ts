import { SchemaFault } from '../fault.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts'
import { startThread, TaskRefusal, type TaskThread, typesIn } from './thread.ts'

/** Tasks of this size run at once on the main thread. They take some hundred microseconds. */
const HERE_CHARS = 16_000
const HERE_STEPS = 20_000
/** What a task may cost on the thread: its time is what counts, the steps keep the memory flat. */
const THREAD_STEPS = 3_000_000
const MAX_WAITING = 64
const IDLE_MS = 30_000

/** The processor time that a task may take. It grows with the input, since a long history takes longer to parse. */
const cpuMsFor = (chars: number) => 200 + chars / 4000

/** Tasks that never run on the main thread: they take values of users, or long. */
const ALWAYS_ON_THREAD: readonly TaskName[] = ['validate', 'examples', 'convert', 'jsonSchema', 'infer']

interface WaitingTask {
  readonly name: TaskName
  readonly input: unknown
  resolve(output: unknown): void
  reject(error: unknown): void
}

/**
 * Runs tasks about schemas. Most schemas are small, and computed before it would be worth to send them to another thread.
 * Large ones, and those that make regular expressions of users run, go to one thread, which is ended where it takes too long.
 */
export class TaskRunner {
  /** Loaded with the first task: the server starts without the formats. */
  #tasks: typeof import('./tasks.ts') | undefined
  #thread: TaskThread | undefined
  #isBusy = false
  #isClosed = false
  #idle: NodeJS.Timeout | undefined
  readonly #waiting: WaitingTask[] = []

  async run<N extends TaskName>(name: N, input: TaskInput<N>): Promise<TaskOutput<N>> {
    this.#tasks ??= await import('./tasks.ts')
    return this.now(name, input) ?? (this.#onThread(name, input) as Promise<TaskOutput<N>>)
  }

  /** The output of a task that is small enough to run at once; undefined for any other. */
  now<N extends TaskName>(name: N, input: TaskInput<N>): TaskOutput<N> | undefined {
    if (this.#tasks === undefined || ALWAYS_ON_THREAD.includes(name)) return undefined
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
    for (const { reject } of this.#waiting.splice(0)) reject(new TaskRefusal('closed'))
    await this.#endThread()
  }

  #onThread(name: TaskName, input: unknown): Promise<unknown> {
    if (this.#isClosed) throw new TaskRefusal('closed')
    if (this.#waiting.length >= MAX_WAITING) throw new TaskRefusal('overloaded')
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, input, resolve, reject })
      if (!this.#isBusy) void this.#workOff()
    })
  }

  /** One task after the other, on a thread that is kept for a while. */
  async #workOff(): Promise<void> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift()) {
      this.#thread ??= startThread()
      const { name, input } = task
      await this.#thread
        .run({ name, input, steps: THREAD_STEPS }, cpuMsFor(weigh(input).chars))
        .then(task.resolve, task.reject)
      // Whoever sends one such schema often sends the next: that one need not wait for a thread to begin.
      if (this.#thread?.isBroken) this.#thread = this.#isClosed ? undefined : startThread(typesIn(input))
    }
    this.#isBusy = false
    this.#idle = setTimeout(() => void this.#endThread(), IDLE_MS).unref()
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }
}

/** How much is written in the input of a task, and whether a pattern of a user's would run: on names that it may match. */
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
