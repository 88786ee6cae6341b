import { type FileHandle, open } from 'node:fs/promises'

/** A file of JSON lines that is written as they come, and read by DuckDB. */
export class Notes {
  readonly path: string
  readonly #file: FileHandle
  #waiting: string[] = []
  count = 0

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  static async open(path: string): Promise<Notes> {
    return new Notes(path, await open(path, 'w'))
  }

  add(note: object): void {
    this.count += 1
    this.#waiting.push(JSON.stringify(note))
  }

  /** Writes what was added, to be called now and then. */
  async flush(): Promise<void> {
    const lines = this.#waiting
    this.#waiting = []
    if (lines.length > 0) await this.#file.appendFile(`${lines.join('\n')}\n`)
  }

  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#file.close()
    }
  }
}
