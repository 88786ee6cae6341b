import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

const AT_ONCE = 8

/** Writes a file that only the owner may read, and flushes it. */
export function writeDurably(file: string, content: string | Buffer): void {
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  sync(file)
}

/** Flushes a file, or the list of names in a folder, to the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Like `sync`, but asynchronous: many files share the waiting for the disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Runs `work` for each item, a few at a time. When it fails nothing is under way any more. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const ends = await Promise.allSettled(items.slice(at, at + AT_ONCE).map(work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}
