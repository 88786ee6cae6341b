import type { Effort } from '../effort.ts'
import type { KnownTables } from '../lineage.ts'
import { folded, joined } from '../names.ts'
import type { Path, Query } from '../query.ts'
import type { RowSet } from './row-set.ts'
import type { Scope } from './scope.ts'

/** In what dialects differ. */
export interface Traits {
  /** Whether an item of SELECT, and WHERE, may use the alias of another item. */
  readonly hasAliasesInSelect: boolean
  /** A JOIN with USING gives these columns first. */
  readonly putsUsingFirst: boolean
  /** Names that stand for a value where no column is known to be called so, folded. */
  readonly valueNames: ReadonlySet<string>
}

/** What the parts of the analysis of one statement share. */
export interface Context {
  readonly tables: Tables
  readonly traits: Traits
  readonly effort: Effort
  report(what: string): void
  /** The rows of a query that stands in this scope. */
  rowSetOf(query: Query, scope: Scope): RowSet
}

const MOST_REPORTS = 100

/** What is not understood, each thing once. */
export class Reports {
  readonly #said = new Set<string>()

  add(what: string): void {
    if (this.#said.size < MOST_REPORTS) this.#said.add(what)
  }

  list = () => [...this.#said].map((what) => ({ what }))
}

/** The tables that a statement names. */
export class Tables {
  readonly #known: ReadonlyMap<string, { readonly name: string; readonly columns: readonly string[] }>
  readonly #read = new Set<string>()

  constructor(known: KnownTables) {
    this.#known = new Map(Object.entries(known).map(([name, columns]) => [folded(name), { name, columns }]))
  }

  /** Its name, as it is known, and its columns, where they are. */
  find(path: Path): { readonly name: string; readonly columns: readonly string[] | null } {
    const name = joined(path)
    return this.#known.get(folded(name)) ?? { name, columns: null }
  }

  read(name: string): void {
    this.#read.add(name)
  }

  list = (): string[] => [...this.#read]
}
