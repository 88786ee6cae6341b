import { Type } from '../../../http/type.ts'
import type { ConfigFault } from '../contract/node-type.ts'

/** DuckDB's names of the types that a definition may give to fields of records. */
const TYPE_PATTERN =
  '^(?:BOOLEAN|INTEGER|BIGINT|HUGEINT|FLOAT|DOUBLE|DECIMAL\\([0-9]{1,2}, ?[0-9]{1,2}\\)|VARCHAR|DATE|TIME|TIMESTAMP|TIMESTAMPTZ|TIMESTAMP_NS|UUID|JSON)$'

const TYPE_EXPECTED =
  'a type in capitals: BOOLEAN, INTEGER, BIGINT, HUGEINT, FLOAT, DOUBLE, DECIMAL(10, 2), VARCHAR, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, TIMESTAMP_NS, UUID or JSON'
export const COLUMNS_EXPECTED = 'an object of types by column, such as {"celsius": "DOUBLE", "at": "TIMESTAMPTZ"}'

/** Types of columns that are told, by name. */
export const ColumnTypes = (description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    minProperties: 1,
    maxProperties: 500,
    propertyNames: { minLength: 1, maxLength: 200 },
    additionalProperties: {
      type: 'string',
      pattern: TYPE_PATTERN,
      'x-expected': TYPE_EXPECTED,
      description: 'A type: `DOUBLE`, `BIGINT`, `VARCHAR`, `BOOLEAN`, `TIMESTAMP`, `DATE`, `DECIMAL(10, 2)`, `JSON` …'
    },
    'x-expected': COLUMNS_EXPECTED,
    description
  })

/** How sources whose records bring no types are told them: `columns` by themselves, or those of a registered schema. */
export const sourceTypeFields = {
  columns: Type.Optional(
    ColumnTypes(
      'Types of columns by name. A record with another value there is a dead letter; the others go on. Columns that are not named have the type that each value has'
    )
  ),
  schemaId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'A registered schema that gives the types, instead of `columns`: those of its fields at the top'
    })
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of the registered schema; if not said, the newest at each start' })
  )
}

interface SourceTypes {
  readonly columns?: unknown
  readonly schemaId?: string
  readonly version?: number
}

/** What no schema can say about `sourceTypeFields`, for `check` of a type. */
export function sourceTypeFaults({ columns, schemaId, version }: SourceTypes): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (columns !== undefined && schemaId !== undefined) {
    faults.push({ pointer: '/schemaId', message: 'must not be there beside columns' })
  }
  if (version !== undefined && schemaId === undefined) {
    faults.push({ pointer: '/version', message: 'must not be there without schemaId' })
  }
  for (const [name, type] of Object.entries(Array.isArray(columns) ? {} : Object(columns))) {
    const [, width, scale] = /^DECIMAL\((\d+), ?(\d+)\)$/.exec(String(type)) ?? []
    if (width === undefined || (Number(width) >= 1 && Number(width) <= 38 && Number(scale) <= Number(width))) continue
    const message = `must be a DECIMAL of at most 38 digits, no more of them behind the point than there are: ${name} is ${type}`
    faults.push({ pointer: '/columns', message })
  }
  const names = new Map<string, string>()
  for (const name of Array.isArray(columns) ? columns : Object.keys(Object(columns))) {
    const other = names.get(name.toLowerCase())
    const message = `must not name ${name.slice(0, 63)} twice; ${String(other).slice(0, 63)} is the same in SQL`
    if (other !== undefined) faults.push({ pointer: '/columns', message })
    names.set(name.toLowerCase(), name)
  }
  return faults
}

/** The code of a dead letter whose field does not hold what its column is to hold. */
export const WRONG_TYPE = 'wrong_type'

const MAX_SHOWN_CHARS = 100

/** Says of a field what was expected and what came. */
export function wrongType(field: string, expected: string, got: string): string {
  const shown = got.length > MAX_SHOWN_CHARS ? `${got.slice(0, MAX_SHOWN_CHARS)}…` : got
  return `${field}: expected ${expected}, got ${shown}`
}
