import type { Kysely } from 'kysely'
import { DatabaseClosed } from './closed.ts'
import { postgresUnavailable } from './postgres-errors.ts'
import { sqliteUnavailable } from './sqlite-errors.ts'

export { hasRows } from './has-rows.ts'
export { type LateMigrations, lateMigrations } from './late-migrations.ts'
export { lockNames } from './lock-names.ts'
export { isPostgresMisaddressed } from './postgres-errors.ts'
export { slices } from './slices.ts'
export { sqliteTrouble } from './sqlite-condition.ts'
export { DatabaseTrouble } from './trouble.ts'

/**
 * Every table of the product. Empty here: each area adds its own by declaration merging, beside the migration that
 * makes it.
 *
 * Column types are the few that both databases keep alike: text, whole numbers to 2^53, and 0/1 for truth. Times are
 * ISO 8601 text, structured values are JSON text.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface Tables {}

export type Db = Kysely<Tables>

/** Resources, settings and their history. SQLite when embedded, PostgreSQL when several replicas share it. */
export interface Metadata {
  readonly dialect: 'sqlite' | 'postgres'
  /** For reading outside a transaction. Sees every transaction whose promise has resolved. */
  readonly db: Db
  /**
   * Runs `work` in a read-write transaction and commits when it resolves; when this promise resolves, the change has
   * been flushed to disk. `work` waits for nothing but its own statements, calls no `transaction`, and may run more
   * than once (a deadlock on PostgreSQL is tried again), so it has no effect outside the database.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Applies the migrations that have not run yet, in the order given; several replicas may call it at once. */
  migrate(migrations: readonly Migration[]): Promise<void>
  /** Resolves while the database answers and takes what is written; a `DatabaseTrouble` says what an operator should do. */
  ping(): Promise<void>
  /** Waits for all transactions under way, then closes. Later calls fail as unavailable. */
  close(): Promise<void>
}

export interface TransactionOptions {
  /** For transactions that make room, such as a deletion: on a full disk they may use the reserve. */
  readonly makesRoom?: boolean
}

/** An embedded database can be copied while it runs; a server has tools of its own for that. */
export interface Copyable {
  copyTo(path: string): Promise<void>
}

export function isCopyable(metadata: Metadata): metadata is Metadata & Copyable {
  return 'copyTo' in metadata
}

/** An embedded database, to which nobody else writes, knows when its tables change. */
export interface Watched {
  /** A number that changes with every committed change to the table. */
  changesOf(table: keyof Tables): number
}

export function isWatched<M extends Pick<Metadata, 'db'>>(metadata: M): metadata is M & Watched {
  return 'changesOf' in metadata
}

export interface Migration {
  /** `<area>/<number>-<what>`, for example `users/001-users`. Never changed once released. */
  readonly id: string
  up(db: Kysely<unknown>, type: ColumnTypes): Promise<void>
}

/** Names of the portable column types, for use in migrations. */
export interface ColumnTypes {
  /** Text compared byte by byte, so that order and paging are the same on every database. */
  readonly text: 'text'
  readonly integer: 'bigint'
}

export { prepare } from './prepare.ts'

/** Whether a unique index refused a row: the name is taken. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === '23505' || errcode === 2067 || errcode === 1555
}

/** Whether the database itself is out of reach, full or shutting down; the statement was not at fault. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseClosed || sqliteUnavailable(error) || postgresUnavailable(error)
}

export async function openMetadata(where: { databaseUrl?: string | undefined; file: string }): Promise<Metadata> {
  if (where.databaseUrl !== undefined) return (await import('./postgres.ts')).openPostgres(where.databaseUrl)
  return (await import('./sqlite.ts')).openSqlite(where.file)
}
