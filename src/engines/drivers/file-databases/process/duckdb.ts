import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdbValue } from '../../common/duckdb-values.ts'
import { attachFault } from './duckdb-errors.ts'
import { FileFault, type OpenDatabase, type Row } from './messages.ts'

/** Nothing is fetched, and no more of this machine is taken than that. */
const OPTIONS: Readonly<Record<string, string>> = {
  threads: '1',
  memory_limit: '512MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
  allow_persistent_secrets: 'false'
}

/** The file as a catalogue that is only read. From then on views of it reach nothing else on this machine or outside. */
export async function openDuckdb(path: string): Promise<OpenDatabase> {
  const instance = await DuckDBInstance.create(':memory:', OPTIONS)
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = 'UTC'; SET temp_directory = ${text(join(dirname(path), 'spill'))}`)
  await connection.run("SET max_temp_directory_size = '4GiB'")
  try {
    await connection.run(`ATTACH ${text(path)} AS file (READ_ONLY, TYPE duckdb); USE file`)
  } catch (error) {
    throw attachFault(error)
  }
  await connection.run('SET enable_external_access = false; SET lock_configuration = true')
  return {
    async *run(statement) {
      try {
        const result = await connection.stream(statement)
        for (
          let chunk = await result.fetchChunk();
          chunk !== null && chunk.rowCount > 0;
          chunk = await result.fetchChunk()
        ) {
          yield chunk.getRows().map((row): Row => row.map(duckdbValue))
        }
      } catch {
        // What DuckDB says may hold values.
        throw new FileFault('DuckDB can’t read it: the file is damaged, or a view needs something that is not in it')
      }
    }
  }
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
