import type { SqlKind } from './index.ts'

/** The port of a database that is given without one. */
export function defaultPort(kind: SqlKind, tls: boolean): number {
  if (kind === 'clickhouse') return tls ? 8443 : 8123
  return kind === 'mysql' ? 3306 : 5432
}
