import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, lockFolder } from '../folder-lock.ts'

const MAX_SLOTS = 1000

/** What tells a process from others that share its data folder, for as long as it runs. */
export interface Slot {
  /** No other process of this folder has it now; the next one may. */
  readonly name: string
  /** The same, told apart from slots of other folders too. */
  readonly id: string
  /** That of the folder, which is the same for all of them and for a copy. */
  readonly folderId: string
  release(): void
}

/**
 * The first slot of the folder that nobody holds. One that was killed gets its own back when it starts again, and with it
 * all that it has left under that name. Process numbers would not do: in containers all are 1.
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

/** Within the folder of slots. */
export const ID_FILE = 'id'

function readOrMakeId(folder: string): string {
  const file = join(folder, ID_FILE)
  mkdirSync(folder, { recursive: true })
  const id = randomUUID()
  const aside = join(folder, id)
  // Written aside and linked: several processes may start on a new folder at once, and none must read half of an id.
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
