import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, lockFolder } from '../folder-lock.ts'

const MAX_SLOTS = 1000

/** Identifies a process among those that share its data folder, for as long as it runs. */
export interface Slot {
  /** A name that no other process of this folder has now; a later one may have it. */
  readonly name: string
  /** The name with the folder's id, unique across folders. */
  readonly id: string
  /** The id of the folder, which all its processes share, and copies of it too. */
  readonly folderId: string
  release(): void
}

/**
 * Takes the first free slot of the folder. A killed process gets its slot back when it starts again, and with it
 * everything it has left under that name. Process ids would not do: in containers all are 1.
 */
export function takeSlot(folder: string): Slot {
  const folderId = readOrMakeId(folder)
  for (let number = 1; number <= MAX_SLOTS; number++) {
    try {
      const release = lockFolder(join(folder, String(number)))
      return { name: String(number), id: `${folderId}/${number}`, folderId, release }
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
    }
  }
  throw new Error(`${folder} is in use by ${MAX_SLOTS} processes: stop some of them, or set another DATA_DIR`)
}

/** A file in the folder of slots. */
export const ID_FILE = 'id'

function readOrMakeId(folder: string): string {
  const file = join(folder, ID_FILE)
  mkdirSync(folder, { recursive: true })
  const id = randomUUID()
  const aside = join(folder, id)
  // Written aside and linked: several processes may start on a new folder at once, and none must read half an id.
  writeFileSync(aside, id, { mode: 0o600 })
  try {
    linkSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(aside)
  }
  return readFileSync(file, 'utf8')
}
