import { type Column, familyOf } from '../duckdb/columns.ts'

/** Columns of a node that are remembered. */
const MAX_COLUMNS = 2000
/** Columns of all nodes that are kept with each checkpoint. */
const MAX_KEPT = 5000

/** All columns that nodes have given in a run, whichever records had them. */
export class GivenColumns {
  readonly #columns = new Map<string, Map<string, Column>>()
  readonly #last = new Map<string, readonly Column[]>()
  /** Grows whenever there is something new. */
  version = 0
  /** Whether there were more of a node than are remembered. */
  isCut = false
  #count = 0

  /** With those that were given before the run was interrupted. */
  constructor(before: Readonly<Record<string, readonly Column[]>> = {}) {
    for (const [nodeId, columns] of Object.entries(before)) this.see(nodeId, columns)
  }

  see(nodeId: string, columns: readonly Column[]): void {
    // Nearly always they are the very same.
    if (this.#last.get(nodeId) === columns) return
    this.#last.set(nodeId, columns)
    const known = this.#columns.get(nodeId) ?? new Map<string, Column>()
    this.#columns.set(nodeId, known)
    for (const { name, type } of columns) {
      const key = name.toLowerCase()
      const before = known.get(key)
      const now = before === undefined ? type : both(before.type, type)
      if (now === before?.type) continue
      if (before === undefined && known.size >= MAX_COLUMNS) this.isCut = true
      else {
        if (before === undefined) this.#count += 1
        known.set(key, { name: before?.name ?? name, type: now })
        this.version += 1
      }
    }
  }

  /** What is kept with each checkpoint; undefined where that is too much. */
  toKeep(): Readonly<Record<string, readonly Column[]>> | undefined {
    return this.#count > MAX_KEPT ? undefined : Object.fromEntries(this.all())
  }

  all(): ReadonlyMap<string, readonly Column[]> {
    return new Map([...this.#columns].map(([nodeId, columns]) => [nodeId, [...columns.values()]]))
  }
}

/** The type that was there first; JSON for values of several kinds, so that it changes twice at most. */
function both(before: string, now: string): string {
  if (before === NOTHING) return now
  return now === NOTHING || familyOf(before) === familyOf(now) ? before : 'JSON'
}

/** The type of a column without a value. */
const NOTHING = '"NULL"'
