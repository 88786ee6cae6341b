import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Gate } from '../../../data/gate.ts'
import { PROCESS_BYTES } from '../../../data/limits.ts'
import type { HostSettings, ServerCalls } from '../protocol/protocol.ts'
import { HEAP_MIB, HostProcess } from './host-process.ts'

/** Memory that a process takes beside that of its SQL: what Node and DuckDB take by themselves, and what JavaScript may. */
const BESIDES_BYTES = PROCESS_BYTES + HEAP_MIB * 1024 * 1024
/** Runs that have a process to themselves because they may have ended another; more of them wait. */
const MAX_ALONE = 2

export interface HostsSettings extends Omit<HostSettings, 'folder' | 'memoryBytes' | 'spillBytes' | 'processBytes'> {
  /** Where hosts have their files; emptied at the start. */
  readonly folder: string
  /** For the SQL of all hosts together. */
  readonly memoryBytes: number
  readonly spillBytes: number
  readonly maxHosts: number
}

/**
 * The processes that run pipelines. Each pipeline gets one of its own while there are few; more than `maxHosts` share them,
 * because a process takes more memory than most pipelines do.
 */
export class Hosts {
  readonly #settings: HostsSettings
  readonly #server: ServerCalls
  /** Called when a process has ended that nobody here has ended. */
  readonly #onDeath: () => void
  readonly #hosts = new Set<HostProcess>()
  readonly #alone = new Gate(MAX_ALONE, Number.POSITIVE_INFINITY)
  #made = 0
  #prepared: Promise<void> | undefined
  #isClosed = false

  constructor(settings: HostsSettings, server: ServerCalls, onDeath: () => void) {
    this.#settings = settings
    this.#onDeath = onDeath
    this.#server = server
  }

  /** The one with the least to do, for a run; give it back with `release`. */
  take(): HostProcess {
    const shared = this.#shared()
    const [least] = shared.sort((a, b) => a.runs - b.runs)
    const isEnough = least?.runs === 0 || shared.length >= this.#settings.maxHosts
    // At once and not after a while: many runs may begin together, and each is to see those before it.
    const host = least !== undefined && isEnough ? least : this.#start()
    host.runs += 1
    return host
  }

  /** One that nobody else gets, as soon as there is a place for it. */
  async takeAlone(signal: AbortSignal): Promise<HostProcess> {
    await this.#alone.enter(signal)
    try {
      const host = this.#start()
      host.isAlone = true
      host.runs += 1
      return host
    } catch (error) {
      this.#alone.leave()
      throw error
    }
  }

  /** Others may have it too from now on. Answers false where there are enough without it: its run has to go to one of those. */
  share(host: HostProcess): boolean {
    if (!host.isAlone) return true
    if (this.#shared().length >= this.#settings.maxHosts) return false
    host.isAlone = false
    this.#alone.leave()
    return true
  }

  release(host: HostProcess): void {
    host.runs -= 1
    if (host.isAlone) this.#alone.leave()
    // One stays, for what is asked next; the others' memory is better used elsewhere.
    if (host.isAlone || (host.runs === 0 && this.#hosts.size > 1)) this.#end(host)
  }

  /** How many there are, and what all of them take of the memory of the machine. */
  async census(): Promise<{ count: number; residentBytes: number }> {
    const each = await Promise.all([...this.#hosts].map((host) => host.residentBytes()))
    return { count: each.length, residentBytes: each.reduce((sum, bytes) => sum + bytes, 0) }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#hosts].map((host) => host.kill()))
  }

  #start(): HostProcess {
    if (this.#isClosed) throw new Error('No host is started while the server ends')
    const { folder, maxHosts, memoryBytes, spillBytes, ...rest } = this.#settings
    this.#made += 1
    const own = join(folder, `host-${this.#made}`)
    const share = {
      processBytes: BESIDES_BYTES,
      memoryBytes: Math.floor(memoryBytes / (this.#hosts.size + 1)),
      spillBytes: Math.floor(spillBytes / maxHosts)
    }
    const folderIsThere = this.#emptied().then(() => mkdir(own, { recursive: true }))
    const host = new HostProcess({ ...rest, ...share, folder: own }, this.#server, folderIsThere)
    this.#hosts.add(host)
    this.#shareOut()
    void host.ended.then(() => {
      this.#hosts.delete(host)
      this.#shareOut()
      if (!host.isKilled) this.#onDeath()
      return rm(own, { recursive: true, force: true })
    })
    return host
  }

  #shared(): HostProcess[] {
    return [...this.#hosts].filter(({ isAlone }) => !isAlone)
  }

  /** Once, before the first folder is made. */
  #emptied(): Promise<void> {
    this.#prepared ??= rm(this.#settings.folder, { recursive: true, force: true }).catch((error) => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  #end(host: HostProcess): void {
    this.#hosts.delete(host)
    this.#shareOut()
    void host.kill()
  }

  /** The memory is that of the hosts there are, not of those there could be. */
  #shareOut(): void {
    const share = Math.floor(this.#settings.memoryBytes / Math.max(1, this.#hosts.size))
    for (const host of this.#hosts) host.resize(share)
  }
}
