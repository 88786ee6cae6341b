import { createReadStream } from 'node:fs'
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const READ_BYTES = 256 * 1024

/**
 * Files that checkpoints speak of: what nodes hold, and objects that are about to be published. Kept from before the checkpoint
 * that names them until after the one that no longer does.
 */
export interface KeptFiles {
  /** Durable when answered. The file at `path` is taken over. */
  keep(name: string, path: string): Promise<void>
  /** Makes it readable at `path`. */
  load(name: string, path: string): Promise<void>
  read(name: string): Promise<{ readonly sizeBytes: number; readonly body: AsyncIterable<Uint8Array> }>
  drop(names: readonly string[]): Promise<void>
  /** Files that a process which was killed may have left. Those among them that no checkpoint names can go. */
  abandoned(): Promise<string[]>
}

/** In a folder of this machine, on the same file system as the files that come. */
export function keepInFolder(folder: string): KeptFiles {
  let made: Promise<unknown> | undefined
  const ready = () => {
    made ??= mkdir(folder, { recursive: true })
    return made
  }
  return {
    async keep(name, path) {
      await ready()
      await flush(path)
      await rename(path, join(folder, name))
      await flush(folder)
    },
    load: (name, path) => linkOrCopy(join(folder, name), path),
    async read(name) {
      const path = join(folder, name)
      const { size } = await stat(path)
      return { sizeBytes: size, body: createReadStream(path, { highWaterMark: READ_BYTES }) }
    },
    async drop(names) {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
    async abandoned() {
      await ready()
      return readdir(folder)
    }
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Files are never changed once they are there, so that two names can share one. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    // Never over one that is there: it may be another name of a file that is kept.
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  }
}

/**
 * While others may need the files, and have disks of their own, none is kept or looked for: a pipeline waits rather than lose
 * what it holds. Those that seem left over may be about to be named by others who share the folder.
 */
export function keepOnOwnDisk(kept: KeptFiles, requireOwnDisk: () => Promise<void>): KeptFiles {
  return {
    async keep(name, path) {
      await requireOwnDisk()
      return kept.keep(name, path)
    },
    async load(name, path) {
      await requireOwnDisk()
      return kept.load(name, path)
    },
    async read(name) {
      await requireOwnDisk()
      return kept.read(name)
    },
    drop: (names) => kept.drop(names),
    async abandoned() {
      const names = await kept.abandoned()
      // Whoever has no file does not say that the disk is in use.
      if (names.length === 0) return names
      return requireOwnDisk().then(
        () => names,
        () => []
      )
    }
  }
}
