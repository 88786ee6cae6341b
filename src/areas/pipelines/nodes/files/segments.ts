import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Copies the bytes of a file from one to another, which is not among them. */
export async function writeSegment(
  { path, from, to }: { readonly path: string; readonly from: number; readonly to: number },
  target: string,
  signal: AbortSignal
): Promise<void> {
  if (from === to) await writeFile(target, '')
  else await pipeline(createReadStream(path, { start: from, end: to - 1 }), createWriteStream(target), { signal })
}
