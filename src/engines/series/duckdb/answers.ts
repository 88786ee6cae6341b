import type { Worker } from 'node:worker_threads'
import { SeriesError, type SeriesErrorCode } from '../errors.ts'
import type { QueryAnswer } from '../query/plan.ts'
import type { CallerMessage, ReaderMessage } from './reader/messages.ts'

/** An answer under way: chunks that have arrived and were not taken, and the caller that waits for the next one. */
interface Coming {
  readonly chunks: Uint8Array[]
  isEnded: boolean
  error: Error | undefined
  wake: (() => void) | undefined
}

/** The answers of the reader, passed on as they arrive and no faster than they are read. */
export class Answers {
  readonly #reader: Worker
  readonly #coming = new Map<number, Coming>()
  #next = 0

  constructor(reader: Worker) {
    this.#reader = reader
    reader.on('message', (message: ReaderMessage) => this.#hear(message))
  }

  /** Resolves when the answer begins. */
  async begin(signal: AbortSignal | undefined, ask: (id: number) => Promise<void>): Promise<QueryAnswer> {
    const id = this.#next++
    const coming: Coming = { chunks: [], isEnded: false, error: undefined, wake: undefined }
    this.#coming.set(id, coming)
    this.#hold()
    const cancel = () => this.#stop(id, coming, new SeriesError('cancelled', 'The query was given up'))
    try {
      if (signal?.aborted) cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      // The answer comes from the reader; the keeper only reports errors.
      if (coming.error === undefined) ask(id).catch((error: Error) => this.#stop(id, coming, error))
      await this.#wait(coming)
      if (coming.error !== undefined) throw coming.error
    } catch (error) {
      this.#finish(id)
      throw error
    }
    return { body: this.#body(id, coming) }
  }

  fail(error: Error): void {
    for (const [id, coming] of this.#coming) this.#stop(id, coming, error)
  }

  async *#body(id: number, coming: Coming): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        await this.#wait(coming)
        if (coming.error !== undefined) throw coming.error
        const chunk = coming.chunks.shift()
        if (chunk === undefined) return
        if (!coming.isEnded) this.#tell({ kind: 'more', id })
        yield chunk
      }
    } finally {
      if (!coming.isEnded) this.#tell({ kind: 'cancel', id })
      this.#finish(id)
    }
  }

  async #wait(coming: Coming): Promise<void> {
    while (coming.chunks.length === 0 && !coming.isEnded && coming.error === undefined) {
      await new Promise<void>((wake) => {
        coming.wake = wake
      })
    }
  }

  #hear(message: ReaderMessage): void {
    const coming = this.#coming.get(message.id)
    if (coming === undefined) return
    if (message.kind === 'chunk') {
      if (message.bytes.length > 0) coming.chunks.push(message.bytes)
      coming.isEnded = message.isLast
    } else {
      coming.isEnded = true
      coming.error ??= new SeriesError(message.code as SeriesErrorCode, message.message, message.facts)
    }
    coming.wake?.()
  }

  #stop(id: number, coming: Coming, error: Error): void {
    coming.error ??= error
    if (!coming.isEnded) this.#tell({ kind: 'cancel', id })
    coming.wake?.()
  }

  #tell(message: CallerMessage): void {
    this.#reader.postMessage(message)
  }

  #finish(id: number): void {
    this.#coming.delete(id)
    this.#hold()
  }

  /** Keeps the process alive while an answer is awaited, and only then. */
  #hold(): void {
    if (this.#coming.size > 0) this.#reader.ref()
    else this.#reader.unref()
  }
}
