import { hostText } from '../../../../engines/places/index.ts'
import { defaultPort } from '../../../../engines/sql/index.ts'
import { Closed, OneOf } from '../../../../http/schemas.ts'
import { type Static, Type } from '../../../../http/type.ts'
import type { GoesTo } from '../../contract/secret-place.ts'

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

type SqlConnection = Static<typeof SqlConnection>

/** Where the password for a database server goes, and as whose. All databases of a server are the same place. */
const goesTo: GoesTo<{ readonly connection: SqlConnection }> = {
  'connection.kind': ({ connection: { kind } }) => kind,
  'connection.host': ({ connection: { host } }) => hostText(host),
  'connection.port': ({ connection }) => String(portOf(connection)),
  'connection.tls': ({ connection: { tls = false } }) => String(tls),
  'connection.user': ({ connection: { user = '' } }) => user
}

export const SQL_SECRETS = { 'connection.password': goesTo }

function portOf({ kind, port, tls = false }: Pick<SqlConnection, 'kind' | 'port' | 'tls'>): number {
  return port ?? defaultPort(kind, tls)
}
