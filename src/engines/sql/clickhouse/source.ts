import { SqlError } from '../errors.ts'
import type { SqlRead } from '../index.ts'
import type { Source } from '../requests.ts'
import { selectOf } from '../select.ts'
import { decoderOf } from './decode.ts'
import { quoteName, quoteTable, quoteText } from './quote.ts'
import type { ServerRead } from './server.ts'
import { type ColumnType, parseType } from './types.ts'

export interface Described {
  readonly name: string
  readonly type: ColumnType
}

export function sqlOf(source: Source, request: SqlRead): string {
  return 'table' in source ? selectOf(quoteTable(source.table), request, { quoteName, quoteText }) : source.query
}

/** The columns that a statement answers with. */
export async function describe(server: Pick<ServerRead, 'ask'>, sql: string): Promise<Described[]> {
  const answer = await server.ask(`DESCRIBE TABLE (\n${sql}\n) FORMAT TabSeparated`)
  const decode = decoderOf(parseType('String'))
  const lines = answer.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [name = '', type = ''] = line.split('\t').map((field) => String(decode(Buffer.from(field))))
    return { name, type: parseType(type) }
  })
}

/** The value to go on after, as a literal of the column's type. */
export function literal(type: ColumnType, text: string): string {
  const quoted = quoteText(text)
  switch (type.name) {
    case 'DateTime':
      return `toDateTime(${quoteText(text.replace(/\.\d+$/, ''))}, 'UTC')`
    case 'DateTime64':
      return `toDateTime64(${quoted}, ${Number(type.parameters[0])}, 'UTC')`
    case 'String':
      return quoted
    default:
      return `CAST(${quoted} AS ${type.text})`
  }
}

const WITHOUT_ORDER = /^(Array|Tuple|Map|Nested|JSON|Object|Variant|Dynamic|AggregateFunction|Nothing)/

export function checkCursor(columns: readonly Described[], name: string): Described {
  const column = columns.find((candidate) => candidate.name === name)
  if (column === undefined) throw new SqlError('no_such_column', `The answer has no column ${JSON.stringify(name)}`)
  if (WITHOUT_ORDER.test(column.type.name)) {
    throw new SqlError('invalid_query', `The column ${name} is of a type without an order to go on in`)
  }
  return column
}
