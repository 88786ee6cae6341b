import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { reasonOf } from '../budget.ts'
import { DataError } from '../errors.ts'
import type { Question, Reply } from './messages.ts'

const HEAP_MIB = 256
/** The server's cache of compiled code; without it a start takes twice as long. */
const COMPILE_CACHE = new URL('../../../node_modules/.cache/millrace', import.meta.url).pathname

/** A process for one query. Any fault of the process or the query becomes a `DataError`, and the process ends. */
export class SqlProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #ready: Promise<Reply>
  #waiting: { resolve(reply: Reply): void; reject(error: DataError): void } | undefined
  #failure: DataError | undefined
  /** Called with the percent of the statement that are done. */
  onProgress: ((percent: number) => void) | undefined

  /** The process gets nothing from the server: no environment, no open files, no arguments. */
  constructor(folder: string) {
    this.#child = fork(new URL('./main.ts', import.meta.url), {
      cwd: folder,
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'json'
    })
    this.#child.on('message', (reply: Reply) => this.#hear(reply))
    this.#ended = this.#watch()
    this.#ready = this.#wait()
    // Whoever takes the process sees the error, which may be much later.
    this.#ready.catch(() => {})
  }

  get isUsable(): boolean {
    return this.#failure === undefined
  }

  /** Waits until the process has started. From then on it keeps the server from ending; an idle process does not. */
  async ready(signal: AbortSignal): Promise<void> {
    this.#ref()
    await this.#until(this.#ready, signal)
  }

  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const replied = this.#wait()
    this.#child.send(question, () => {}) // That the process is gone is reported by `#watch`.
    return this.#until(replied, signal)
  }

  /** Kills the process: it holds nothing that needs an orderly end, and its files go with the folder of the query. */
  async end(): Promise<void> {
    this.#ref()
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  #ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'failed') {
      const { code, message, position, column } = reply.failure
      this.#fail(new DataError(code, message, { ...(position && { position }), column }))
    } else if (reply.kind === 'progress') {
      this.onProgress?.(Math.min(Math.max(Number(reply.percent), 0), 100))
    } else {
      this.#waiting?.resolve(reply)
      this.#waiting = undefined
    }
  }

  #fail(failure: DataError): void {
    this.#failure ??= failure
    this.#waiting?.reject(this.#failure)
    this.#waiting = undefined
  }

  #wait(): Promise<Reply> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  async #until(reply: Promise<Reply>, signal: AbortSignal): Promise<Reply> {
    const giveUp = () => this.#fail(reasonOf(signal))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await reply
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Waits for the end of the channel too, so that the last reply is heard before the process counts as gone. */
  async #watch(): Promise<void> {
    try {
      const [[code, signal]] = await Promise.all([once(this.#child, 'exit'), once(this.#child, 'disconnect')])
      const how = signal ?? `code ${code}`
      this.#fail(new DataError('process_died', `The process that ran the query ended before its time (${how}).`))
    } catch (cause) {
      this.#fail(new DataError('process_died', 'No process could be started to run the query.', { cause }))
    }
  }
}
