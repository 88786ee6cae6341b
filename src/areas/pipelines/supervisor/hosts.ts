import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostSettings, ServerCalls } from '../protocol.ts'
import { HostProcess } from './host-process.ts'

export interface HostsSettings extends Omit<HostSettings, 'folder' | 'memoryBytes' | 'spillBytes'> {
  /** For files of the hosts; emptied at the start. */
  readonly folder: string
  /** Of all hosts together. */
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
  /** Told of one that nobody here has ended. */
  readonly #onDeath: () => void
  readonly #hosts = new Set<HostProcess>()
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
    const [least] = [...this.#hosts].sort((a, b) => a.runs - b.runs)
    const isEnough = least?.runs === 0 || this.#hosts.size >= this.#settings.maxHosts
    // At once and not after a while: many runs may begin together, and each is to see those before it.
    const host = least !== undefined && isEnough ? least : this.#start()
    host.runs += 1
    return host
  }

  release(host: HostProcess): void {
    host.runs -= 1
    // One stays, for what is asked next; the others' memory is better used elsewhere.
    if (host.runs === 0 && this.#hosts.size > 1) this.#end(host)
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
