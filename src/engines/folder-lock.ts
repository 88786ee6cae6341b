import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Makes sure that one process at a time uses a data folder. The lock is SQLite's own on an empty database: the system
 * releases it when the process ends, however it ends, so that a crash never leaves it behind.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    throw new FolderInUse(folder, { cause: error })
  }
  return () => database.close()
}

export class FolderInUse extends Error {
  constructor(folder: string, options: ErrorOptions) {
    super(`${folder} is in use by another millrace process. Stop it, or set DATA_DIR to another folder.`, options)
  }
}
