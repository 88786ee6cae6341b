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
  readonly #hosts = new Set<HostProcess>()
  #made = 0
  #prepared: Promise<void> | undefined
  #isClosed = false

  constructor(settings: HostsSettings, server: ServerCalls) {
    this.#settings = settings
    this.#server = server
  }

  /** The one with the least to do, for a run; give it back with `release`. */
  async take(): Promise<HostProcess> {
    const host = await this.#leastBusy()
    host.runs += 1
    return host
  }

  release(host: HostProcess): void {
    host.runs -= 1
    // One stays, for what is asked next; the others' memory is better used elsewhere.
    if (host.runs === 0 && this.#hosts.size > 1) this.#end(host)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#hosts].map((host) => host.kill()))
  }

  async #leastBusy(): Promise<HostProcess> {
    const [least] = [...this.#hosts].sort((a, b) => a.runs - b.runs)
    if (least !== undefined && (least.runs === 0 || this.#hosts.size >= this.#settings.maxHosts)) return least
    return this.#start()
  }

  async #start(): Promise<HostProcess> {
    const { folder, maxHosts, memoryBytes, spillBytes, ...rest } = this.#settings
    this.#prepared ??= rm(folder, { recursive: true, force: true }).catch((error) => {
      this.#prepared = undefined
      throw error
    })
    await this.#prepared
    this.#made += 1
    const own = join(folder, `host-${this.#made}`)
    await mkdir(own, { recursive: true })
    if (this.#isClosed) throw new Error('No host is started while the server ends')
    const share = {
      memoryBytes: Math.floor(memoryBytes / (this.#hosts.size + 1)),
      spillBytes: Math.floor(spillBytes / maxHosts)
    }
    const host = new HostProcess({ ...rest, ...share, folder: own }, this.#server)
    this.#hosts.add(host)
    this.#shareOut()
    void host.ended.then(() => {
      this.#hosts.delete(host)
      this.#shareOut()
      return rm(own, { recursive: true, force: true })
    })
    return host
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
