import { isoTime } from '../common/values.ts'
import { SourceError } from '../errors.ts'
import type { StreamColumn, StreamRead } from '../index.ts'

/** Times come and go in one form, in UTC and with all digits, whatever form an index keeps them in. */
const TIME_FORMAT = 'strict_date_optional_time_nanos'

/** What a search asks for, apart from where it goes on and how much it takes. */
export function searchOf(columns: readonly StreamColumn[], cursor: StreamRead['cursor']): Record<string, unknown> {
  const fields = columns.filter(({ name, type }) => name !== '_id' && type !== 'json')
  const objects = columns.filter(({ type }) => type === 'json').map(({ name }) => name)
  return {
    query: queryOf(columns, cursor),
    // The values as the index understands them: a number is one even where a document has it as a text.
    fields: fields.map(({ name, type }) =>
      type === 'timestamptz' ? { field: name, format: TIME_FORMAT } : { field: name }
    ),
    _source: objects.length === 0 ? false : objects,
    track_total_hits: false
  }
}

function queryOf(columns: readonly StreamColumn[], cursor: StreamRead['cursor']): unknown {
  if (cursor === undefined) return { match_all: {} }
  const { column, after } = cursor
  if (after === null) return { bool: { filter: [{ exists: { field: column } }] } }
  const isTime = typeOf(columns, column) === 'timestamptz'
  const bound = isTime ? { gt: isoTime(after), format: TIME_FORMAT } : { gt: after }
  return { bool: { filter: [{ range: { [column]: bound } }] } }
}

/** In the order of the cursor; an order of its own is the fastest where none is wanted. */
export function sortOf(columns: readonly StreamColumn[], cursor: StreamRead['cursor'], last: string): unknown[] {
  if (cursor === undefined) return [{ [last]: 'asc' }]
  const isTime = typeOf(columns, cursor.column) === 'timestamptz'
  const order = isTime ? { order: 'asc', format: TIME_FORMAT, numeric_type: 'date_nanos' } : { order: 'asc' }
  return [{ [cursor.column]: order }, ...(last === '_doc' ? [] : [{ [last]: 'asc' }])]
}

function typeOf(columns: readonly StreamColumn[], name: string): StreamColumn['type'] {
  const column = columns.find((one) => one.name === name)
  if (column === undefined) throw new SourceError('not_found', `There is no field ${JSON.stringify(name)}`)
  if (column.type === 'json' || name === '_id') {
    throw new SourceError('bad_request', `${JSON.stringify(name)} has no order to go on in`)
  }
  return column.type
}
