import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { WindowsLines } from '../../windows-lines.ts'

const MAX_BYTES = 128 * 1024

/** How a file of text begins, up to the end of a line. */
export interface Beginning {
  readonly text: string
  /** Whether that is all of it. */
  readonly isAll: boolean
}

export const isPacked = (file: string): boolean => file.endsWith('.gz')

/** Undefined where it is no text of bytes: two bytes a character, or nothing at all. */
export async function beginningOf(file: string): Promise<Beginning | undefined> {
  const bytes = isPacked(file) ? await unpackedBeginning(file) : await plainBeginning(file)
  if (bytes.length === 0 || (bytes[0] as number) >= 0xfe) return undefined
  const isAll = bytes.length < MAX_BYTES
  const lastBreak = bytes.lastIndexOf('\n')
  const whole = isAll || lastBreak === -1 ? bytes : bytes.subarray(0, lastBreak + 1)
  const parts: Buffer[] = []
  for await (const part of new WindowsLines().read(Readable.from([whole]))) parts.push(part)
  return {
    text: Buffer.concat(parts)
      .toString()
      .replace(/^\uFEFF/, ''),
    isAll
  }
}

async function plainBeginning(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(MAX_BYTES, (await stat(file)).size)))
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function unpackedBeginning(file: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const take = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const chunk of unpacked) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_BYTES) return
    }
  }
  // What is damaged is told by whoever reads all of it.
  await pipeline(createReadStream(file), createGunzip(), take).catch(() => {})
  return Buffer.concat(chunks).subarray(0, MAX_BYTES)
}

/** What is wrong with a packed file; undefined where nothing is. DuckDB takes half of one, and one with wrong sums, for a whole one. */
export async function damageOf(file: string): Promise<string | undefined> {
  const drain = async (unpacked: AsyncIterable<Buffer>) => {
    for await (const _ of unpacked);
  }
  try {
    await pipeline(createReadStream(file), createGunzip(), drain)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
