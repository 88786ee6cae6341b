import type { Clock } from '../../../engines/clock.ts'
import type { Death, HostProcess } from './host-process.ts'
import type { Hosts } from './hosts.ts'
import type { Suspects } from './suspects.ts'

/** A process that takes longer than this to stop a run is ended. */
const STOP_LIMIT_MS = 4500

interface Needs {
  readonly clock: Clock
  readonly hosts: Hosts
  readonly suspects: Suspects
}

/** The process that a run is in: one of its own while it is suspected of having ended one that it shared. */
export class RunPlace {
  readonly #runId: string
  readonly #needs: Needs
  #host: HostProcess | undefined
  /** Ends the wait for a process of its own. */
  readonly #waiting = new AbortController()
  /** When it began to run; undefined until then. */
  #beganMs: number | undefined
  #hasCommitted = false

  constructor(runId: string, needs: Needs) {
    this.#runId = runId
    this.#needs = needs
  }

  /** Undefined until there is one. */
  get host(): HostProcess | undefined {
    return this.#host
  }

  async take(): Promise<HostProcess> {
    const { hosts, suspects } = this.#needs
    const isSuspect = suspects.has(this.#runId)
    this.#host = await (isSuspect ? hosts.takeAlone(this.#waiting.signal) : hosts.take())
    return this.#host
  }

  release(): void {
    if (this.#host !== undefined) this.#needs.hosts.release(this.#host)
  }

  began(): void {
    this.#beganMs = this.#needs.clock.elapsed()
  }

  committed(): void {
    this.#hasCommitted = true
  }

  /** Has the run stopped; where that takes too long, by ending the process. */
  stop(ended: Promise<void>): void {
    const host = this.#host
    this.leave()
    if (host === undefined) return
    const cancel = this.#needs.clock.after(STOP_LIMIT_MS, () => void host.kill())
    void ended.then(cancel)
  }

  /** The same without a limit, for a run that is not this replica's any more. */
  leave(): void {
    this.#waiting.abort()
    void this.#host?.call('stop', this.#runId).catch(() => {})
  }

  /** How the process has ended; undefined where it has not. */
  get death(): Death | undefined {
    return this.#host?.death
  }

  /**
   * Whether a run that was suspected, and has done no harm since, has to begin anew in another process: there are enough without
   * its own. Where there are not, others may come to it.
   */
  isToRejoin(isAtWork: boolean): boolean {
    const { suspects, hosts, clock } = this.#needs
    if (this.#host === undefined || this.#beganMs === undefined || !suspects.has(this.#runId)) return false
    const forMs = clock.elapsed() - this.#beganMs
    if (!suspects.clear(this.#runId, { forMs, hasCommitted: this.#hasCommitted, isAtWork })) return false
    return !hosts.share(this.#host)
  }
}
