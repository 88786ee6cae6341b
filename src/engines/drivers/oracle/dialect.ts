import { type Dialect, type Form, sqlName, sqlText, usualSelect } from '../common/dialect.ts'
import { decimalText, double, isoTime, smallNumber, text, timeText, truth, wholeNumber } from '../common/values.ts'

const TIME = 'YYYY-MM-DD HH24:MI:SS'
const NANOS = `${TIME}.FF9`
const time = (value: unknown) => (typeof value === 'string' ? timeText(value) : null)
/** A position as a time with all digits, as the formats above have them. */
const fullTime = (position: string) => (timeText(isoTime(position)) ?? position).slice(0, 29)
const bytes = (value: unknown) => (value instanceof Uint8Array ? Uint8Array.from(value) : null)

const TEXT: Form = { type: 'text', decode: text, literal: sqlText }
const AS_TEXT: Form = { ...TEXT, select: (column) => `TO_CHAR(${column})` }
const DOUBLE: Form = { type: 'double', decode: double, literal: (position) => `TO_BINARY_DOUBLE(${sqlText(position)})` }
const BLOB: Form = { type: 'blob', decode: bytes, literal: sqlText }
/** Types of users, and others that have no form to be sent in. */
const UNREADABLE: Form = { ...TEXT, select: () => 'NULL' }
/** Numbers as texts: the package would make doubles of them. */
const number = (type: Form['type'], decode: Form['decode']): Form => ({
  type,
  select: (column) => `TO_CHAR(${column}, 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,''')`,
  decode,
  literal: (position) => position
})
const timestampLiteral = (position: string) => `TO_TIMESTAMP(${sqlText(fullTime(position))}, '${NANOS}')`
const INSTANT: Form = {
  type: 'timestamptz',
  select: (column) => `TO_CHAR(SYS_EXTRACT_UTC(${column}), '${NANOS}')`,
  decode: time,
  literal: (position) => `FROM_TZ(${timestampLiteral(position)}, 'UTC')`
}

const FORMS: Readonly<Record<string, Form>> = {
  'NUMBER 9': number('integer', smallNumber),
  'NUMBER 18': number('bigint', wholeNumber),
  NUMBER: number('decimal', decimalText),
  FLOAT: number('decimal', decimalText),
  BINARY_FLOAT: DOUBLE,
  BINARY_DOUBLE: DOUBLE,
  BOOLEAN: { type: 'boolean', decode: truth, literal: (position) => position },
  DATE: {
    type: 'timestamp',
    select: (column) => `TO_CHAR(${column}, '${TIME}')`,
    decode: time,
    literal: (position) => `TO_DATE(${sqlText(fullTime(position).slice(0, 19))}, '${TIME}')`
  },
  TIMESTAMP: {
    type: 'timestamp',
    select: (column) => `TO_CHAR(${column}, '${NANOS}')`,
    decode: time,
    literal: timestampLiteral
  },
  'TIMESTAMP WITH TIME ZONE': INSTANT,
  'TIMESTAMP WITH LOCAL TIME ZONE': INSTANT,
  'INTERVAL YEAR TO MONTH': AS_TEXT,
  'INTERVAL DAY TO SECOND': AS_TEXT,
  ROWID: { ...TEXT, select: (column) => `ROWIDTOCHAR(${column})` },
  CHAR: TEXT,
  NCHAR: TEXT,
  VARCHAR2: TEXT,
  NVARCHAR2: TEXT,
  CLOB: TEXT,
  NCLOB: TEXT,
  LONG: TEXT,
  BLOB,
  RAW: BLOB,
  JSON: {
    type: 'json',
    select: (column) => `JSON_SERIALIZE(${column} RETURNING CLOB)`,
    decode: text,
    literal: sqlText
  },
  XMLTYPE: { ...TEXT, select: (column) => `${column}.getClobVal()` }
}

export const ORACLE: Dialect = {
  quote: sqlName,
  form: (type) => FORMS[type.replace(/\(\d+\)/g, '')] ?? UNREADABLE,
  select(parts) {
    if (parts.limit === undefined) return usualSelect(parts)
    const ties = parts.order === undefined ? 'ONLY' : 'WITH TIES'
    return usualSelect(parts, ` FETCH FIRST ${parts.limit} ROWS ${ties}`)
  },
  columns: (of) => `
    SELECT c.owner, c.table_name, CASE o.object_type WHEN 'VIEW' THEN 1 ELSE 0 END, c.column_name,
      CASE WHEN c.data_type <> 'NUMBER' OR c.data_scale <> 0 OR c.data_scale IS NULL OR c.data_precision IS NULL THEN c.data_type
        WHEN c.data_precision <= 9 THEN 'NUMBER 9' WHEN c.data_precision <= 18 THEN 'NUMBER 18' ELSE 'NUMBER' END,
      CASE c.nullable WHEN 'N' THEN 0 ELSE 1 END, COALESCE(k.position, 0), 1
    FROM all_tab_columns c
    JOIN all_objects o ON o.owner = c.owner AND o.object_name = c.table_name AND o.object_type IN ('TABLE', 'VIEW')
    LEFT JOIN (
      SELECT n.owner, n.table_name, n.column_name, n.position FROM all_constraints x
      JOIN all_cons_columns n ON n.owner = x.owner AND n.constraint_name = x.constraint_name
      WHERE x.constraint_type = 'P'
    ) k ON k.owner = c.owner AND k.table_name = c.table_name AND k.column_name = c.column_name
    WHERE c.owner NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y') AND c.table_name NOT LIKE 'BIN$%'${
      of === undefined ? '' : ` AND c.owner = ${sqlText(of.schema)} AND c.table_name = ${sqlText(of.table)}`
    }
    ORDER BY c.owner, c.table_name, c.column_id`
}
