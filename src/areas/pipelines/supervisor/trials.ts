import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PROCESS_BYTES } from '../../../data/limits.ts'
import type { Clock } from '../../../engines/clock.ts'
import { within } from '../../../engines/timing.ts'
import { NodeFault } from '../contract/context.ts'
import type { HostCalls, HostSettings, ServerCalls } from '../protocol/protocol.ts'
import { HostProcess } from './host-process.ts'
import { busy, TrialPlaces } from './trial-places.ts'

const MIB = 1024 * 1024
/** Time for the answer once there is a process, and time to wait for a place. */
const LIMIT_MS = 10_000
/** Time for a process to start, which does not count against the question: on a busy machine it takes long. */
const START_LIMIT_MS = 30_000
/** Time for a check that gets hardly any of a busy processor. */
const LONGEST_CHECK_MS = 60_000
const LOOK_AGAIN_MS = 1000
const IDLE_LIMIT_MS = 30_000
const MEMORY_BYTES = 256 * MIB
const SPILL_BYTES = 512 * MIB

export interface TrialSettings extends Pick<HostSettings, 'allowPrivateNetworks' | 'allowedHosts'> {
  /** Where the processes have their files; emptied at the start. */
  readonly folder: string
}

/**
 * Processes that run no pipeline, for SQL that nobody has run before: checks and previews. They have a bounded memory, and are
 * killed where a question takes too long.
 */
export class Trials {
  readonly #settings: TrialSettings
  readonly #server: ServerCalls
  readonly #clock: Clock
  readonly #places = new TrialPlaces()
  readonly #processes = new Set<HostProcess>()
  readonly #idle: HostProcess[] = []
  #made = 0
  #prepared: Promise<void> | undefined
  #cancelIdle: (() => void) | undefined
  #isClosed = false

  constructor(settings: TrialSettings, server: ServerCalls, clock: Clock) {
    this.#settings = settings
    this.#server = server
    this.#clock = clock
  }

  async ask<M extends 'check' | 'preview'>(
    caller: string,
    method: M,
    ...args: Parameters<HostCalls[M]>
  ): Promise<Awaited<ReturnType<HostCalls[M]>>> {
    const waiting = new AbortController()
    const cancel = this.#clock.after(LIMIT_MS, () => waiting.abort(busy()))
    const leave = await this.#places.enter(method, caller, waiting.signal).finally(cancel)
    try {
      const host = await this.#take()
      return await this.#answer(method, host, host.call(method, ...args))
    } finally {
      leave()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelIdle?.()
    await Promise.all([...this.#processes].map((host) => host.kill()))
  }

  /** One that waits, or a new one once it is ready. */
  async #take(): Promise<HostProcess> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    const host = this.#start()
    try {
      await within(this.#clock, START_LIMIT_MS, host.ready, () => {
        throw busy()
      })
      return host
    } catch (error) {
      void host.kill()
      throw error
    }
  }

  async #answer<T>(method: 'check' | 'preview', host: HostProcess, asked: Promise<T>): Promise<T> {
    const late = new AbortController()
    const cancel = this.#watch(host, method, late)
    const isLate = new Promise<never>((_, reject) => {
      late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true })
    })
    try {
      const answer = await Promise.race([asked, isLate])
      this.#rest(host)
      return answer
    } catch (error) {
      if (late.signal.aborted) void host.kill()
      else if (!isDeath(error)) this.#rest(host)
      // The memory is that of one question alone: to ask again would be of no use.
      throw (isDeath(error) || isOutOfMemory(error)) && !late.signal.aborted ? tooLarge(error) : error
    } finally {
      cancel()
    }
  }

  /**
   * Says when it is late. Somebody waits for a preview, which may itself wait for others: the clock counts. A check only
   * computes: what counts is the time of the processor that it has had, or on a busy machine nothing could be created.
   */
  #watch(host: HostProcess, method: 'check' | 'preview', late: AbortController): () => void {
    const startedMs = this.#clock.elapsed()
    const before = host.processorMs()
    let cancel = this.#clock.after(LIMIT_MS, look)
    function usedMs(): number {
      const now = method === 'check' ? host.processorMs() : undefined
      return now === undefined || before === undefined ? LIMIT_MS : now - before
    }
    const clock = this.#clock
    function look(): void {
      const leftMs = LIMIT_MS - usedMs()
      if (leftMs <= 0) late.abort(tooLong())
      else if (clock.elapsed() - startedMs >= LONGEST_CHECK_MS) late.abort(tooBusy())
      else cancel = clock.after(Math.max(leftMs, LOOK_AGAIN_MS), look)
    }
    return () => cancel()
  }

  #start(): HostProcess {
    const { folder, ...rest } = this.#settings
    this.#prepared ??= rm(folder, { recursive: true, force: true }).catch((error) => {
      this.#prepared = undefined
      throw error
    })
    this.#made += 1
    const own = join(folder, `trial-${this.#made}`)
    const folderIsThere = this.#prepared.then(() => mkdir(own, { recursive: true }))
    if (this.#isClosed) throw new NodeFault('transient', 'closed', 'The server is ending')
    const limits = { memoryBytes: MEMORY_BYTES, spillBytes: SPILL_BYTES, processBytes: PROCESS_BYTES }
    const host = new HostProcess({ ...rest, ...limits, threads: 1, folder: own }, this.#server, folderIsThere)
    this.#processes.add(host)
    void host.ended.then(() => {
      this.#processes.delete(host)
      const place = this.#idle.indexOf(host)
      if (place >= 0) this.#idle.splice(place, 1)
      return rm(own, { recursive: true, force: true })
    })
    return host
  }

  /** Whoever tries things out tries more; when nobody does, the memory is better used elsewhere. */
  #rest(host: HostProcess): void {
    this.#idle.push(host)
    this.#cancelIdle?.()
    this.#cancelIdle = this.#clock.after(IDLE_LIMIT_MS, () => {
      for (const idle of this.#idle.splice(0)) void idle.kill()
    })
  }
}

const tooLong = () => new NodeFault('fatal', 'too_long', `It took longer than ${LIMIT_MS / 1000} s, and was ended`)

const tooBusy = () =>
  new NodeFault('transient', 'busy', 'The machine has too much else to do: this could not be checked within a minute')

const tooLarge = (cause: unknown) =>
  new NodeFault('fatal', 'too_large', `It took more than the ${MEMORY_BYTES / MIB} MiB of memory it may have`, {
    cause
  })

const isOutOfMemory = (error: unknown): boolean => error instanceof NodeFault && error.code === 'out_of_memory'

const isDeath = (error: unknown): boolean => error instanceof NodeFault && error.code === 'worker_died'
