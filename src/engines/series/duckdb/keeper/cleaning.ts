import type { SealedFact } from '../index-db.ts'
import type { Keeper } from './keeper.ts'
import type { RetiredTag } from './log-records.ts'

/** The next step; `done` has to be called after it. */
export type CleaningStep =
  | { readonly file: SealedFact; done(): void; skip(): void }
  | { readonly ids: readonly number[]; done(): void }

/**
 * A walk through the files that a source had when the index learnt that these tags are deleted: later files hold none
 * of their points.
 */
interface Walk {
  readonly source: string
  readonly ids: readonly number[]
  readonly files: SealedFact[]
  /** Whether a file can't be rewritten for now, so that the walk is repeated after the next start. */
  hasSkipped: boolean
}

/** Decides which files to clean of the points of deleted tags. After a crash the walk begins anew. */
export class Cleaning {
  readonly #keeper: Keeper
  /** Tags for which no walk has begun yet, by source. */
  readonly #due = new Map<string, number[]>()
  #walk: Walk | undefined

  constructor(keeper: Keeper) {
    this.#keeper = keeper
  }

  /** Adds only tags that the index knows as deleted: until then new files may hold points of them. */
  add(retired: readonly RetiredTag[]): void {
    for (const { id, source } of retired) {
      const ids = this.#due.get(source)
      if (ids === undefined) this.#due.set(source, [id])
      else ids.push(id)
    }
  }

  next(): CleaningStep | undefined {
    const walk = this.#walk ?? this.#begin()
    if (walk === undefined) return undefined
    const { source, files } = walk
    while (files.length > 0 && !this.#isThere(files.at(-1) as SealedFact)) files.pop()
    const file = files.at(-1)
    if (file !== undefined) {
      const skip = () => {
        walk.hasSkipped = true
        files.pop()
      }
      return { file, done: () => void files.pop(), skip }
    }
    const ids = walk.hasSkipped ? [] : walk.ids
    const done = () => {
      this.#walk = undefined
      this.#keeper.registry.forgetRetired(source, ids)
    }
    return { ids, done }
  }

  #begin(): Walk | undefined {
    const [first] = this.#due
    if (first === undefined) return undefined
    const [source, ids] = first
    this.#due.delete(source)
    this.#walk = { source, ids, files: this.#keeper.files.between(source, -Infinity, Infinity), hasSkipped: false }
    return this.#walk
  }

  /** Whether a file still exists. Otherwise it was merged into another one, which has no points of deleted tags. */
  #isThere({ source, day, path }: SealedFact): boolean {
    return this.#keeper.files.between(source, day, day).some((file) => file.path === path)
  }
}
