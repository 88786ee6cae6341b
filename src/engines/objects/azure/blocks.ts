import { randomBytes } from 'node:crypto'
import type { ObjectAddress } from '../index.ts'
import { sendEach } from '../remote/blocks.ts'
import type { AzureClient } from './client.ts'

/** One block is filled while another is sent: an upload keeps only these two in memory. */
export const BLOCK_BYTES = 8 * 1024 * 1024

/** Answers how many blocks there were. */
export async function stageBlocks(
  client: AzureClient,
  at: ObjectAddress,
  blocks: AsyncIterable<Buffer>,
  idOf: (index: number) => string
): Promise<number> {
  const blob = client.blob(at)
  let count = 0
  await sendEach(blocks, async (block, index) => {
    // The service takes no empty blocks.
    if (block.length === 0) return
    count++
    await client.call(at, () => blob.stageBlock(idOf(index), block, block.length))
  })
  return count
}

/**
 * Blocks that wait to be committed belong to the key, not to an upload; so the names of the upload and of the attempt
 * are in their ids. All ids of a key must have the same length: this one is that of the vendor's own clients.
 */
export function blockId(uploadId: string, part: number, attempt: string, index: number): string {
  return Buffer.from(`${uploadId}${digits(part)}${attempt}${digits(index)}`).toString('base64')
}

const digits = (number: number) => String(number).padStart(8, '0')

export const makeUploadId = () => randomBytes(15).toString('base64url')
export const makeAttempt = () => randomBytes(9).toString('base64url')
