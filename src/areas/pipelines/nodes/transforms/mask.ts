import { createHash } from 'node:crypto'
import { sqlName } from '../../../../data/relation.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf } from '../../contract/config-parts.ts'
import { selectType } from '../../contract/node-type.ts'
import { unchanged, type WayInput, type Ways } from '../../contract/ways.ts'
import type { Column } from '../../duckdb/columns.ts'
import { columnNamed } from './key-text.ts'

const HOWS = ['redact', 'hash', 'last4', 'null', 'email'] as const
type How = (typeof HOWS)[number]

const MaskConfig = Config({
  columns: Type.Unsafe<Readonly<Record<string, How>>>({
    type: 'object',
    minProperties: 1,
    maxProperties: 200,
    propertyNames: { minLength: 1, maxLength: 200 },
    additionalProperties: { type: 'string', enum: HOWS },
    description:
      'Columns, each with how it is made unreadable: `redact` (`***`), `hash` (64 hexadecimal digits, the same for the same value), `last4` (the last four characters of five or more), `email` (the first letter and the domain) or `null`. Nothing stays nothing'
  }),
  salt: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A secret for `hash`: without it, whoever knows possible values can find out which they are'
    })
  )
})
type MaskConfig = ConfigOf<typeof MaskConfig>

export const mask = selectType<MaskConfig>({
  type: 'mask',
  about: 'Makes columns unreadable.',
  config: MaskConfig,
  secrets: { salt: 'nowhere' },
  inputs: { min: 1, max: 1 },
  accounting: 'maps',
  columns: ({ columns }) => Object.keys(columns),
  ways: maskedWays,
  select({ columns, salt }, [input]) {
    const given = input?.columns ?? []
    // A name that is misspelt must not let a column through as it is.
    const hows = new Map(Object.entries(columns).map(([name, how]) => [columnNamed(name, given), how]))
    const list = given.map((column) => {
      const how = hows.get(column)
      const name = sqlName(column.name)
      return how === undefined ? name : `${masked(column, how, salt)} AS ${name}`
    })
    return `SELECT ${list.join(', ')}${input?.also} FROM ${input?.from}`
  }
})

/** Whatever is left of a value, and were it nothing: the column is there in place of the other. */
function maskedWays({ columns }: MaskConfig, inputs: readonly WayInput[]): Ways {
  const masked = new Set(Object.keys(columns).map((name) => name.toLowerCase()))
  const ways = unchanged(inputs).map((way) => {
    if (!masked.has(way.name.toLowerCase())) return way
    return { name: way.name, from: way.from.map((from) => ({ ...from, kind: 'masked' as const })) }
  })
  return { columns: ways, rows: [] }
}

function masked({ name, type }: Column, how: How, salt: string | undefined): string {
  const text = `${sqlName(name)}::VARCHAR`
  const unless = (shown: string) => `CASE WHEN ${text} IS NULL THEN NULL ELSE ${shown} END`
  switch (how) {
    case 'redact':
      return unless("'***'")
    case 'hash':
      return `sha256('${keyOf(salt)}' || ${text})`
    case 'last4':
      return unless(`CASE WHEN length(${text}) > 4 THEN '***' || right(${text}, 4) ELSE '***' END`)
    case 'email':
      return unless(
        `CASE WHEN regexp_full_match(${text}, '[^@]+@[^@]+') THEN left(${text}, 1) || '***@' || split_part(${text}, '@', 2) ELSE '***' END`
      )
    case 'null':
      return type === '"NULL"' ? sqlName(name) : `NULL::${type}`
  }
}

/** What goes before values: the secret itself is in no statement. */
function keyOf(salt: string | undefined): string {
  return salt === undefined ? '' : createHash('sha256').update(salt).digest('hex')
}
