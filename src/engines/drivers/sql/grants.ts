import type { SqlKind } from '../../sql/index.ts'

interface Reader {
  readonly user: string
  readonly database: string
  /** Of PostgreSQL: where the tables are. */
  readonly schemas: readonly string[]
}

/** The rights that reading needs and no others, for an administrator to paste. */
export function grantsFor(kind: SqlKind, { user, database, schemas }: Reader): string[] {
  switch (kind) {
    case 'postgres':
      return [
        `GRANT CONNECT ON DATABASE ${quoted(database, '"')} TO ${quoted(user, '"')};`,
        ...schemas.flatMap((schema) => [
          `GRANT USAGE ON SCHEMA ${quoted(schema, '"')} TO ${quoted(user, '"')};`,
          `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted(schema, '"')} TO ${quoted(user, '"')};`
        ])
      ]
    case 'mysql':
      return [`GRANT SELECT, SHOW VIEW ON ${quoted(database, '`')}.* TO ${text(user)}@'%';`]
    case 'clickhouse':
      return [`GRANT SELECT ON ${quoted(database, '`')}.* TO ${quoted(user, '`')};`]
  }
}

const quoted = (name: string, mark: '"' | '`') => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
const text = (name: string) => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
