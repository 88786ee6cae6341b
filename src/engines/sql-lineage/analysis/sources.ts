import type { SourceColumn } from '../lineage.ts'
import type { RowKind } from '../query.ts'

const KINDS = ['identity', 'computed', 'filtered', 'joined', 'grouped', 'sorted'] as const
const IDENTITY = 1
const COMPUTED = 2
const VALUES = IDENTITY | COMPUTED
const ROWS: Record<RowKind, number> = { filtered: 4, joined: 8, grouped: 16, sorted: 32 }

interface Entry {
  readonly table: string
  readonly column: string
  /** One bit for each kind. */
  readonly kinds: number
}

/** The columns of tables that something comes from. It never changes, so that many may hold the same one. */
export class Sources {
  static readonly none = new Sources(new Map())
  readonly #entries: ReadonlyMap<string, Entry>

  private constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries
  }

  static column(table: string, column: string): Sources {
    return new Sources(new Map([[JSON.stringify([table, column]), { table, column, kinds: IDENTITY }]]))
  }

  static of(all: readonly Sources[]): Sources {
    const some = all.filter(({ size }) => size > 0)
    if (some.length < 2) return some[0] ?? Sources.none
    const entries = new Map<string, Entry>()
    for (const sources of new Set(some)) {
      for (const [key, entry] of sources.#entries) {
        const known = entries.get(key)
        if (known === undefined) entries.set(key, entry)
        else if ((known.kinds | entry.kinds) !== known.kinds)
          entries.set(key, { ...entry, kinds: known.kinds | entry.kinds })
      }
    }
    return new Sources(entries)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Grows with every source and every kind of one. */
  get weight(): number {
    let weight = 0
    for (const { kinds } of this.#entries.values()) weight += KINDS.filter((_, place) => kinds & (1 << place)).length
    return weight
  }

  /** Of a value that is made of this one. */
  get computed(): Sources {
    return this.#with((kinds) => (kinds & IDENTITY ? (kinds & ~IDENTITY) | COMPUTED : kinds))
  }

  /** Of rows about which this value decides. What decides about the rows behind the value stays what it is. */
  as(kind: RowKind): Sources {
    return this.#with((kinds) => (kinds & VALUES ? (kinds & ~VALUES) | ROWS[kind] : kinds))
  }

  #with(change: (kinds: number) => number): Sources {
    let isChanged = false
    const entries = new Map<string, Entry>()
    for (const [key, entry] of this.#entries) {
      const kinds = change(entry.kinds)
      if (kinds !== entry.kinds) isChanged = true
      entries.set(key, kinds === entry.kinds ? entry : { ...entry, kinds })
    }
    return isChanged ? new Sources(entries) : this
  }

  list(): SourceColumn[] {
    const list: SourceColumn[] = []
    for (const { table, column, kinds } of this.#entries.values()) {
      for (const [place, kind] of KINDS.entries()) if (kinds & (1 << place)) list.push({ table, column, kind })
    }
    return list
  }
}
