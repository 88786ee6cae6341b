import { closeSync, fdatasync, openSync } from 'node:fs'
import { DatabaseTrouble } from './trouble.ts'

/**
 * What was committed before may be on the disk or not, and a later flush would not tell: the system may have dropped it.
 * With the next start the database has what reached the disk, and takes what is written again.
 */
export class LogNotFlushed extends DatabaseTrouble {
  constructor(cause: unknown) {
    super(
      'The disk of the database failed, and nothing is written any more: look at the system’s log, then start again',
      {
        cause
      }
    )
  }
}

/** The file to which SQLite hands what is committed, and which it keeps until the database is closed. */
export class SqliteLog {
  readonly #file: string
  #fd: number | undefined

  /** Of the database in this file. */
  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  /** Resolves when all that has been committed is on the disk. Another thread waits for it, so that others are served meanwhile. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      // Only the first transaction makes the file.
      this.#fd ??= openSync(this.#file, 'r')
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}
