import { Closed, OneOf } from '../../../http/schemas.ts'
import { type Static, Type } from '../../../http/type.ts'
import { dueText } from './due-text.ts'

/** What the key of an object may hold in braces. */
const KEY_NAMES = ['date', 'time', 'dueAt'] as const
/** Parameters that every statement may use. */
export const OWN_PARAMETERS = ['due_at', 'previous_due_at'] as const

const MAX_NAMES = 50

export const SqlTargetConfig = Closed({
  sql: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description:
      'One statement that reads, such as SELECT, over `relations`. `$due_at` and `$previous_due_at` (null at the first run) are the due times as ISO 8601 in UTC: compare times with them, or calculate with `$due_at::TIMESTAMP`'
  }),
  relations: Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    maxProperties: MAX_NAMES,
    propertyNames: { minLength: 1, maxLength: 100 },
    additionalProperties: { type: 'string', maxLength: 2000, description: 'A data reference' },
    description:
      'Data references by the names that the SQL uses for them: `object://bucket/key` (globs allowed), `series://sourceId`, `pipeline://id`'
  }),
  parameters: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({
      type: 'object',
      maxProperties: MAX_NAMES,
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' },
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 10_000 },
      description: 'Values by the names that the SQL uses for them after a `$`'
    })
  ),
  into: Closed(
    {
      bucket: Type.String({ minLength: 1, maxLength: 100, description: 'The bucket that the object is written to' }),
      key: Type.String({
        minLength: 1,
        maxLength: 900,
        description:
          'The key of the object. `{date}` (2026-03-02), `{time}` (040000) and `{dueAt}` (20260302T040000Z) are of the due time, in UTC; without them each run replaces the object of the one before'
      }),
      format: OneOf(['csv', 'ndjson'], 'The format: CSV with a header, or one JSON object on each line')
    },
    { description: 'The object that the rows are written to; a run that fails leaves the old one whole' }
  )
})
export type SqlTargetConfig = Static<typeof SqlTargetConfig>

const UNKNOWN = new RegExp(`\\{(?!(?:${KEY_NAMES.join('|')})\\})[^{}]{0,100}\\}?`)

/** The first of what begins with a brace and has no meaning. */
export const unknownInKey = (key: string): string | undefined => UNKNOWN.exec(key)?.[0]

/** What all keys of a schedule have in common, as a pattern. */
export const keyPattern = (key: string): string => key.replace(/\{(date|time|dueAt)\}/g, '*')

/** The same due time always has the same key. */
export function keyAt(key: string, dueAt: string): string {
  const text = dueText(dueAt)
  const values = { date: new Date(dueAt).toISOString().slice(0, 10), time: text.slice(9, -1), dueAt: text }
  return key.replace(/\{(date|time|dueAt)\}/g, (_, name: keyof typeof values) => values[name])
}
