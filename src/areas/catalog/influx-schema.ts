import { PRECISIONS, type Precision } from '../../engines/series/index.ts'
import { Name, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'

/** The names of units in older clients. */
const SHORT: Readonly<Record<string, Precision>> = { n: 'ns', u: 'us', µ: 'us' }

const Unit = OneOf([...PRECISIONS, 'n', 'u', 'µ'], 'Unit of the times; `ns` if not said')
const Ignored = (what: string) => Type.Optional(Type.String({ maxLength: 200, description: `${what}; ignored` }))
const Password = Type.Optional(
  Type.String({ maxLength: 16_384, description: 'An API key, where it is not in the Authorization header' })
)

export function precisionOf(unit: string | undefined): Precision {
  return unit === undefined ? 'ns' : (SHORT[unit] ?? (unit as Precision))
}

export const WriteQuery = Type.Object(
  {
    bucket: Name('Name or identifier of a source; one of this name is made if there is none'),
    org: Ignored('Name of an organisation'),
    orgID: Ignored('Identifier of an organisation'),
    precision: Type.Optional(Unit),
    consistency: Ignored('How many nodes have to confirm the write')
  },
  { additionalProperties: false }
)

export const OldWriteQuery = Type.Object(
  {
    db: Name('Name or identifier of a source; one of this name is made if there is none'),
    rp: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^(|\\S|\\S.*\\S)$',
        description: 'A retention policy: with one other than `autogen` the source is `<db>/<rp>`'
      })
    ),
    precision: Type.Optional(Unit),
    consistency: Ignored('How many nodes have to confirm the write'),
    u: Ignored('Name of a user'),
    p: Password
  },
  { additionalProperties: false }
)

export const StatementQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 2000, description: 'The statement, where it is not in the body' })),
    db: Ignored('Name of a database'),
    u: Ignored('Name of a user'),
    p: Password
  },
  { additionalProperties: false }
)

export const StatementResult = Type.Object({
  results: Type.Array(Type.Object({ statement_id: Type.Integer({ minimum: 0 }) }))
})
