import { Digester, type Digests } from './digest/digester.ts'

export type { Digests } from './digest/digester.ts'

const BATCH_BYTES = 512 * 1024

/**
 * The content of an object on its way in. It can be read once, in batches: a store that writes files or hashes wants
 * few large pieces, not the 64 KiB that a socket gives. The last batch is held back until everything about the whole is
 * known to be right, so a store that stops on the error has not finished anything.
 */
export interface UploadBody {
  /** The announced size; undefined where the sender did not say. */
  readonly sizeBytes: number | undefined
  /** Throws the error of the sender's side; the store then undoes what it has begun and passes the error on. */
  batches(): AsyncIterable<readonly Buffer[]>
  /**
   * The same for a store that completes nothing before it says so, and that is done with a batch when it asks for the
   * next: the memory is reused, and nothing is held back.
   */
  passingBatches(): AsyncIterable<readonly Buffer[]>
  /** Digests of the whole content; available once the last batch was read. */
  digests(): Promise<Digests & { readonly sizeBytes: number }>
}

export interface UploadBodyOptions {
  readonly sizeBytes?: number | undefined
  /** Throws if the content is not what the sender said it would be. */
  check?(digests: Digests, sizeBytes: number): void
  /** Throws if there is more than is allowed; called as the content arrives. */
  checkSize?(sizeBytes: number): void
  /** Whether nobody else uses a chunk: its memory is then freed at once. */
  readonly ownsChunks?: boolean
}

export function createUploadBody(source: AsyncIterable<Uint8Array>, options: UploadBodyOptions = {}): UploadBody {
  const digester = new Digester()
  let sizeBytes = 0
  let digests: Digests | undefined

  async function* arriving(): AsyncGenerator<Buffer[]> {
    for await (const batch of gather(source)) {
      for (const { length } of batch) sizeBytes += length
      options.checkSize?.(sizeBytes)
      yield batch
    }
  }

  async function finish(): Promise<void> {
    digests = await digester.digest()
    options.check?.(digests, sizeBytes)
  }

  async function* batches(): AsyncGenerator<readonly Buffer[]> {
    try {
      let ready: Buffer[] | undefined
      for await (const batch of arriving()) {
        if (ready !== undefined) yield ready
        ready = batch
        for await (const _ of digester.pass(batch));
      }
      await finish()
      if (ready !== undefined) yield ready
    } finally {
      digester.close()
    }
  }

  async function* passingBatches(): AsyncGenerator<readonly Buffer[]> {
    try {
      for await (const batch of arriving()) {
        let isCopied = false
        for await (const passed of digester.pass(batch)) {
          isCopied = passed !== batch
          yield passed
        }
        if (isCopied && options.ownsChunks === true) batch.forEach(giveBack)
      }
      await finish()
    } finally {
      digester.close()
    }
  }

  return {
    sizeBytes: options.sizeBytes,
    batches,
    passingBatches,
    async digests() {
      if (digests === undefined) throw new Error('The body has not been read to its end')
      return { ...digests, sizeBytes }
    }
  }
}

async function* gather(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    if (chunk.length === 0) continue
    batch.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    bytes += chunk.length
    if (bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Frees the memory of a chunk now: left to the garbage collector, it takes a third of the time of a large upload. */
function giveBack({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** The content as single chunks, for clients that take a stream. */
export async function* chunksOf(body: UploadBody): AsyncGenerator<Buffer> {
  for await (const batch of body.batches()) yield* batch
}
