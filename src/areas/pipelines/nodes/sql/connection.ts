import { hostText } from '../../../../engines/places/index.ts'
import { defaultPort, parseTableName } from '../../../../engines/sql/index.ts'
import { Closed, OneOf } from '../../../../http/schemas.ts'
import { type Static, Type } from '../../../../http/type.ts'
import { authorityOf, outsideData } from '../../contract/outside-data.ts'
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

export type SqlConnection = Static<typeof SqlConnection>

/** Where the password for a database server goes, and as whose. All databases of a server are the same place. */
const goesTo: GoesTo<{ readonly connection?: SqlConnection | undefined }> = {
  'connection.kind': ({ connection }) => connection?.kind ?? [],
  'connection.host': ({ connection }) => (connection === undefined ? [] : hostText(connection.host)),
  'connection.port': ({ connection }) => (connection === undefined ? [] : String(portOf(connection))),
  'connection.tls': ({ connection }) => String(connection?.tls ?? false),
  'connection.user': ({ connection }) => connection?.user ?? ''
}

export const SQL_SECRETS = { 'connection.password': goesTo }

function portOf({ kind, port, tls = false }: Pick<SqlConnection, 'kind' | 'port' | 'tls'>): number {
  return port ?? defaultPort(kind, tls)
}

/** A table of a database or, where only the database is known, that; named as OpenLineage names them. */
export function sqlData(connection: SqlConnection, table: string | undefined): string {
  const { kind, host, database } = connection
  const namespace = `${kind}://${authorityOf(host, portOf(connection))}`
  if (table === undefined) return outsideData(namespace, database)
  const parts = partsOf(table)
  // PostgreSQL has schemas within a database; elsewhere what stands before the table is another database.
  if (kind === 'postgres') return outsideData(namespace, [database, parts.at(-2) ?? 'public', parts.at(-1)].join('.'))
  return outsideData(namespace, [parts.at(-2) ?? database, parts.at(-1)].join('.'))
}

/** A text that names no table is found when it is read or written. */
function partsOf(table: string): readonly string[] {
  try {
    return parseTableName(table)
  } catch {
    return [table]
  }
}
