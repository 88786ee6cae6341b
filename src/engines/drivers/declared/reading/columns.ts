import { SQL_TYPES } from '../../../sql/index.ts'
import { jsonText } from '../../common/values.ts'
import type { ColumnType, StreamColumn, StreamValue } from '../../index.ts'
import type { StreamEntry } from '../entry.ts'
import { memberOf, type Scope } from '../template/template.ts'
import type { JsonRecord } from './records.ts'
import { isCounted } from './times.ts'
import { cellOf, joinedType, typeOf } from './values.ts'

/** Holds what is not among the columns and what does not fit into them. */
export const REST = '_rest'
/** A record with more members than these is data under names; the others of them stay in the rest. */
const MAX_COLUMNS = 1000
const MAX_NAME = 255

export const keysOf = ({ key }: StreamEntry): readonly string[] => (typeof key === 'string' ? [key] : (key ?? []))

/** The columns that an entry tells; undefined where they are found in records. */
export function toldColumns(stream: StreamEntry, parents: readonly string[]): StreamColumn[] | undefined {
  if (stream.columns === undefined) return undefined
  const types = new Map(Object.entries(stream.columns).map(([name, type]) => [name, columnType(type)]))
  return completed(types, stream, parents)
}

const columnType = (name: string): ColumnType => SQL_TYPES.find((type) => type === name) ?? 'json'

/** The columns that records have, and what they get from parents, of which one is given. */
export function foundColumns(
  records: readonly JsonRecord[],
  stream: StreamEntry,
  parents: readonly string[],
  parent: Scope = {}
): StreamColumn[] {
  const types = new Map<string, ColumnType>()
  const taken = new Set([REST])
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const type = typeOf(value)
      const known = types.get(name)
      if (type === undefined) continue
      if (known !== undefined) types.set(name, joinedType(known, type))
      // Databases take names for the same that differ in capitals alone.
      else if (types.size < MAX_COLUMNS && isName(name) && !taken.has(name.toLowerCase())) {
        types.set(name, type)
        taken.add(name.toLowerCase())
      }
    }
  }
  for (const name of [...keysOf(stream), stream.cursor?.field ?? '']) {
    if (!name.includes('.') || types.has(name)) continue
    const type = records.map((record) => typeOf(memberOf(record, name.split('.')))).find((one) => one !== undefined)
    if (type !== undefined) types.set(name, type)
  }
  for (const name of parents) {
    const type = typeOf(parent[name])
    if (type !== undefined && !types.has(name)) types.set(name, type)
  }
  return completed(types, stream, parents)
}

/** What has to be there whatever was found: keys, the cursor, what comes from parents, and the rest. */
function completed(found: Map<string, ColumnType>, stream: StreamEntry, parents: readonly string[]): StreamColumn[] {
  const types = new Map(found)
  for (const name of parents) if (!types.has(name)) types.set(name, 'json')
  for (const name of keysOf(stream)) if (!types.has(name)) types.set(name, 'json')
  const { field, format } = stream.cursor ?? {}
  if (field !== undefined && !types.has(field)) types.set(field, isCounted(format) ? 'bigint' : 'text')
  types.delete(REST)
  const keys = new Set(keysOf(stream))
  return [...types, [REST, 'json'] as const].map(([name, type]) => ({ name, type, nullable: !keys.has(name) }))
}

const isName = (name: string) => name !== '' && name.length <= MAX_NAME && !name.includes('\0')

/** Puts records into columns. */
export class Rows {
  readonly columns: readonly StreamColumn[]
  readonly #places: ReadonlyMap<string, number>
  /** The name whose values are at a place; undefined for the rest. */
  readonly #names: readonly (string | undefined)[]
  /** Columns that a record has no member of the name of: the path to their values. */
  readonly #paths: readonly (readonly string[])[]
  readonly #types: readonly ColumnType[]
  readonly #restAt: number
  #values: StreamValue[][] = []
  rows = 0
  bytes = 0

  constructor(columns: readonly StreamColumn[]) {
    this.columns = columns.some(({ name }) => name === REST)
      ? columns
      : [...columns, { name: REST, type: 'json', nullable: true }]
    this.#restAt = this.columns.findIndex(({ name }) => name === REST)
    const places = new Map(this.columns.flatMap(({ name }, at) => (at === this.#restAt ? [] : [[name, at]])))
    this.#places = places
    this.#names = this.columns.map(({ name }, at) => (places.get(name) === at ? name : undefined))
    this.#paths = this.columns.map(({ name }) => name.split('.'))
    this.#types = this.columns.map(({ type }) => type)
    this.#clear()
  }

  /** Goes once over the members, in whose order the columns mostly are: this is done for every value that is ever read. */
  add(record: JsonRecord, parent: Scope): void {
    const [names, types, values] = [this.#names, this.#types, this.#values]
    let rest: [string, unknown][] | undefined
    let length = 0
    let likely = 0
    for (const name in record) {
      const value = record[name]
      const at = names[likely] === name ? likely : this.#places.get(name)
      likely += 1
      const cell = at === undefined ? undefined : cellOf(types[at] as ColumnType, value)
      if (at !== undefined) (values[at] as StreamValue[]).push(cell ?? null)
      if (typeof cell === 'string') length += cell.length
      if (cell !== undefined || value === null || value === undefined) continue
      rest ??= []
      rest.push([name, value])
    }
    for (let at = 0; at < values.length; at++) {
      const column = values[at] as StreamValue[]
      if (column.length > this.rows || at === this.#restAt) continue
      const value = this.#absent(at, record, parent)
      const cell = cellOf(types[at] as ColumnType, value)
      column.push(cell ?? null)
      if (typeof cell === 'string') length += cell.length
      if (cell !== undefined || value === null || value === undefined) continue
      rest ??= []
      rest.push([this.columns[at]?.name ?? '', value])
    }
    const restText = rest === undefined ? null : (jsonText(Object.fromEntries(rest)) ?? null)
    values[this.#restAt]?.push(restText)
    this.bytes += length + (restText?.length ?? 0) + 8 * values.length
    this.rows += 1
  }

  /** What a column is about that a record has no member for. */
  #absent(at: number, record: JsonRecord, parent: Scope): unknown {
    const path = this.#paths[at] ?? []
    return path.length > 1 ? memberOf(record, path) : memberOf(parent, path)
  }

  take(): { readonly values: StreamValue[][]; readonly rows: number } {
    const taken = { values: this.#values, rows: this.rows }
    this.#clear()
    return taken
  }

  #clear(): void {
    this.#values = this.columns.map(() => [])
    this.rows = 0
    this.bytes = 0
  }
}
