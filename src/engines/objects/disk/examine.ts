import { createHash, hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { BlockSummer } from '../block-sums.ts'
import { withContentFile } from './content-file.ts'
import type { ObjectRow } from './database.ts'
import type { Layout } from './layout.ts'

const READ_BYTES = 1 << 20

export type ExaminedRow = Pick<ObjectRow, 'size' | 'sha256' | 'file'> & { readonly content: Uint8Array | null }

/** What is wrong, as the end of a sentence that begins with the content, or the checksums of a sound file. */
export type Examined = { readonly fault: string } | { readonly sums: Uint8Array | undefined }

export const CHANGED = { fault: 'is not as it was written' } as const
export const MISSING = { fault: 'is missing' } as const
export const UNREADABLE = { fault: 'can’t be read from the disk' } as const

/** Reads the content of an object and compares it with the index. */
export async function examine(layout: Layout, row: ExaminedRow): Promise<Examined> {
  if (row.file === null) {
    if (row.content === null) return MISSING
    return isSame(row, row.content.length, hash('sha256', row.content)) ? { sums: undefined } : CHANGED
  }
  return (await withContentFile(layout, row.file, (path) => examineFile(path, row))) ?? MISSING
}

async function examineFile(path: string, row: ExaminedRow): Promise<Examined> {
  const file = await open(path)
  try {
    const digest = createHash('sha256')
    const summer = new BlockSummer()
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    let position = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, position)
      if (bytesRead === 0) break
      const bytes = buffer.subarray(0, bytesRead)
      digest.update(bytes)
      summer.add(bytes)
      position += bytesRead
    }
    return isSame(row, position, digest.digest('hex')) ? { sums: summer.finish() } : CHANGED
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return UNREADABLE
    throw error
  } finally {
    await file.close()
  }
}

function isSame({ size, sha256 }: ExaminedRow, foundBytes: number, found: string): boolean {
  return size === foundBytes && sha256 === found
}
