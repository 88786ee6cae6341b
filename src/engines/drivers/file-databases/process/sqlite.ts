import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { COLUMNS_TABLE, FileFault, type OpenDatabase, type Row } from './messages.ts'

const BATCH_ROWS = 2000
const BATCH_BYTES = 1024 * 1024
const MAX_VALUE_BYTES = 64 * 1024 * 1024

/**
 * The file as nothing but data: nothing is written, no function of it runs that could do harm, and its pages are looked at closely. That nobody
 * changes it is known, and without being told so SQLite would want to write beside a file that was left in WAL mode.
 */
export function openSqlite(path: string): OpenDatabase {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false, timeout: 0 })
  database.enableDefensive(true)
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0')
  try {
    writeColumns(database)
  } catch (error) {
    throw faultOf(error)
  }
  database.exec('PRAGMA query_only = ON')
  return {
    async *run(statement) {
      try {
        yield* batchesOf(database, statement)
      } catch (error) {
        throw faultOf(error)
      }
    }
  }
}

function* batchesOf(database: DatabaseSync, sql: string): Generator<Row[]> {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  let batch: Row[] = []
  let bytes = 0
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<Row>) {
    bytes += sizeOf(row)
    batch.push(row)
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function sizeOf(row: Row): number {
  let bytes = 0
  for (const value of row) {
    const size = typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    if (size > MAX_VALUE_BYTES) throw new FileFault(`A value is larger than ${MAX_VALUE_BYTES} bytes`)
    bytes += size
  }
  return bytes
}

interface Listed {
  readonly name: string
  readonly type: string
}

/** Views that do not work, such as those of tables that are gone, are left out: SQLite knows no way to ask for the others in one statement. */
function writeColumns(database: DatabaseSync): void {
  database.exec(`CREATE TABLE ${COLUMNS_TABLE} (name, is_view, at, column, type, nullable, key)`)
  const add = database.prepare(`INSERT INTO ${COLUMNS_TABLE} VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const listed = database.prepare(
    "SELECT name, type FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
  )
  const describe = database.prepare(
    'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
  )
  for (const { name, type } of listed.iterate() as Iterable<unknown> as Iterable<Listed>) {
    const columns = attempt(() => describe.all(name), type === 'view')
    for (const [at, { name: column, type: declared, notnull, pk }] of columns.entries()) {
      add.run(name, type === 'view' ? 1 : 0, at, column ?? '', declared ?? '', notnull === 0 ? 1 : 0, pk ?? 0)
    }
  }
}

function attempt<T>(work: () => T[], mayFail: boolean): T[] {
  try {
    return work()
  } catch (error) {
    if (mayFail && (error as { errcode?: unknown }).errcode === SQLITE_ERROR) return []
    throw error
  }
}

const SQLITE_ERROR = 1

/** What SQLite says has names in it, and no values. */
function faultOf(error: unknown): unknown {
  if (error instanceof FileFault || !(error instanceof Error)) return error
  return new FileFault(`SQLite can’t read the file: ${error.message.slice(0, 200)}`)
}
