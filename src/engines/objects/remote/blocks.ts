import type { UploadBody } from '../upload-body.ts'

const FIRST_BYTES = 256 * 1024

/** The size of the block with this number, never smaller than the one before; the first number is 1. */
export type BlockBytes = (number: number) => number

/** Sends the content in one go where it fits into one block, else block by block. */
export async function putDivided<T>(
  body: UploadBody,
  blockBytes: BlockBytes,
  putWhole: (content: Buffer) => Promise<T>,
  putBlocks: (blocks: AsyncIterable<Buffer>) => Promise<T>
): Promise<T> {
  const blocks = blocksOf(body, blockBytes)
  try {
    const begun = await firstTwo(blocks)
    return await (begun.length === 2 ? putBlocks(following(begun, blocks)) : putWhole(begun[0] as Buffer))
  } finally {
    // The sender has to learn that nobody reads the rest.
    await blocks.return(undefined)
  }
}

/**
 * The content in blocks, all but the last of them full; there is always one. They share two buffers: a block must
 * have been sent before the next but one is asked for.
 */
export async function* blocksOf(body: UploadBody, blockBytes: BlockBytes): AsyncGenerator<Buffer> {
  let number = 1
  let limit = blockBytes(number)
  // The buffer grows, because most contents are far smaller than a block.
  let block: Buffer = Buffer.allocUnsafeSlow(Math.min(limit, body.sizeBytes ?? FIRST_BYTES))
  let other: Buffer | undefined
  let filled = 0
  for await (const batch of body.batches()) {
    for (const chunk of batch) {
      for (let offset = 0; offset < chunk.length; ) {
        if (filled === limit) {
          yield block
          limit = blockBytes(++number)
          ;[block, other] = [other?.length === limit ? other : Buffer.allocUnsafeSlow(limit), block]
          filled = 0
        }
        if (filled === block.length) block = grown(block, limit)
        const copied = chunk.copy(block, filled, offset)
        filled += copied
        offset += copied
      }
    }
  }
  yield block.subarray(0, filled)
}

/** Sends each block while the next one is filled; when this fails, none is under way any more. */
export async function sendEach(
  blocks: AsyncIterable<Buffer>,
  send: (block: Buffer, index: number) => Promise<unknown>
): Promise<void> {
  let sending: Promise<unknown> = Promise.resolve()
  let index = 0
  try {
    for await (const block of blocks) {
      await sending
      sending = send(block, index++)
      sending.catch(() => {}) // awaited above or below
    }
    await sending
  } catch (error) {
    await sending.catch(() => {})
    throw error
  }
}

function grown(block: Buffer, limit: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(block.length * 2, FIRST_BYTES), limit))
  block.copy(larger)
  return larger
}

async function firstTwo(blocks: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const begun: Buffer[] = []
  while (begun.length < 2) {
    const next = await blocks.next()
    if (next.done === true) break
    begun.push(next.value)
  }
  return begun
}

/** Keeps no reference to a block that it has yielded: blocks are most of the memory of an upload. */
async function* following(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for (let block = begun.shift(); block !== undefined; block = begun.shift()) yield block
  yield* rest
}
