import { Type } from '../../../http/type.ts'

/** DuckDB's names of the types that a definition may give to fields of records. */
const TYPE_PATTERN =
  '^(?:BOOLEAN|INTEGER|BIGINT|HUGEINT|FLOAT|DOUBLE|DECIMAL\\([0-9]{1,2}, ?[0-9]{1,2}\\)|VARCHAR|DATE|TIME|TIMESTAMP|TIMESTAMPTZ|TIMESTAMP_NS|UUID|JSON)$'

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
      description: 'A type: `DOUBLE`, `BIGINT`, `VARCHAR`, `BOOLEAN`, `TIMESTAMP`, `DATE`, `DECIMAL(10, 2)`, `JSON` …'
    },
    description
  })

/** The code of a dead letter whose field does not hold what its column is to hold. */
export const WRONG_TYPE = 'wrong_type'

const MAX_SHOWN_CHARS = 100

/** Says of a field what was expected and what came. */
export function wrongType(field: string, expected: string, got: string): string {
  const shown = got.length > MAX_SHOWN_CHARS ? `${got.slice(0, MAX_SHOWN_CHARS)}…` : got
  return `${field}: expected ${expected}, got ${shown}`
}
