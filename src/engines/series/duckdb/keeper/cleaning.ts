import type { SealedFact } from '../index-db.ts'
import type { Keeper } from './keeper.ts'
import type { RetiredTag } from './log-records.ts'

/** What is to be done next; `done` is told when it is. */
export type CleaningStep =
  | { readonly file: SealedFact; done(): void; skip(): void }
  | { readonly ids: readonly number[]; done(): void }

/** A walk through the files that a source had when the index knew that these tags are deleted: later ones hold none of them. */
interface Walk {
  readonly source: string
  readonly ids: readonly number[]
  readonly files: SealedFact[]
  /** Whether a file can't be written anew for now, so that the tags are looked for again after the next start. */
  hasSkipped: boolean
}

/** Which files are to be rid of the points of deleted tags. What is under way at a crash begins anew after it. */
export class Cleaning {
  readonly #keeper: Keeper
  /** By source, tags that no walk is after yet. */
  readonly #due = new Map<string, number[]>()
  #walk: Walk | undefined

  constructor(keeper: Keeper) {
    this.#keeper = keeper
  }

  /** Only what the index knows: until then files are made that hold points of these. */
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

  /** It may have become part of another one, which has been written without the points of deleted tags. */
  #isThere({ source, day, path }: SealedFact): boolean {
    return this.#keeper.files.between(source, day, day).some((file) => file.path === path)
  }
}
