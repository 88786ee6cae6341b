import type { StringFormat } from '../shape.ts'

/** What strings are taken for. Others, such as `email`, are too easily what only some values look like. */
export const TEXT_FORMATS = ['date-time', 'date', 'uuid'] as const satisfies readonly StringFormat[]
export type TextFormat = (typeof TEXT_FORMATS)[number]

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const LONGEST_CHARS = 36

export function formatOf(text: string): TextFormat | undefined {
  if (text.length > LONGEST_CHARS) return undefined
  if (UUID.test(text)) return 'uuid'
  if (isDate(text)) return 'date'
  const day = DATE_TIME.exec(text)?.[1]
  return day !== undefined && isDate(day) ? 'date-time' : undefined
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (day === undefined) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
