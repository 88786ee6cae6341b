import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { GIVES_MEMORY_BACK } from '../../../duckdb-memory.ts'
import { duckdbForm, duckdbValue } from '../../common/duckdb-values.ts'
import { type Field, type FieldColumn, fitting } from '../fields.ts'
import { type Block, FileFault, type FileFormat, withoutPlace } from './format.ts'

/** Rows of each group of columns are unpacked one page after the other; more than this is no file to be read as a stream. */
const OPTIONS = { threads: '1', memory_limit: '512MB', ...GIVES_MEMORY_BACK }

/** Read by DuckDB, in threads of its own, from a copy on this machine: the file's directory is at its end. */
export const parquet: FileFormat = {
  async fieldsOf(file) {
    return using(await file.saved(), async (database, path) =>
      (await columnsIn(database, path)).map(({ field }) => field)
    )
  },

  async *blocks(file, columns, after) {
    const path = await file.saved()
    const instance = await DuckDBInstance.create(':memory:', OPTIONS)
    const database = await instance.connect()
    try {
      yield* rowsOf(database, path, columns, after)
    } catch (error) {
      throw toFault(error)
    } finally {
      database.closeSync()
      instance.closeSync()
    }
  }
}

async function using<T>(path: string, work: (database: DuckDBConnection, path: string) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(':memory:', OPTIONS)
  const database = await instance.connect()
  try {
    return await work(database, path)
  } catch (error) {
    throw toFault(error)
  } finally {
    database.closeSync()
    instance.closeSync()
  }
}

/** What DuckDB says of a file may hold something of it. */
const toFault = (error: unknown) =>
  error instanceof Error && error.name === 'Error' ? new FileFault('no Parquet file that can be read') : error

async function* rowsOf(
  database: DuckDBConnection,
  path: string,
  columns: readonly FieldColumn[],
  after: number
): AsyncGenerator<Block> {
  const known = new Map((await columnsIn(database, path)).map((column) => [column.field.name, column]))
  const wanted = columns.map(({ field }) => known.get(field))
  const unknown = [...known.keys()].filter((name) => !columns.some(({ field }) => field === name))
  const odd = withoutPlace(unknown)
  const list = ['file_row_number + 1', ...wanted.map((column) => column?.sql ?? 'NULL')].join(', ')
  const sql = `SELECT ${list} FROM ${source(path)} WHERE file_row_number >= ${after}`
  const result = await database.stream(sql)
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [numbers = [], ...values] = chunk.getColumns()
    const oddness: (string | null)[] = numbers.map(() => odd)
    yield {
      rows: numbers.map(Number),
      odd: oddness,
      values: values.map((column, i) => {
        const [own, to] = [wanted[i]?.field.type, (columns[i] as FieldColumn).type]
        return column.map((value) => (own === to ? duckdbValue(value) : (fitting(duckdbValue(value), to) ?? null)))
      })
    }
  }
}

interface ParquetColumn {
  readonly field: Field
  /** What gives its values in the form that streams have them in. */
  readonly sql: string
}

async function columnsIn(database: DuckDBConnection, path: string): Promise<ParquetColumn[]> {
  const sql = `SELECT column_name, column_type FROM (DESCRIBE SELECT * EXCLUDE (file_row_number) FROM ${source(path)})`
  const reader = await database.runAndReadAll(sql)
  return reader.getRows().map(([name, type]) => {
    const quoted = `"${String(name).replaceAll('"', '""')}"`
    const [to, form] = duckdbForm(String(type), quoted)
    return { field: { name: String(name), type: to }, sql: form }
  })
}

const source = (path: string) =>
  `read_parquet('${path.replaceAll("'", "''")}', hive_partitioning = false, file_row_number = true)`
