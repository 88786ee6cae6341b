import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChannelMessage } from '../../../engines/channel.ts'
import { compiledCodeEnv } from '../../../engines/compiled-code.ts'
import { processorMsOf } from '../../../engines/processor-time.ts'
import { NodeFault } from '../contract/context.ts'
import { OUT_OF_MEMORY_SIGNAL } from '../host/memory-limit.ts'
import { type Calls, openCalls } from '../protocol/channel.ts'
import type { HostCalls, HostSettings, ServerCalls } from '../protocol/protocol.ts'

export const HEAP_MIB = 512
/** A statement holds one thread while it runs; enough of them that pipelines of a host do not wait for each other. */
const THREADS = 32
/** Answers to requests come before the work of pipelines. */
const NICENESS = 5
const RESIZE_AGAIN_MS = 2000
/** Time that a process has to say how much memory it takes. Where it is too busy, what it said last counts. */
const MEMORY_ANSWER_MS = 500

export interface Death {
  /** It took more than it may. */
  readonly isMemory: boolean
  readonly signal: string
  /** How many runs it had. */
  readonly runs: number
}

/** A process that runs pipelines. */
export class HostProcess {
  readonly #child: ChildProcess
  readonly #calls: Calls<HostCalls>
  /** Rejects where it can't be made ready; it ends then. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended, however that came. */
  readonly ended: Promise<void>
  /** The runs it has been given, by how many. */
  runs = 0
  /** Whether it is kept for the one run that it has. */
  isAlone = false
  /** How it ended, where nobody here has ended it. */
  death: Death | undefined
  #memoryBytes = 0
  #hasEnded = false
  #residentBytes = 0
  /** Whether somebody here has ended it. */
  isKilled = false

  /** Nothing is asked of it before its folder is there. */
  constructor(settings: HostSettings, server: ServerCalls, folderIsThere: Promise<unknown>) {
    // The name is for whoever looks at the processes of the machine: `host-3` runs pipelines, `trial-1` checks and previews.
    this.#child = fork(new URL('../host/main.ts', import.meta.url), [basename(settings.folder)], {
      env: { ...compiledCodeEnv(), UV_THREADPOOL_SIZE: String(THREADS) },
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced'
    })
    this.#calls = openCalls((message) => this.#child.send(message, () => {}), server)
    this.#child.on('message', (message: ChannelMessage) => this.#calls.hear(message))
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        const isMemory = signal === OUT_OF_MEMORY_SIGNAL
        if (!this.isKilled) this.death = { isMemory, signal: String(signal ?? code), runs: this.runs }
        this.#calls.end(
          new NodeFault('transient', 'worker_died', `The process of the pipeline ended (${signal ?? code})`)
        )
        this.#hasEnded = true
        resolve()
      })
      this.#child.once('error', () => resolve())
    })
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, NICENESS)
    this.ready = folderIsThere.then(() => this.#calls.call('configure', settings))
    // One that can't be made ready is of no use to anybody, who may ask for another.
    this.ready.catch(() => this.kill())
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** The time that it has had of the processor so far; undefined where the system does not say. */
  processorMs(): number | undefined {
    return this.#child.pid === undefined ? undefined : processorMsOf(this.#child.pid)
  }

  async call<M extends keyof HostCalls>(
    method: M,
    ...args: Parameters<HostCalls[M]>
  ): Promise<Awaited<ReturnType<HostCalls[M]>>> {
    await this.ready
    return this.#calls.call(method, ...(args as never)) as never
  }

  /** How much memory its SQL may have. One that can't do with less right now is asked again, until it can or is to have more. */
  resize(memoryBytes: number): void {
    this.#memoryBytes = memoryBytes
    this.call('resize', memoryBytes).catch(() => {
      const again = () => !this.#hasEnded && this.#memoryBytes === memoryBytes && this.resize(memoryBytes)
      setTimeout(again, RESIZE_AGAIN_MS).unref()
    })
  }

  /** What it takes of the memory of the machine, or took when it said so last. */
  async residentBytes(): Promise<number> {
    const answered = this.call('residentBytes').then((bytes) => {
      this.#residentBytes = bytes
    })
    await Promise.race([answered.catch(() => {}), delay(MEMORY_ANSWER_MS, undefined, { ref: false })])
    return this.#residentBytes
  }

  /** What it has not committed counts for nothing, so that there is nothing to be kind about. */
  async kill(): Promise<void> {
    this.isKilled = true
    this.#child.kill('SIGKILL')
    await this.ended
  }
}
