import { DuckDBInstance } from '@duckdb/node-api'
import type { ExportedSeries } from '../index.ts'

/** The rows of all files: tag, nanoseconds, value, text, quality, with the columns that a file lacks. */
export async function rowsOf({ files }: Pick<ExportedSeries, 'files'>): Promise<unknown[][]> {
  if (files.length === 0) return []
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(
    'create table points (tag varchar, time timestamp_ns, value double, text varchar, quality utinyint)'
  )
  for (const file of files)
    await connection.run(
      `insert into points by name select columns(c -> c in ('tag', 'time', 'value', 'text', 'quality')) from '${file}'`
    )
  const result = await connection.runAndReadAll(
    `select tag, epoch_ns(time)::varchar, value, text, coalesce(quality, 0)::integer from points order by tag, time`
  )
  connection.closeSync()
  instance.closeSync()
  return result.getRows() as unknown[][]
}
