import { constants } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import type { Attributes, FileEntry } from 'ssh2'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import type { Pattern } from '../files/pattern.ts'
import type { FilePlace, FoundFile } from '../files/place.ts'
import { type FolderEntry, walk } from '../files/walk.ts'
import type { Step } from '../index.ts'
import { reachSteps } from '../reach.ts'
import type { SftpSettings } from './config.ts'
import { fromSftp } from './errors.ts'
import { type SftpSession, SftpSessions } from './session.ts'

/** As much as OpenSSH gives at a time. */
const READ_BYTES = 255 * 1024
const END_OF_FILE = 1

export class SftpPlace implements FilePlace {
  readonly #settings: SftpSettings
  readonly #outbound: Outbound
  readonly #sessions: SftpSessions

  constructor(settings: SftpSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
    this.#sessions = new SftpSessions(settings, outbound)
  }

  get steps(): readonly Step[] {
    const enter = () => this.#sessions.get()
    return [
      ...reachSteps(this.#settings, this.#outbound),
      {
        name: 'tls',
        async run() {
          const error = await enter().then(
            () => undefined,
            (reason) => reason
          )
          if (error instanceof SourceError && error.code === 'tls_failed') throw error
          return 'The connection is encrypted, and the server has the key that is given'
        }
      },
      {
        name: 'authenticate',
        run: async () => {
          await enter()
          return `${this.#settings.user} may enter`
        }
      }
    ]
  }

  list(pattern: Pattern, signal: AbortSignal): AsyncIterable<FoundFile> {
    return walk(pattern, (folder) => this.#listFolder(folder), signal)
  }

  async *open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { sftp, gone } = await this.#sessions.get()
    const stream = sftp.createReadStream(path, { highWaterMark: READ_BYTES })
    addAbortSignal(AbortSignal.any([signal, gone]), stream)
    try {
      for await (const chunk of stream) yield chunk
    } catch (error) {
      signal.throwIfAborted()
      gone.throwIfAborted()
      throw fromSftp(error, path)
    } finally {
      stream.destroy()
    }
  }

  grantsFor(path: string): readonly string[] {
    return [`setfacl -m ${quoted(`u:${this.#settings.user}:r`)} ${quoted(path)}`]
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }

  async *#listFolder(folder: string): AsyncGenerator<FolderEntry> {
    const path = folder === '' ? '.' : folder
    const session = await this.#sessions.get()
    const { sftp } = session
    const handle = await asked<Buffer>(session, path, (done) => sftp.opendir(path, done))
    try {
      for (;;) {
        const entries = await nextEntries(session, handle, path)
        if (entries === undefined) return
        for (const entry of entries) {
          const known = await this.#toEntry(session, folder, entry)
          if (known !== undefined) yield known
        }
      }
    } finally {
      sftp.close(handle, () => {})
    }
  }

  /** What a link to a file leads to counts as the file; links to folders are not followed, because they may go round. */
  async #toEntry(session: SftpSession, folder: string, { filename: name, attrs }: FileEntry) {
    if (name === '.' || name === '..') return undefined
    if (kindOf(attrs) !== S_IFLNK) return entryOf(name, attrs)
    const target = await asked<Attributes>(session, name, (done) => session.sftp.stat(`${folder}${name}`, done)).catch(
      (error) => {
        if (error instanceof SourceError && error.code === 'not_found') return undefined
        throw error
      }
    )
    return target !== undefined && kindOf(target) === S_IFREG ? entryOf(name, target) : undefined
  }
}

const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK } = constants
const kindOf = ({ mode }: Attributes) => mode & S_IFMT

function entryOf(name: string, attrs: Attributes): FolderEntry | undefined {
  if (kindOf(attrs) === S_IFDIR) return { name, kind: 'folder', modifiedMs: 0 }
  return kindOf(attrs) === S_IFREG ? { name, kind: 'file', modifiedMs: attrs.mtime * 1000 } : undefined
}

/** Some entries of a folder; undefined at its end. */
async function nextEntries(session: SftpSession, handle: Buffer, path: string): Promise<FileEntry[] | undefined> {
  return asked<FileEntry[] | undefined>(session, path, (done) =>
    session.sftp.readdir(handle, (error, list) => {
      if ((error as { code?: unknown } | undefined)?.code === END_OF_FILE) done(undefined, undefined)
      else done(error, list)
    })
  )
}

function asked<T>(
  { gone }: SftpSession,
  path: string,
  ask: (done: (error: Error | undefined, answer: T) => void) => void
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(gone.reason)
    if (gone.aborted) end()
    gone.addEventListener('abort', end, { once: true })
    ask((error, answer) => {
      gone.removeEventListener('abort', end)
      if (error === undefined) resolve(answer)
      else reject(fromSftp(error, path))
    })
  })
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
