import { type ChildProcess, fork } from 'node:child_process'
import { dirname } from 'node:path'
import type { Speaker } from '../../common/tables.ts'
import { SourceError } from '../../errors.ts'
import type { DatabaseKind } from '../heads.ts'
import type { Question, Reply, Row } from './messages.ts'

const HEAP_MIB = 256

/** Statements about a copy of a file, run by a process of its own: whatever the file does to it, it does to nobody else. One statement at a time. */
export class FileSpeaker implements Speaker {
  /** The file is on this machine by now. */
  readonly host = 'localhost'
  readonly port = 0
  readonly tls = false
  readonly #kind: DatabaseKind
  readonly #path: string
  #child: ChildProcess | undefined
  #waiting: { resolve(reply: Reply): void; reject(error: SourceError): void } | undefined
  #over: SourceError | undefined

  constructor(kind: DatabaseKind, path: string) {
    this.#kind = kind
    this.#path = path
  }

  async enter(): Promise<string> {
    return 'The file is there'
  }

  async *rows(statement: string, signal: AbortSignal): AsyncGenerator<readonly Row[]> {
    signal.throwIfAborted()
    const stop = () => void this.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (this.#child === undefined) await this.#open()
      await this.#ask({ kind: 'run', statement })
      for (;;) {
        const reply = await this.#ask({ kind: 'next' })
        if (reply.kind !== 'rows' || reply.rows.length === 0) return
        yield reply.rows
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  grants(): string[] {
    return []
  }

  /** It holds nothing that needs an orderly end. */
  async close(): Promise<void> {
    this.#fail(new SourceError('unavailable', 'Reading the file was ended'))
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  async #open(): Promise<void> {
    const child = fork(new URL('./main.ts', import.meta.url), {
      cwd: dirname(this.#path),
      // Nothing of the server's, but for where what is sorted may be put aside.
      env: { TMPDIR: dirname(this.#path) },
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced'
    })
    this.#child = child
    child.on('message', (reply: Reply) => {
      this.#waiting?.resolve(reply)
      this.#waiting = undefined
    })
    child.once('error', () =>
      this.#fail(new SourceError('unavailable', 'No process could be started to read the file'))
    )
    child.once('exit', () => this.#fail(broken()))
    await this.#ask({ kind: 'open', database: this.#kind, path: this.#path })
  }

  async #ask(question: Question): Promise<Reply> {
    if (this.#over !== undefined) throw this.#over
    const replied = new Promise<Reply>((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
    this.#child?.send(question, () => {}) // That the process is gone is told by its end.
    const reply = await replied
    if (reply.kind === 'failed') throw new SourceError('bad_request', reply.message, '/url')
    return reply
  }

  #fail(error: SourceError): void {
    this.#over ??= error
    this.#waiting?.reject(this.#over)
    this.#waiting = undefined
  }
}

const broken = () =>
  new SourceError('bad_request', 'The process that read the file broke down; the file may be damaged', '/url')
