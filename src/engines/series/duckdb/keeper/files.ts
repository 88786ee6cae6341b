import type { SealedFact } from '../index-db.ts'

/** The sealed files by source and day, and which of them are being read. */
export class Files {
  readonly #bySource = new Map<string, Map<number, SealedFact[]>>()
  /** Days that have more than one file. */
  readonly #divided = new Map<string, readonly SealedFact[]>()
  readonly #readers = new Map<string, number>()
  /** Files that are out of use, but still read. */
  readonly #leaving = new Set<string>()
  readonly #onFree: (paths: readonly string[]) => void

  /** `onFree` is called with files that are out of use and read by nobody. */
  constructor(onFree: (paths: readonly string[]) => void) {
    this.#onFree = onFree
  }

  /** Files of a day are ordered by sequence. */
  add(file: SealedFact): void {
    let days = this.#bySource.get(file.source)
    if (days === undefined) {
      days = new Map()
      this.#bySource.set(file.source, days)
    }
    this.#set(days, file.source, file.day, [...(days.get(file.day) ?? []), file])
  }

  /** Replaces files in one step, so that no reader finds points twice or not at all. The new file takes their place. */
  replace(files: readonly SealedFact[], by: SealedFact | undefined): void {
    const { source, day } = files[0] as SealedFact
    const days = this.#bySource.get(source)
    if (days === undefined) return
    const paths = new Set(files.map(({ path }) => path))
    const rest = (days.get(day) ?? []).filter(({ path }) => !paths.has(path))
    this.#set(days, source, day, by === undefined ? rest : [...rest, by])
    this.#leave(files)
  }

  /** Gives up a file that was never in use. */
  abandon(file: SealedFact): void {
    this.#leave([file])
  }

  drop(source: string): void {
    const days = this.#bySource.get(source)
    this.#bySource.delete(source)
    if (days === undefined) return
    for (const day of days.keys()) this.#divided.delete(`${day} ${source}`)
    this.#leave([...days.values()].flat())
  }

  /** Files by day, and within a day the oldest first. */
  between(source: string, fromDay: number, toDay: number): SealedFact[] {
    const days = this.#bySource.get(source)
    if (days === undefined) return []
    const found = [...days.keys()].filter((day) => day >= fromDay && day <= toDay).sort((a, b) => a - b)
    return found.flatMap((day) => days.get(day) as SealedFact[])
  }

  /** The files of all sources. */
  all(): SealedFact[] {
    return [...this.#bySource.values()].flatMap((days) => [...days.values()].flat())
  }

  /** The files of each day that has more than one. */
  divided(): Iterable<readonly SealedFact[]> {
    return this.#divided.values()
  }

  hold(paths: readonly string[]): void {
    for (const path of paths) this.#readers.set(path, (this.#readers.get(path) ?? 0) + 1)
  }

  release(paths: readonly string[]): void {
    const free: string[] = []
    for (const path of paths) {
      const readers = (this.#readers.get(path) ?? 1) - 1
      if (readers > 0) {
        this.#readers.set(path, readers)
        continue
      }
      this.#readers.delete(path)
      if (this.#leaving.delete(path)) free.push(path)
    }
    if (free.length > 0) this.#onFree(free)
  }

  #set(days: Map<number, SealedFact[]>, source: string, day: number, files: SealedFact[]): void {
    files.sort((a, b) => a.sequence - b.sequence)
    if (files.length === 0) days.delete(day)
    else days.set(day, files)
    if (files.length > 1) this.#divided.set(`${day} ${source}`, files)
    else this.#divided.delete(`${day} ${source}`)
  }

  #leave(files: readonly SealedFact[]): void {
    const free: string[] = []
    for (const { path } of files) {
      if (this.#readers.has(path)) this.#leaving.add(path)
      else free.push(path)
    }
    if (free.length > 0) this.#onFree(free)
  }
}
