import { PassThrough } from 'node:stream'
import type { Client } from 'basic-ftp'
import type { Outbound } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import { entrySteps } from '../entry.ts'
import type { Pattern } from '../files/pattern.ts'
import type { FilePlace, FoundFile } from '../files/place.ts'
import { type FolderEntry, walk } from '../files/walk.ts'
import type { Step } from '../index.ts'
import { reachSteps } from '../reach.ts'
import type { FtpSettings } from './config.ts'
import { fromFtp } from './errors.ts'
import { enterFtp } from './session.ts'

/** Where a list has no times that can be told from each other, each file is asked for its own. */
const UNKNOWN = -1

export class FtpPlace implements FilePlace {
  readonly #settings: FtpSettings
  readonly #outbound: Outbound
  readonly #open = new Set<Client>()

  constructor(settings: FtpSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
  }

  get steps(): readonly Step[] {
    const steps = [
      ...reachSteps(this.#settings, this.#outbound),
      ...entrySteps(this.#settings, (signal) => this.#using(signal, async () => undefined))
    ]
    return withFirstLook(steps, this.#settings, this.#outbound, { greeting: 'ftp' })
  }

  async *list(pattern: Pattern, signal: AbortSignal): AsyncGenerator<FoundFile> {
    const client = await this.#enter(signal)
    try {
      const home = await client.pwd()
      for await (const file of walk(pattern, (folder) => listFolder(client, home, folder), signal)) {
        yield file.modifiedMs === UNKNOWN ? await timed(client, home, file) : file
      }
    } catch (error) {
      signal.throwIfAborted()
      throw fromFtp(error, pattern.text)
    } finally {
      this.#leave(client)
    }
  }

  async *open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const client = await this.#enter(signal)
    const body = new PassThrough({ highWaterMark: 256 * 1024 })
    const done = client.downloadTo(body, path)
    done.catch((error) => body.destroy(error))
    try {
      for await (const chunk of body) yield chunk
      // Only what the server says afterwards tells a whole file from one that broke off.
      await done
    } catch (error) {
      signal.throwIfAborted()
      throw fromFtp(error, path)
    } finally {
      this.#leave(client)
      body.destroy()
    }
  }

  /** FTP has no way to say who may read a file. */
  grantsFor(): readonly string[] {
    return []
  }

  async close(): Promise<void> {
    for (const client of [...this.#open]) this.#leave(client)
  }

  async #using<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#enter(signal)
    try {
      return await work(client)
    } finally {
      this.#leave(client)
    }
  }

  async #enter(signal: AbortSignal): Promise<Client> {
    const client = await enterFtp(this.#settings, this.#outbound, signal)
    this.#open.add(client)
    return client
  }

  #leave(client: Client): void {
    this.#open.delete(client)
    client.close()
  }
}

/** The folder is gone into first: some servers list what is not there as empty. */
async function* listFolder(client: Client, home: string, folder: string): AsyncGenerator<FolderEntry> {
  try {
    await client.cd(pathIn(home, folder))
  } catch (error) {
    throw fromFtp(error, folder === '' ? home : folder)
  }
  for (const { name, isDirectory, isFile, modifiedAt } of await client.list()) {
    if (name === '.' || name === '..') continue
    if (isDirectory) yield { name, kind: 'folder', modifiedMs: UNKNOWN }
    else if (isFile) yield { name, kind: 'file', modifiedMs: modifiedAt?.getTime() ?? UNKNOWN }
  }
}

async function timed(client: Client, home: string, file: FoundFile): Promise<FoundFile> {
  try {
    return { ...file, modifiedMs: (await client.lastMod(pathIn(home, file.path))).getTime() }
  } catch (error) {
    throw fromFtp(error, file.path)
  }
}

const pathIn = (home: string, path: string) => (path.startsWith('/') ? path : `${home.replace(/\/$/, '')}/${path}`)
