import type { Outbound } from '../outbound/index.ts'
import type { ChangesRead, SqlChanges, SqlReaders } from './changes/index.ts'

export type { ChangesChunk, ChangesRead, KnownReader, SqlChanges, SqlReaders } from './changes/index.ts'
export { defaultPort } from './default-port.ts'
export { SqlError, type SqlErrorCode } from './errors.ts'
export { parseTableName, quoteTableName } from './names.ts'

export const SQL_KINDS = ['postgres', 'mysql', 'clickhouse'] as const
/** `mysql` is for MariaDB too. */
export type SqlKind = (typeof SQL_KINDS)[number]
export const isSqlKind = (name: string): name is SqlKind => SQL_KINDS.some((kind) => kind === name)

export interface SqlSettings {
  readonly kind: SqlKind
  readonly host: string
  /** The usual port of the kind unless given; for ClickHouse, that of its HTTP interface. */
  readonly port?: number
  readonly database: string
  readonly user?: string
  readonly password?: string
  /** Whether to encrypt; the certificate has to be valid for `host`. */
  readonly tls?: boolean
  /** Certificates of authorities, as PEM, that are trusted instead of the usual ones. */
  readonly ca?: string | undefined
}

export interface SqlNeeds {
  readonly outbound: Outbound
}

/** A database of somebody else, to read from and to write to. Errors are `SqlError`s, or the reason of the signal. */
export interface SqlDatabase {
  readonly kind: SqlKind
  /**
   * Rows in chunks of at most `chunkRows`, however many there are, with bounded memory; no chunk where there are no
   * rows. Ending the iteration or the signal ends the statement on the server.
   */
  read(request: SqlRead): AsyncIterable<SqlChunk>
  /** Changes of a table from its log; not there where the database has none that can be read. */
  changes?(request: ChangesRead): SqlChanges
  /** Not there where the server keeps its log by rules of its own, whoever reads it. */
  readonly readers?: SqlReaders
  /**
   * Inserts, or with `keys` inserts or replaces by those columns; of rows with the same keys the last one wins. All
   * rows of one call or none where the database has transactions. Answers how many were taken. A failure on the way to
   * the answer leaves open whether the rows are there.
   *
   * ClickHouse has neither transactions nor unique keys: rows are sent in parts of up to 100,000, and with `keys` they
   * are inserted as usual, for the table to be a ReplacingMergeTree. Until that has merged them, reading gives the
   * replaced rows too, unless a query says `FINAL`. MySQL replaces a row that has the same values in any of its unique
   * indexes, not only in `keys`.
   */
  write(request: SqlWrite): Promise<number>
  /**
   * Does to a table what was done to another, in one transaction: the same as if each change were done alone, in this order. May
   * be done again, from any change on, as long as all that follow are too. Not there where the database has no transactions.
   */
  apply?(request: SqlApply): Promise<Applied>
  describe(table: string): Promise<SqlColumn[]>
  /** What there is to read, by name: for PostgreSQL in all schemas, else in the database of the settings. */
  tables(request: { readonly limit: number; readonly signal?: AbortSignal }): Promise<SqlTables>
  /** Resolves if the database answers and accepts the user. */
  check(): Promise<void>
  /** Ends all statements under way. */
  close(): Promise<void>
}

export interface SqlRead {
  /** One statement that reads. It is run as read only, and in a sub-select where there is a cursor or a limit. */
  readonly query?: string
  /**
   * In place of a query: `table` or `schema.table`. Names are taken literally; one with a dot is put in double
   * quotes.
   */
  readonly table?: string
  /**
   * Only rows whose column is greater than `after` (null: all that have one), in the order of that column. Rows that
   * appear later with an equal or smaller value are not seen by reads that go on from there; rows without a value
   * (NULL) are never seen.
   */
  readonly cursor?: { readonly column: string; readonly after: string | null }
  /** Of a table only these columns; all unless given. */
  readonly columns?: readonly string[]
  /** Of a table only rows for which all of these hold. */
  readonly where?: readonly SqlCondition[]
  /** With a cursor there may be more rows: all that have the same value as the last of them. */
  readonly limit?: number
  /** 10,000 unless given. Chunks of large rows have fewer rows. */
  readonly chunkRows?: number
  readonly signal?: AbortSignal
  /** How long the database may take for one chunk, and for what comes before the first; 5 minutes unless given. */
  readonly timeoutMs?: number
}

/** Values are compared by the order of the column's type; texts only for being the same, as the database understands it. */
export interface SqlCondition {
  readonly column: string
  readonly is: '=' | '<' | '<=' | '>' | '>=' | 'in' | 'null' | 'not null'
  /** One, or for `in` some; none for `null`. A number is a whole one. */
  readonly values: readonly ({ readonly number: string } | { readonly text: string })[]
}

export interface SqlChunk {
  readonly columns: readonly SqlColumn[]
  /** One array per column. */
  readonly values: readonly (readonly SqlValue[])[]
  readonly rows: number
  /** The greatest value of the cursor column so far, as a text to give as `after`; undefined without a cursor. */
  readonly position: string | undefined
  /**
   * The same rows as UTF-8 lines, from which `values` are made when somebody asks for them: fields have a tab between them, `\\N`
   * stands for no value, and nothing is escaped. Only some databases give these, and only where no value needs an escape.
   */
  readonly text?: Uint8Array | undefined
}

/**
 * A number for doubles and integers up to 32 bits, a bigint for larger integers (unsigned ones too), text for the rest.
 * Decimals and JSON are text. Dates are `YYYY-MM-DD`. Times are `YYYY-MM-DD HH:MM:SS.ffffff` in UTC, with more digits
 * where the database has more; what has no such form, like `infinity`, is text as the database prints it. Texts of
 * ClickHouse that are not UTF-8 are bytes.
 */
export type SqlValue = boolean | number | bigint | string | Uint8Array | null

export interface SqlColumn {
  readonly name: string
  readonly type: SqlType
  readonly nullable?: boolean
}

/** Whatever is none of these, such as an array, an interval or an enumeration, is `text`. */
export const SQL_TYPES = [
  'boolean',
  'integer',
  'bigint',
  'double',
  'decimal',
  'text',
  'date',
  'timestamp',
  'timestamptz',
  'json',
  'blob'
] as const
export type SqlType = (typeof SQL_TYPES)[number]

export interface SqlTables {
  readonly tables: readonly SqlTable[]
  /** Whether there are no more. */
  readonly isWhole: boolean
}

export interface SqlTable {
  /** As `table` of a read takes it. */
  readonly name: string
  readonly isView: boolean
  /** Whether the user may read it, as far as the server tells. */
  readonly isReadable: boolean
  readonly columns: readonly SqlColumn[]
  /** The columns of the primary key, in its order; ClickHouse has none that are unique. */
  readonly keys: readonly string[]
}

export interface SqlWrite {
  readonly table: string
  readonly columns: readonly SqlColumn[]
  /** One array per column, each of `rows` values. */
  readonly values: readonly (readonly SqlValue[])[]
  readonly rows: number
  /** Columns that identify a row. The table needs a primary key or unique index of exactly these. */
  readonly keys?: readonly string[]
  /** Makes the table if it does not exist, with `keys` as its primary key. */
  readonly create?: boolean
  readonly signal?: AbortSignal
}

export interface SqlApply extends Pick<SqlWrite, 'table' | 'columns' | 'create' | 'signal'> {
  /** As for a write, and with a value in every row; every column has one in `values` of a change. */
  readonly keys: readonly string[]
  readonly changes: readonly RowChange[]
}

export type RowChange =
  /** A row comes, or replaces the one with the same keys, but for the columns at the places `unsent`, which stay as they are. */
  | { readonly op: 'put'; readonly values: readonly SqlValue[]; readonly unsent: readonly number[] }
  /** The row with these keys goes, if there is one; other values do not matter. */
  | { readonly op: 'delete'; readonly values: readonly SqlValue[] }
  /** All rows go. */
  | { readonly op: 'empty' }

export interface Applied {
  /** Rows that were left out: some columns were to stay as they are, and the table does not have the row. */
  readonly absent: number
}

/** Opens a database; does not connect yet. */
export async function openSql(settings: SqlSettings, needs: SqlNeeds): Promise<SqlDatabase> {
  switch (settings.kind) {
    case 'postgres':
      return new (await import('./postgres/database.ts')).PostgresDatabase(settings, needs.outbound)
    case 'mysql':
      return new (await import('./mysql/database.ts')).MysqlDatabase(settings, needs.outbound)
    case 'clickhouse':
      return new (await import('./clickhouse/database.ts')).ClickhouseDatabase(settings, needs.outbound)
  }
}
