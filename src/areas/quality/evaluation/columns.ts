import { nearestName } from '../../../data/nearest-name.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'

/** What can be asked of the values of a column. */
export type ColumnKind = 'whole' | 'float' | 'text' | 'time' | 'boolean' | 'other'

const KINDS: readonly (readonly [ColumnKind, RegExp])[] = [
  ['whole', /^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DECIMAL\(.*\))$/],
  ['float', /^(?:FLOAT|DOUBLE)$/],
  ['text', /^(?:VARCHAR|UUID|JSON|ENUM\(.*\))$/],
  ['time', /^(?:DATE|TIMESTAMP(?:_S|_MS|_NS| WITH TIME ZONE)?)$/],
  ['boolean', /^BOOLEAN$/]
]

export function kindOf(type: string): ColumnKind {
  return KINDS.find(([, pattern]) => pattern.test(type))?.[0] ?? 'other'
}

/** The columns of a dataset, by names in which SQL takes upper and lower case alike. */
export class Columns {
  readonly all: readonly DataColumn[]
  readonly #byName: ReadonlyMap<string, DataColumn>

  constructor(all: readonly DataColumn[]) {
    this.all = all
    this.#byName = new Map(all.map((column) => [column.name.toLowerCase(), column]))
  }

  find(name: string): DataColumn | undefined {
    return this.#byName.get(name.toLowerCase())
  }

  /** Says that there is no such column, and which one may be meant. */
  /** `place` says where, if that is not plain. */
  missing(name: string, place = ''): string {
    const nearest = nearestName(
      name,
      this.all.map((column) => column.name)
    )
    return `There is no column ${name}${place}${nearest === undefined ? '' : `; there is ${nearest}`}.`
  }
}
