import type { RowChange, SqlColumn, SqlValue } from '../../../../engines/sql/index.ts'
import { NodeFault } from '../../contract/context.ts'

/** What records of changes have beside the columns of the table. */
const CHANGE_NAMES = ['_op', '_position', '_at', '_before', '_unchanged']

/** Whether records say what became of rows, as those of a `stream` with `changes` do. */
export function areChanges(columns: readonly { readonly name: string }[]): boolean {
  return ['_op', '_unchanged'].every((wanted) => columns.some(({ name }) => name === wanted))
}

/** The columns of the table that changes are of. */
export const ownColumns = <C extends { readonly name: string }>(columns: readonly C[]): C[] =>
  columns.filter(({ name }) => !CHANGE_NAMES.includes(name))

interface MirrorConfig {
  readonly keys: readonly string[]
  readonly truncate: boolean
}

/** Makes of records what is to be done to a table that is kept like the one that they tell of. */
export class Mirror {
  readonly columns: readonly SqlColumn[]
  readonly #config: MirrorConfig
  readonly #opAt: number
  readonly #unchangedAt: number
  readonly #ownAt: readonly number[]
  readonly #keyAt: readonly number[]

  /** `columns` are all that records have. */
  constructor(columns: readonly SqlColumn[], config: MirrorConfig) {
    const placeOf = (wanted: string) => columns.findIndex(({ name }) => name === wanted)
    this.columns = ownColumns(columns)
    this.#config = config
    this.#opAt = placeOf('_op')
    this.#unchangedAt = placeOf('_unchanged')
    this.#ownAt = this.columns.map(({ name }) => placeOf(name))
    this.#keyAt = config.keys.map(placeOf)
  }

  /** Throws a fault of the kind `records` where a record can't be applied. */
  readonly changeOf = (row: readonly SqlValue[]): RowChange => {
    const op = row[this.#opAt]
    switch (op) {
      case 'truncate':
        if (this.#config.truncate) return { op: 'empty' }
        throw refused(
          'truncate_refused',
          'All rows are gone at the source, and stay here: set "truncate": true at this node to have them go here too from the next start on, and delete now what is too much'
        )
      case 'delete':
        return { op, values: this.#valuesOf(row) }
      case 'snapshot':
      case 'insert':
      case 'update':
        return { op: 'put', values: this.#valuesOf(row), unsent: this.#unsentOf(row) }
      default:
        throw refused('bad_value', `_op is ${JSON.stringify(op)}: it says what became of a row, and is no such word`)
    }
  }

  #valuesOf(row: readonly SqlValue[]): SqlValue[] {
    const missing = this.#config.keys.find((_, i) => row[this.#keyAt[i] as number] == null)
    if (missing === undefined) return this.#ownAt.map((at) => row[at] ?? null)
    const advice =
      'give the keys of the stream as keys of this node, because a database tells no others of what is gone'
    throw refused(
      'no_key',
      `The key ${JSON.stringify(missing)} has no value, so nobody knows which row it is: ${advice}`
    )
  }

  #unsentOf(row: readonly SqlValue[]): number[] {
    const text = row[this.#unchangedAt]
    if (text == null) return []
    const names = parsed(text)
    if (!Array.isArray(names)) throw refused('bad_value', '_unchanged is no JSON list of columns')
    return this.columns.flatMap(({ name }, i) => (names.includes(name) ? [i] : []))
  }
}

function parsed(text: SqlValue): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

const refused = (code: string, message: string) => new NodeFault('records', code, message)
