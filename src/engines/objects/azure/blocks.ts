import { randomBytes } from 'node:crypto'
import type { ObjectAddress } from '../index.ts'
import type { UploadBody } from '../upload-body.ts'
import type { AzureClient } from './client.ts'

/** One is filled while another one is sent, and that is all an upload keeps in memory. */
export const BLOCK_BYTES = 8 * 1024 * 1024
const FIRST_BYTES = 256 * 1024

/**
 * The content in blocks of `BLOCK_BYTES`; the last, and only the last, may be shorter. There are two buffers: when the
 * next but one is asked for, a block must have been sent.
 */
export async function* blocksOf(body: UploadBody): AsyncGenerator<Buffer> {
  const expected = Math.min(body.sizeBytes ?? FIRST_BYTES, BLOCK_BYTES)
  let block: Buffer = Buffer.allocUnsafeSlow(expected)
  let other: Buffer | undefined
  let filled = 0
  for await (const batch of body.batches()) {
    for (const chunk of batch) {
      for (let offset = 0; offset < chunk.length; ) {
        if (filled === BLOCK_BYTES) {
          yield block
          ;[block, other] = [other ?? Buffer.allocUnsafeSlow(BLOCK_BYTES), block]
          filled = 0
        }
        if (filled === block.length) block = grown(block)
        const copied = chunk.copy(block, filled, offset)
        filled += copied
        offset += copied
      }
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

function grown(block: Buffer): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(block.length * 2, FIRST_BYTES), BLOCK_BYTES))
  block.copy(larger)
  return larger
}

/** Each block is on its way while the next one is read; answers how many there were. */
export async function stageBlocks(
  client: AzureClient,
  at: ObjectAddress,
  blocks: AsyncIterable<Buffer>,
  idOf: (index: number) => string
): Promise<number> {
  const blob = client.blob(at)
  let sending: Promise<unknown> = Promise.resolve()
  let count = 0
  for await (const block of blocks) {
    await sending
    const id = idOf(count++)
    sending = client.call(at, () => blob.stageBlock(id, block, block.length))
    sending.catch(() => undefined) // it is waited for above or below, but perhaps later than it fails
  }
  await sending
  return count
}

/**
 * The blocks that wait for being committed belong to the key, not to an upload; so the name of the upload and of the
 * attempt are in theirs. All names on a key must have the same length: this one is that of the vendor's own clients.
 */
export function blockId(uploadId: string, part: number, attempt: string, index: number): string {
  return Buffer.from(`${uploadId}${digits(part)}${attempt}${digits(index)}`).toString('base64')
}

const digits = (number: number) => String(number).padStart(8, '0')

export const makeUploadId = () => randomBytes(15).toString('base64url')
export const makeAttempt = () => randomBytes(9).toString('base64url')
