import type { SqlKind, SqlType } from '../../sql/index.ts'
import type { StreamCondition } from '../index.ts'

const MAX_VALUES = 1000
const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?)?$/

/**
 * Whether a database can be trusted with a condition. Whole numbers and times have one order everywhere. Texts do not: a database may
 * take `a` for `A`, so that it gives more than what is the same. Of doubles and decimals each has its own idea.
 */
export function narrowing(
  kind: SqlKind,
  { is, values }: StreamCondition,
  type: SqlType
): 'exactly' | 'roughly' | undefined {
  if (is === 'null' || is === 'not null') return 'exactly'
  if (values.length > MAX_VALUES) return undefined
  if (type === 'integer' || type === 'bigint') return values.every((value) => 'number' in value) ? 'exactly' : undefined
  const texts = values.flatMap((value) => ('text' in value ? [value.text] : []))
  if (texts.length !== values.length) return undefined
  if (type === 'text') return (is === '=' || is === 'in') && texts.every(isPlain) ? 'roughly' : undefined
  if (type === 'date') return texts.every((text) => DATE.test(text)) ? 'exactly' : undefined
  // ClickHouse takes the text of a time for one of the zone of its column.
  if (kind === 'clickhouse' || (type !== 'timestamp' && type !== 'timestamptz')) return undefined
  return texts.every((text) => TIME.test(text)) ? 'exactly' : undefined
}

/** Whatever a database might not take for text of UTF-8 is not sent to it. */
const isPlain = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
