import { sqlName } from '../../../data/relation.ts'
import type { MappingKind } from '../../lineage/index.ts'
import type { Column } from '../duckdb/columns.ts'

/** What a node makes of the columns of its inputs, for lineage. */
export interface Ways {
  /** The columns that it gives or, of a sink, those of the data that it writes. */
  readonly columns: readonly ColumnWay[]
  /** What decides which records there are. */
  readonly rows: readonly FromColumn[]
}

export interface ColumnWay {
  readonly name: string
  /** Where it is known without looking at records. */
  readonly type?: string
  readonly from: readonly FromColumn[]
}

/** A column of an input. Without a name it may be any of them. */
export interface FromColumn {
  /** The place of the input among those of the node. */
  readonly input: number
  readonly column: string | null
  readonly kind: MappingKind
}

export interface WayInput {
  readonly id: string
  readonly columns: readonly Column[]
}

/** Reads a SELECT over inputs, which `inputTable` names; nothing is run. */
export type ReadSelect = (select: string) => Promise<Ways>

/** What a SELECT for `ReadSelect` calls an input. */
export const inputTable = (place: number): string => `${INPUT_TABLE}${place}`
const INPUT_TABLE = 'millrace_input_'

/** The place of the input that a table stands for; undefined where it stands for none. */
export function placeOfTable(name: string): number | undefined {
  const place = name.toLowerCase().startsWith(INPUT_TABLE) ? name.slice(INPUT_TABLE.length) : ''
  return /^\d{1,3}$/.test(place) ? Number(place) : undefined
}

/** What stands after FROM for an input: a relation called `input`. */
export const inputFrom = (place: number): string => `${sqlName(inputTable(place))} AS input`

/** All columns as they are; what several inputs have under one name is one column. */
export function unchanged(inputs: readonly WayInput[]): ColumnWay[] {
  const ways = new Map<string, { name: string; type: string; from: FromColumn[] }>()
  for (const [input, { columns }] of inputs.entries()) {
    for (const { name, type } of columns) {
      const key = name.toLowerCase()
      const way = ways.get(key) ?? { name, type, from: [] }
      way.from.push({ input, column: name, kind: 'identity' })
      ways.set(key, way)
    }
  }
  return [...ways.values()]
}

/** Columns of one input that have to do with something, by name. */
export const fromAll = (names: readonly string[], kind: MappingKind, input = 0): FromColumn[] =>
  names.map((column) => ({ input, column, kind }))
