import { Worker } from 'node:worker_threads'
import { Channel } from '../../channel.ts'
import { StoreError } from '../errors.ts'
import type { Layout } from './layout.ts'
import type { FirstAnswer, IndexCalls, IndexRequest, NumberedAnswer, SentFault, ThreadSetup } from './requests.ts'

/** The index thread has ended; it is not known whether a change under way was made. */
export class IndexEnded extends StoreError {
  constructor(cause: unknown) {
    super('store_failed', 'The index of the objects has ended, and is opened again; send the same again', { cause })
  }
}

/** The thread that writes the index. */
export class IndexThread {
  readonly #worker: Worker
  readonly #onChange: () => void
  readonly #channel: Channel<IndexCalls, SentFault>
  /** Files of puts that were not answered yet. */
  readonly #arriving = new Set<string>()
  readonly #opened = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #isOpen = false
  #fault: IndexEnded | undefined
  #cause: unknown
  #abandoned: readonly string[] = []

  private constructor(worker: Worker, onChange: () => void) {
    this.#worker = worker
    this.#onChange = onChange
    this.#channel = new Channel({
      post: (message) => worker.postMessage(message),
      faults: { toSent: (error) => ({ code: 'store_failed', message: String(error) }), toError: toStoreError }
    })
    worker.on('message', (message: FirstAnswer | NumberedAnswer[]) => {
      if (Array.isArray(message)) this.#hear(message)
      else if (message === 'ready') this.#opened.resolve()
      else this.#opened.reject(toStoreError(message))
    })
    worker.once('error', (error) => {
      this.#cause = error
    })
    worker.once('exit', () => this.#end())
  }

  /**
   * Resolves when everything that a crash may have left was repaired. `onChange` is called before the answer to a
   * change.
   */
  static async open(layout: Layout, abandoned: ThreadSetup['abandoned'], onChange: () => void): Promise<IndexThread> {
    const workerData: ThreadSetup = { folder: layout.folder, abandoned }
    const thread = new IndexThread(new Worker(new URL('./index-worker.ts', import.meta.url), { workerData }), onChange)
    await thread.#opened.promise
    thread.#isOpen = true
    thread.#worker.unref()
    return thread
  }

  get hasEnded(): boolean {
    return this.#fault !== undefined
  }

  /** After the thread has ended: files of which it is not known whether they belong to the store. */
  get abandoned(): readonly string[] {
    return this.#abandoned
  }

  /** Resolves when the change is on the disk. */
  async change(request: IndexRequest): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    const file = request.op === 'put' && typeof request.object.content === 'string' ? request.object.content : undefined
    if (this.#channel.waiting === 0) this.#worker.ref()
    if (file !== undefined) this.#arriving.add(file)
    try {
      await this.#channel.call('change', request)
    } finally {
      if (file !== undefined) this.#arriving.delete(file)
    }
  }

  async close(): Promise<void> {
    this.#worker.ref()
    this.#worker.postMessage('close')
    await this.#ended.promise
  }

  #hear(answers: readonly NumberedAnswer[]): void {
    this.#onChange()
    for (const answer of answers) this.#channel.hear(answer)
    if (this.#channel.waiting === 0) this.#worker.unref()
  }

  #end(): void {
    const fault = new IndexEnded(this.#cause)
    this.#fault = fault
    this.#abandoned = [...this.#arriving]
    if (!this.#isOpen) this.#opened.reject(fault)
    this.#channel.end(fault)
    this.#ended.resolve()
  }
}

const toStoreError = ({ code, message }: SentFault) => new StoreError(code, message)
