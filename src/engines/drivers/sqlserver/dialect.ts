import { toTimestampText } from '../../sql/times.ts'
import { type Dialect, type Form, sqlText, type TableOf, usualSelect } from '../common/dialect.ts'
import { decimalText, double, isoTime, smallNumber, text, truth, wholeNumber } from '../common/values.ts'

const quote = (name: string) => `[${name.replaceAll(']', ']]')}]`
const literalText = (value: string) => `N${sqlText(value)}`
const castTo = (type: string) => (position: string) => `CAST(${literalText(position)} AS ${type})`
const time = (value: unknown) => (typeof value === 'string' ? toTimestampText(value) : null)
const bytes = (value: unknown) => (value instanceof Uint8Array ? Uint8Array.from(value) : null)
const asText = (column: string) => `CAST(${column} AS nvarchar(max))`

const TEXT: Form = { type: 'text', select: asText, decode: text, literal: literalText }
const PLAIN_TEXT: Form = { type: 'text', decode: text, literal: literalText }
const INTEGER: Form = { type: 'integer', decode: smallNumber, literal: (position) => position }
const DOUBLE: Form = { type: 'double', decode: double, literal: castTo('float') }
const BLOB: Form = { type: 'blob', decode: bytes, literal: literalText }
const METHOD_TEXT: Form = { ...TEXT, select: (column) => `${column}.ToString()` }
/** Times as texts: the package would make dates of milliseconds of them. */
const TIMESTAMP: Form = {
  type: 'timestamp',
  select: (column) => `CONVERT(varchar(30), CAST(${column} AS datetime2(7)), 121)`,
  decode: time,
  literal: castTo('datetime2(7)')
}
/** Decimals as texts: the package would make doubles of them. */
const decimal = (select: (column: string) => string): Form => ({
  type: 'decimal',
  select,
  decode: decimalText,
  literal: (position) => position
})

const FORMS: Readonly<Record<string, Form>> = {
  bit: { type: 'boolean', decode: truth, literal: (position) => position },
  tinyint: INTEGER,
  smallint: INTEGER,
  int: INTEGER,
  bigint: { type: 'bigint', decode: wholeNumber, literal: castTo('bigint') },
  decimal: decimal((column) => `CAST(${column} AS varchar(64))`),
  numeric: decimal((column) => `CAST(${column} AS varchar(64))`),
  money: decimal((column) => `CONVERT(varchar(64), ${column}, 2)`),
  smallmoney: decimal((column) => `CONVERT(varchar(64), ${column}, 2)`),
  float: DOUBLE,
  real: DOUBLE,
  date: { type: 'date', select: (column) => `CONVERT(char(10), ${column}, 23)`, decode: text, literal: castTo('date') },
  datetime: TIMESTAMP,
  datetime2: TIMESTAMP,
  smalldatetime: TIMESTAMP,
  datetimeoffset: {
    type: 'timestamptz',
    select: (column) => `CONVERT(varchar(30), CAST(SWITCHOFFSET(${column}, 0) AS datetime2(7)), 121)`,
    decode: time,
    literal: (position) => castTo('datetimeoffset(7)')(isoTime(position))
  },
  char: PLAIN_TEXT,
  varchar: PLAIN_TEXT,
  nchar: PLAIN_TEXT,
  nvarchar: PLAIN_TEXT,
  text: PLAIN_TEXT,
  ntext: PLAIN_TEXT,
  binary: BLOB,
  varbinary: BLOB,
  image: BLOB,
  /** A rowversion, which grows with every change of the database. */
  timestamp: {
    type: 'bigint',
    select: (column) => `CAST(${column} AS bigint)`,
    decode: wholeNumber,
    literal: (position) => `CAST(CAST(${literalText(position)} AS bigint) AS binary(8))`
  },
  json: { ...TEXT, type: 'json' },
  geometry: METHOD_TEXT,
  geography: METHOD_TEXT,
  hierarchyid: METHOD_TEXT,
  sql_variant: { ...TEXT, select: (column) => `CAST(${column} AS nvarchar(4000))` }
}

export const SQL_SERVER: Dialect = {
  quote,
  form: (type) => FORMS[type] ?? TEXT,
  select(parts) {
    const { limit, order, columns } = parts
    if (limit === undefined) return usualSelect(parts)
    return usualSelect({ ...parts, columns: `TOP (${limit})${order === undefined ? '' : ' WITH TIES'} ${columns}` })
  },
  columns: (of) => `
    SELECT s.name, o.name, CASE o.type WHEN 'V' THEN 1 ELSE 0 END, c.name,
      COALESCE(TYPE_NAME(c.system_type_id), TYPE_NAME(c.user_type_id)), CAST(c.is_nullable AS int),
      COALESCE(k.key_ordinal, 0), HAS_PERMS_BY_NAME(QUOTENAME(s.name) + '.' + QUOTENAME(o.name), 'OBJECT', 'SELECT')
    FROM sys.objects o
    JOIN sys.schemas s ON s.schema_id = o.schema_id
    JOIN sys.columns c ON c.object_id = o.object_id
    LEFT JOIN sys.indexes i ON i.object_id = o.object_id AND i.is_primary_key = 1
    LEFT JOIN sys.index_columns k ON k.object_id = o.object_id AND k.index_id = i.index_id AND k.column_id = c.column_id
    WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0${only(of)}
    ORDER BY s.name, o.name, c.column_id`
}

function only(of: TableOf | undefined): string {
  return of === undefined ? '' : ` AND s.name = ${literalText(of.schema)} AND o.name = ${literalText(of.table)}`
}
