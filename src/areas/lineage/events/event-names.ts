import { dataNameOf } from '../openlineage/naming.ts'
import { datasetReference, isNode } from '../references.ts'
import type { DataSeen, Sighting } from '../sighting.ts'
import type { TableNames } from '../sql/names.ts'

/** Tables have names of so many parts at most: a project, a database, a schema and their own. */
const MAX_PARTS = 4

/** Data by the ends of their names; undefined where several end so. */
type ByEnd = ReadonlyMap<string, DataSeen | undefined>

/**
 * What the tables of a statement are among the data that its event names: `orders` is `shop.public.orders`, unless there are two
 * that end so. A table that the event leaves out is known where the statement gives its name in full.
 */
export class EventNames implements TableNames {
  readonly tables = []
  readonly unnamed = 'which is not known by one name among the data of the event'
  readonly #inputs: ByEnd
  readonly #outputs: ByEnd
  readonly #onlyOutput: DataSeen | undefined
  /** Where the tables of the database lie, and of how many parts their names are. */
  readonly #full: { readonly namespace: string; readonly count: number } | undefined

  constructor({ inputs, outputs }: Pick<Sighting, 'inputs' | 'outputs'>) {
    this.#inputs = byEnd(inputs)
    this.#outputs = byEnd(outputs)
    const [output, ...others] = outputs
    this.#onlyOutput = others.length === 0 ? output : undefined
    const name = output && dataNameOf(output.reference)
    const count = name === undefined ? 0 : partsOf(name.name).length
    const isTable = output?.reference.startsWith('dataset://') && count > 1
    this.#full = name !== undefined && isTable ? { namespace: name.namespace, count } : undefined
  }

  referenceOf(table: string, writes: string | null): string | null {
    if (table === writes) return this.targetOf(table)
    const found = this.#find(table)
    if (found !== null) return found?.reference ?? null
    const full = this.#full
    if (full === undefined || partsOf(table).length !== full.count) return null
    const reference = datasetReference(full.namespace, table)
    return isNode(reference) ? reference : null
  }

  columnsOf(table: string, writes: string | null): readonly string[] | null {
    const found = table === writes ? this.#target(table) : this.#find(table)
    return found?.columns?.map(({ name }) => name) ?? null
  }

  targetOf(table: string | null): string | null {
    return this.#target(table)?.reference ?? null
  }

  /** The result of a query goes where the only output is. */
  #target(table: string | null): DataSeen | undefined {
    return table === null ? this.#onlyOutput : this.#outputs.get(keyOf(partsOf(table)))
  }

  /** A statement may also read what it writes. Null where nothing is called so, undefined where several are. */
  #find(table: string): DataSeen | undefined | null {
    const key = keyOf(partsOf(table))
    const named = [this.#inputs, this.#outputs].find((all) => all.has(key))
    return named === undefined ? null : named.get(key)
  }
}

function byEnd(all: readonly DataSeen[]): ByEnd {
  const found = new Map<string, DataSeen | undefined>()
  for (const data of all) {
    for (const reference of [data.reference, ...(data.aliases ?? [])]) {
      const parts = partsOf(dataNameOf(reference)?.name ?? '')
      for (let count = 1; count <= Math.min(parts.length, MAX_PARTS); count++) {
        const key = keyOf(parts.slice(-count))
        found.set(key, !found.has(key) || found.get(key) === data ? data : undefined)
      }
    }
  }
  return found
}

const keyOf = (parts: readonly string[]): string => JSON.stringify(parts)

/** The parts of a name with dots between; one with a dot of its own is quoted. Case does not matter. */
const partsOf = (name: string): string[] =>
  (name.match(/"(?:[^"]|"")*"|[^."]+/g) ?? []).map((part) =>
    part
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"')
      .toLowerCase()
  )
