import { sqlText } from '../../../data/relation.ts'

/** What a text could be read as, the narrowest first; `text` is whatever is nothing else. */
export const LOOKS = ['integer', 'decimal', 'boolean', 'date', 'timestamp', 'uuid', 'json', 'text'] as const
export type Look = (typeof LOOKS)[number]

const INTEGER = '[+-]?[0-9]+'
const DECIMAL = '[+-]?([0-9]+[.][0-9]*|[.]?[0-9]+)([eE][+-]?[0-9]+)?'
const TIME = '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+ ?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?'
const DATE_CHARS = 10
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const JSON_BEGINNING = '^[ \\t\\r\\n]*([{][ \\t\\r\\n]*["}]|\\[)'

/** The look of a text as SQL. One that was cut counts as JSON where it begins like it. */
export function lookSql(text: string, isCut: string): string {
  const fits = (pattern: string) => `regexp_full_match(${text}, ${sqlText(pattern)})`
  const isTime = `${fits(TIME)} AND TRY_CAST(${text} AS TIMESTAMP WITH TIME ZONE) IS NOT NULL`
  return `CASE
    WHEN ${fits(INTEGER)} THEN 'integer'
    WHEN ${fits(DECIMAL)} THEN 'decimal'
    WHEN lower(${text}) IN ('true', 'false', 'yes', 'no') THEN 'boolean'
    WHEN ${isTime} THEN CASE WHEN length(${text}) = ${DATE_CHARS} THEN 'date' ELSE 'timestamp' END
    WHEN ${fits(UUID)} THEN 'uuid'
    WHEN regexp_matches(${text}, ${sqlText(JSON_BEGINNING)}) AND (${isCut} OR json_valid(${text})) THEN 'json'
    ELSE 'text' END`
}
