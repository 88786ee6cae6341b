import { type Dialect, type Form, sqlName, usualSelect } from '../common/dialect.ts'
import { decimalText, double, isoTime, text, truth, wholeNumber } from '../common/values.ts'
import { dayText, epochText } from './times.ts'

/** A backslash means something within texts here. */
const literalText = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
const castTo = (type: string) => (position: string) => `${literalText(position)}::${type}`

const TEXT: Form = { type: 'text', decode: text, literal: literalText }
const DOUBLE: Form = { type: 'double', decode: double, literal: castTo('FLOAT') }
const JSON_FORM: Form = { type: 'json', decode: text, literal: literalText }
const INSTANT: Form = {
  type: 'timestamptz',
  select: (column) => `CONVERT_TIMEZONE('UTC', ${column})::TIMESTAMP_NTZ(9)`,
  decode: epochText,
  literal: (position) => castTo('TIMESTAMP_TZ(9)')(isoTime(position))
}

const FORMS: Readonly<Record<string, Form>> = {
  BOOLEAN: { type: 'boolean', decode: truth, literal: castTo('BOOLEAN') },
  'NUMBER 0': { type: 'bigint', decode: wholeNumber, literal: (position) => position },
  NUMBER: { type: 'decimal', decode: decimalText, literal: (position) => position },
  FLOAT: DOUBLE,
  DECFLOAT: { type: 'decimal', decode: decimalText, literal: castTo('DECFLOAT') },
  DATE: { type: 'date', decode: dayText, literal: castTo('DATE') },
  TIME: { ...TEXT, select: (column) => `${column}::VARCHAR` },
  TIMESTAMP_NTZ: { type: 'timestamp', decode: epochText, literal: castTo('TIMESTAMP_NTZ(9)') },
  TIMESTAMP_LTZ: INSTANT,
  TIMESTAMP_TZ: INSTANT,
  BINARY: {
    type: 'blob',
    decode: (value) => (typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'hex')) : null),
    literal: literalText
  },
  VARIANT: JSON_FORM,
  OBJECT: JSON_FORM,
  ARRAY: JSON_FORM,
  MAP: JSON_FORM,
  GEOGRAPHY: JSON_FORM,
  GEOMETRY: JSON_FORM
}

export const SNOWFLAKE: Dialect = {
  quote: sqlName,
  form: (type) => FORMS[type] ?? TEXT,
  select(parts) {
    const { limit, order } = parts
    if (limit === undefined) return usualSelect(parts)
    if (order === undefined) return usualSelect(parts, ` LIMIT ${limit}`)
    const ties = ` QUALIFY RANK() OVER (ORDER BY ${order}) <= ${limit} ORDER BY ${order}`
    return usualSelect({ ...parts, order: undefined }, ties)
  },
  columns: (of) => `
    SELECT c.table_schema, c.table_name, IFF(t.table_type LIKE '%VIEW', 1, 0), c.column_name,
      IFF(c.data_type = 'NUMBER' AND c.numeric_scale = 0, 'NUMBER 0', c.data_type), IFF(c.is_nullable = 'NO', 0, 1), 0, 1
    FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema <> 'INFORMATION_SCHEMA'${
      of === undefined
        ? ''
        : ` AND c.table_schema = ${literalText(of.schema)} AND c.table_name = ${literalText(of.table)}`
    }
    ORDER BY c.table_schema, c.table_name, c.ordinal_position`
}
