import { Worker } from 'node:worker_threads'
import { compiledCodeEnv } from '../../compiled-code.ts'
import { PictureError } from '../errors.ts'

const MAX_MEMORY_MB = 128

export interface PictureOrder {
  readonly svg: string
  readonly scale: number
}

export type PictureSaid = { readonly png: Uint8Array } | { readonly failure: string }

/** A thread that makes one picture at a time. A broken one makes no more. */
export class PictureThread {
  readonly #worker: Worker
  #isBroken = false

  constructor(program: URL) {
    this.#worker = new Worker(program, {
      env: compiledCodeEnv(),
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB }
    })
    // What happens to it while it makes no picture is noticed with the next one.
    this.#worker.on('error', () => this.#break())
    this.#worker.on('exit', () => this.#break())
    this.#worker.unref()
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  async make(order: PictureOrder, maxMs: number): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const onMessage = (said: PictureSaid) => {
      if ('png' in said) resolve(Buffer.from(said.png.buffer, said.png.byteOffset, said.png.byteLength))
      else reject(new PictureError('failed', `The picture could not be made: ${said.failure}`))
    }
    const onEnd = () => reject(new PictureError('failed', 'The thread that made the picture has ended'))
    const late = setTimeout(() => {
      reject(new PictureError('too_slow', `The picture took longer than ${maxMs / 1000} s`))
      void this.close()
    }, maxMs)
    this.#worker.on('message', onMessage).once('error', onEnd).once('exit', onEnd)
    this.#worker.ref()
    this.#worker.postMessage(order)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.#worker.unref()
      this.#worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
    }
  }

  async close(): Promise<void> {
    this.#break()
    await this.#worker.terminate()
  }

  #break(): void {
    this.#isBroken = true
  }
}
