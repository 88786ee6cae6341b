import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { StoreError } from '../errors.ts'
import type { Digests } from './digester.ts'

const BLOCK_BYTES = 1024 * 1024
const BLOCKS = 16
const MAX_THREADS = 4

export const ALGORITHMS = ['md5', 'sha256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export type HashRequest =
  | { readonly stream: number; readonly algorithm: Algorithm; readonly block: number; readonly bytes: number }
  | { readonly stream: number; readonly algorithm: Algorithm; readonly end: 'digest' | 'forget' }

export type HashAnswer =
  | { readonly block: number }
  | { readonly stream: number; readonly algorithm: Algorithm; readonly digest: string }

export interface HashSetup {
  readonly memory: SharedArrayBuffer
  readonly blockBytes: number
}

/**
 * Threads that hash. Content reaches them through a fixed set of shared blocks, so that any number of large uploads
 * takes no more memory than this, and makes no garbage.
 */
class HashThreads {
  readonly #memory = new SharedArrayBuffer(BLOCKS * BLOCK_BYTES)
  readonly #free = Array.from({ length: BLOCKS }, (_, block) => block)
  /** How many threads still have to read each block. */
  readonly #readers = new Uint8Array(BLOCKS)
  readonly #waiting: PromiseWithResolvers<number>[] = []
  readonly #digests = new Map<string, PromiseWithResolvers<string>>()
  readonly #workers: Worker[]
  #fault: StoreError | undefined
  #opened = 0
  #open = 0

  constructor(count: number) {
    const workerData: HashSetup = { memory: this.#memory, blockBytes: BLOCK_BYTES }
    this.#workers = Array.from({ length: count }, () => {
      const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { workerData })
      worker.on('message', (answer: HashAnswer) => this.#hear(answer))
      worker.once('error', (error) => this.#end(error))
      worker.once('exit', () => this.#end(undefined))
      worker.unref()
      return worker
    })
  }

  open(): DigestStream {
    // Content under way keeps the process alive, idle threads do not.
    if (this.#open++ === 0) for (const worker of this.#workers) worker.ref()
    return new DigestStream(this, this.#opened++)
  }

  left(): void {
    if (--this.#open === 0) for (const worker of this.#workers) worker.unref()
  }

  async takeBlock(): Promise<number> {
    if (this.#fault !== undefined) throw this.#fault
    const block = this.#free.pop()
    if (block !== undefined) return block
    const next = Promise.withResolvers<number>()
    this.#waiting.push(next)
    return next.promise
  }

  bytesOf(block: number): Uint8Array {
    return new Uint8Array(this.#memory, block * BLOCK_BYTES, BLOCK_BYTES)
  }

  /** Hashes a block. It is free again when it was hashed and `done` was called for it. */
  hash(stream: number, block: number, bytes: number): void {
    this.#readers[block] = ALGORITHMS.length + 1
    for (const algorithm of ALGORITHMS) this.#post({ stream, algorithm, block, bytes })
  }

  async digest(stream: number, algorithm: Algorithm): Promise<string> {
    if (this.#fault !== undefined) throw this.#fault
    const digest = Promise.withResolvers<string>()
    this.#digests.set(`${stream} ${algorithm}`, digest)
    this.#post({ stream, algorithm, end: 'digest' })
    return digest.promise
  }

  forget(stream: number): void {
    for (const algorithm of ALGORITHMS) this.#post({ stream, algorithm, end: 'forget' })
  }

  /** The algorithms run in parallel on the same content. */
  #post(request: HashRequest): void {
    const thread = (request.stream + ALGORITHMS.indexOf(request.algorithm)) % this.#workers.length
    ;(this.#workers[thread] as Worker).postMessage(request)
  }

  #hear(answer: HashAnswer): void {
    if ('digest' in answer) {
      const name = `${answer.stream} ${answer.algorithm}`
      this.#digests.get(name)?.resolve(answer.digest)
      this.#digests.delete(name)
      return
    }
    this.done(answer.block)
  }

  done(block: number): void {
    const readers = (this.#readers[block] as number) - 1
    this.#readers[block] = readers
    if (readers > 0) return
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(block)
    else next.resolve(block)
  }

  /**
   * Ends all threads, since a single one can't be replaced: it holds parts of hashes. All content under way has to be
   * sent again.
   */
  #end(cause: unknown): void {
    if (this.#fault !== undefined) return
    const fault = new StoreError('store_failed', 'A thread that hashes uploads has ended; send the same again', {
      cause
    })
    this.#fault = fault
    if (threads === this) threads = undefined
    for (const { reject } of [...this.#waiting.splice(0), ...this.#digests.values()]) reject(fault)
    this.#digests.clear()
    for (const worker of this.#workers) void worker.terminate()
  }
}

/** One piece of content; its blocks are hashed in the order in which they were given. */
export class DigestStream {
  readonly #threads: HashThreads
  readonly #stream: number
  #open = true

  constructor(threads: HashThreads, stream: number) {
    this.#threads = threads
    this.#stream = stream
  }

  /**
   * Copies the batch into shared blocks and hashes them. Each block is valid until the next one is asked for, and
   * none is held while the network is waited for.
   */
  async *pass(batch: readonly Buffer[]): AsyncGenerator<Buffer> {
    let block: number | undefined
    let filled = 0
    for (const chunk of batch) {
      for (let offset = 0; offset < chunk.length; ) {
        block ??= await this.#threads.takeBlock()
        const bytes = Math.min(BLOCK_BYTES - filled, chunk.length - offset)
        this.#threads.bytesOf(block).set(chunk.subarray(offset, offset + bytes), filled)
        filled += bytes
        offset += bytes
        if (filled < BLOCK_BYTES) continue
        yield* this.#handOut(block, filled)
        block = undefined
        filled = 0
      }
    }
    if (block !== undefined) yield* this.#handOut(block, filled)
  }

  *#handOut(block: number, bytes: number): Generator<Buffer> {
    this.#threads.hash(this.#stream, block, bytes)
    try {
      yield Buffer.from(this.#threads.bytesOf(block).buffer, block * BLOCK_BYTES, bytes)
    } finally {
      this.#threads.done(block)
    }
  }

  async digest(): Promise<Digests> {
    const [md5, sha256] = await Promise.all([
      this.#threads.digest(this.#stream, 'md5'),
      this.#threads.digest(this.#stream, 'sha256')
    ])
    this.#leave()
    return { md5, sha256 }
  }

  close(): void {
    if (this.#open) this.#threads.forget(this.#stream)
    this.#leave()
  }

  #leave(): void {
    if (this.#open) this.#threads.left()
    this.#open = false
  }
}

let threads: HashThreads | undefined

/** The threads of the process; the first large content starts them. */
export function hashThreads(): HashThreads {
  threads ??= new HashThreads(Math.min(MAX_THREADS, Math.max(2, availableParallelism())))
  return threads
}
