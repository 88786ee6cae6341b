import { Worker } from 'node:worker_threads'
import { StoreError } from '../errors.ts'
import type { Layout } from './layout.ts'
import type { FirstAnswer, IndexRequest, NumberedAnswer, NumberedRequest, ThreadSetup } from './requests.ts'

/** Whether a change that was under way has been made is not known. */
export class IndexEnded extends StoreError {
  constructor(cause: unknown) {
    super('store_failed', 'The index of the objects has ended, and is opened again; send the same again', { cause })
  }
}

interface Pending {
  readonly request: IndexRequest
  resolve(): void
  reject(error: Error): void
}

/** One thread that writes the index, from its beginning to its end. */
export class IndexThread {
  readonly #worker: Worker
  readonly #onChange: () => void
  readonly #pending = new Map<number, Pending>()
  readonly #opened = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #isOpen = false
  #fault: IndexEnded | undefined
  #cause: unknown
  #abandoned: readonly string[] = []
  #next = 0

  private constructor(worker: Worker, onChange: () => void) {
    this.#worker = worker
    this.#onChange = onChange
    worker.on('message', (message: FirstAnswer | NumberedAnswer[]) => {
      if (Array.isArray(message)) this.#hear(message)
      else if (message === 'ready') this.#opened.resolve()
      else this.#opened.reject(new StoreError(message.code, message.message))
    })
    worker.once('error', (error) => {
      this.#cause = error
    })
    worker.once('exit', () => this.#end())
  }

  /** Resolves when what a crash may have left behind is mended. `onChange` is told before the answer to a change. */
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

  /** Once it has ended: contents of which it is not known whether they have become part of the store. */
  get abandoned(): readonly string[] {
    return this.#abandoned
  }

  /** Resolves when the change is on the disk. */
  change(request: IndexRequest): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      const id = this.#next++
      if (this.#pending.size === 0) this.#worker.ref()
      this.#pending.set(id, { request, resolve, reject })
      this.#worker.postMessage({ id, request } satisfies NumberedRequest)
    })
  }

  async close(): Promise<void> {
    this.#worker.ref()
    this.#worker.postMessage('close')
    await this.#ended.promise
  }

  #hear(answers: readonly NumberedAnswer[]): void {
    this.#onChange()
    for (const { id, error } of answers) {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (error === undefined) pending?.resolve()
      else pending?.reject(new StoreError(error.code, error.message))
    }
    if (this.#pending.size === 0) this.#worker.unref()
  }

  #end(): void {
    const fault = new IndexEnded(this.#cause)
    this.#fault = fault
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    this.#abandoned = pending.flatMap(({ request }) =>
      request.op === 'put' && typeof request.object.content === 'string' ? [request.object.content] : []
    )
    if (!this.#isOpen) this.#opened.reject(fault)
    for (const { reject } of pending) reject(fault)
    this.#ended.resolve()
  }
}
