import { type Dialect, type Form, usualSelect } from '../common/dialect.ts'
import { decimalText, double, isoTime, text, truth, wholeNumber } from '../common/values.ts'

/** Texts and names have escapes as JSON has. */
const literalText = (value: string) => JSON.stringify(value)
const quote = (name: string) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
const typed = (type: string) => (position: string) => `${type} ${literalText(position)}`

const TEXT: Form = { type: 'text', decode: text, literal: literalText }
const CAST_TEXT: Form = { ...TEXT, select: (column) => `CAST(${column} AS STRING)` }
const JSON_FORM: Form = {
  type: 'json',
  select: (column) => `TO_JSON_STRING(${column})`,
  decode: text,
  literal: literalText
}

const FORMS: Readonly<Record<string, Form>> = {
  BOOL: { type: 'boolean', decode: truth, literal: (position) => position },
  INT64: { type: 'bigint', decode: wholeNumber, literal: (position) => position },
  FLOAT64: { type: 'double', decode: double, literal: (position) => `CAST(${literalText(position)} AS FLOAT64)` },
  NUMERIC: { type: 'decimal', decode: decimalText, literal: typed('NUMERIC') },
  BIGNUMERIC: { type: 'decimal', decode: decimalText, literal: typed('BIGNUMERIC') },
  STRING: TEXT,
  BYTES: {
    type: 'blob',
    decode: (value) => (typeof value === 'string' ? Uint8Array.from(Buffer.from(value, 'base64')) : null),
    literal: literalText
  },
  DATE: { type: 'date', decode: text, literal: typed('DATE') },
  DATETIME: {
    type: 'timestamp',
    select: (column) => `FORMAT_DATETIME('%F %H:%M:%E6S', ${column})`,
    decode: text,
    literal: typed('DATETIME')
  },
  TIMESTAMP: {
    type: 'timestamptz',
    select: (column) => `FORMAT_TIMESTAMP('%F %H:%M:%E6S', ${column}, 'UTC')`,
    decode: text,
    literal: (position) => typed('TIMESTAMP')(isoTime(position))
  },
  JSON: JSON_FORM,
  ARRAY: JSON_FORM,
  STRUCT: JSON_FORM
}

export const bigQuery = (dataset: string): Dialect => ({
  quote,
  form: (type) => FORMS[/^\w+/.exec(type)?.[0] ?? ''] ?? CAST_TEXT,
  select(parts) {
    const { limit, order } = parts
    if (limit === undefined) return usualSelect(parts)
    if (order === undefined) return usualSelect(parts, ` LIMIT ${limit}`)
    const ties = ` QUALIFY RANK() OVER (ORDER BY ${order}) <= ${limit} ORDER BY ${order}`
    return usualSelect({ ...parts, order: undefined }, ties)
  },
  columns: (of) => `
    SELECT c.table_schema, c.table_name, IF(t.table_type LIKE '%VIEW', 1, 0), c.column_name, c.data_type,
      IF(c.is_nullable = 'NO', 0, 1), 0, 1
    FROM ${quote(dataset)}.INFORMATION_SCHEMA.COLUMNS c
    JOIN ${quote(dataset)}.INFORMATION_SCHEMA.TABLES t ON t.table_name = c.table_name
    WHERE c.table_schema = ${literalText(of?.schema ?? dataset)}${
      of === undefined ? '' : ` AND c.table_name = ${literalText(of.table)}`
    }
    ORDER BY c.table_name, c.ordinal_position`
})
