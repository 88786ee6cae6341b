import { type Dialect, type Form, sqlName, sqlText, usualSelect } from '../common/dialect.ts'
import {
  decimalText,
  double,
  isoTime,
  jsonText,
  smallNumber,
  text,
  timeText,
  truth,
  wholeNumber
} from '../common/values.ts'

const time = (value: unknown) => (typeof value === 'string' ? timeText(value) : null)
const asTime = (position: string, type: string) =>
  `CAST(${sqlText(isoTime(position).replace('T', ' ').replace('Z', ''))} AS ${type})`

const TEXT: Form = { type: 'text', decode: text, literal: sqlText }
const JSON_FORM: Form = { type: 'json', decode: jsonText, literal: sqlText }

const FORMS: Readonly<Record<string, Form>> = {
  boolean: { type: 'boolean', decode: truth, literal: (position) => position },
  tinyint: { type: 'integer', decode: smallNumber, literal: (position) => position },
  smallint: { type: 'integer', decode: smallNumber, literal: (position) => position },
  integer: { type: 'integer', decode: smallNumber, literal: (position) => position },
  bigint: { type: 'bigint', decode: wholeNumber, literal: (position) => position },
  real: { type: 'double', decode: double, literal: (position) => `DOUBLE ${sqlText(position)}` },
  double: { type: 'double', decode: double, literal: (position) => `DOUBLE ${sqlText(position)}` },
  decimal: { type: 'decimal', decode: decimalText, literal: (position) => `DECIMAL ${sqlText(position)}` },
  date: { type: 'date', decode: text, literal: (position) => `DATE ${sqlText(position)}` },
  timestamp: { type: 'timestamp', decode: time, literal: (position) => asTime(position, 'timestamp(9)') },
  /** In its own zone on the way, in UTC here. */
  'timestamp with time zone': {
    type: 'timestamptz',
    select: (column) => `CAST(${column} AT TIME ZONE 'UTC' AS timestamp(9))`,
    decode: time,
    literal: (position) => `with_timezone(${asTime(position, 'timestamp(9)')}, 'UTC')`
  },
  varbinary: {
    type: 'blob',
    decode: (value) => (typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : null),
    literal: sqlText
  },
  json: { type: 'json', decode: text, literal: sqlText },
  array: JSON_FORM,
  map: JSON_FORM,
  row: JSON_FORM
}

export const TRINO: Dialect = {
  quote: sqlName,
  form: (type) => FORMS[baseOf(type)] ?? TEXT,
  select(parts) {
    if (parts.limit === undefined) return usualSelect(parts)
    const ties = parts.order === undefined ? 'ONLY' : 'WITH TIES'
    return usualSelect(parts, ` FETCH FIRST ${parts.limit} ROWS ${ties}`)
  },
  columns: (of) => `
    SELECT c.table_schema, c.table_name, CASE t.table_type WHEN 'VIEW' THEN 1 ELSE 0 END, c.column_name, c.data_type,
      CASE c.is_nullable WHEN 'NO' THEN 0 ELSE 1 END, 0, 1
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema <> 'information_schema'${
      of === undefined ? '' : ` AND c.table_schema = ${sqlText(of.schema)} AND c.table_name = ${sqlText(of.table)}`
    }
    ORDER BY c.table_schema, c.table_name, c.ordinal_position`
}

/** A type without its parameters: `decimal(12,2)`, `timestamp(3) with time zone`, `row(a integer)`. */
function baseOf(type: string): string {
  const [, name = type, end = ''] = /^(\w+)(?:\(.*\))?( with time zone)?$/.exec(type) ?? []
  return name + end
}
