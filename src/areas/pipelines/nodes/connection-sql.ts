import { Closed, OneOf } from '../../../http/schemas.ts'
import { Type } from '../../../http/type.ts'

/** The part of the configuration of nodes that says which database is meant. */
export const SqlConnection = Closed(
  {
    kind: OneOf(['postgres', 'mysql', 'clickhouse'], 'What it is; `mysql` is MariaDB too'),
    host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s/@]+$', description: 'Name or address' }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: 'The usual one of its kind unless said; of ClickHouse, that of its HTTP interface'
      })
    ),
    database: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the database' }),
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The name to sign in with' })),
    password: Type.Optional(Type.String({ maxLength: 10_000, description: 'The password; never shown again' })),
    tls: Type.Optional(Type.Boolean({ description: 'Whether the connection is encrypted; it is not unless said' }))
  },
  { description: 'The database and how to sign in' }
)
