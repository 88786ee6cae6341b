import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import { failureOf } from './failure.ts'
import type { RunRequest } from './messages.ts'
import { lockIn, openDatabase, prepare, startQuery } from './session.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-hostile-'))
const readable = join(folder, 'readable')
const secret = join(folder, 'secret.csv')
const file = join(readable, '1.csv')

/** Files that a statement could name, as `$PATH`. */
const PATHS = [
  '/etc/passwd',
  secret,
  `${readable}/../secret.csv`,
  `${readable}/link.csv`,
  `${readable}/folder/secret.csv`,
  `${readable}/*.csv`,
  `${folder}/*`,
  '/proc/self/environ',
  '/proc/self/fd/0',
  '/dev/stdin',
  `file://${secret}`,
  '~/.bashrc',
  'https://127.0.0.1:9/a.csv',
  's3://bucket/a.csv'
]

const FILE_READERS = [
  "SELECT * FROM read_text('$PATH')",
  "SELECT * FROM read_blob('$PATH')",
  "SELECT * FROM read_csv('$PATH')",
  "SELECT * FROM read_json('$PATH')",
  "SELECT * FROM read_parquet('$PATH')",
  "SELECT * FROM '$PATH'",
  "SELECT * FROM sniff_csv('$PATH')",
  "SELECT * FROM parquet_metadata('$PATH')",
  "SELECT * FROM glob('$PATH')",
  "SELECT * FROM read_duckdb('$PATH')",
  "SELECT (SELECT count(*) FROM read_text('$PATH'))",
  "WITH x AS (SELECT * FROM read_text('$PATH')) SELECT * FROM x",
  "SELECT * FROM query('SELECT * FROM read_text(''$PATH'')')",
  "SELECT * FROM query_table('$PATH')",
  "SELECT * FROM t WHERE a IN (SELECT 1 FROM read_csv(['$FILE', '$PATH']))",
  "DESCRIBE SELECT * FROM read_csv('$PATH')",
  "SUMMARIZE FROM '$PATH'",
  "FROM t UNION ALL BY NAME FROM read_csv('$PATH')"
]

/** Statements that we refuse, whatever DuckDB would say to them. */
const REFUSED = [
  "COPY t TO '$FOLDER/out.csv'",
  "COPY (SELECT 1) TO '$FILE'",
  "COPY t FROM '$FILE'",
  "ATTACH '$FOLDER/x.db'",
  "ATTACH ':memory:' AS other",
  'DETACH memory',
  'USE memory',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD '$FILE'",
  'SET threads = 64',
  'SET enable_external_access = true',
  'RESET lock_configuration',
  "PRAGMA memory_limit = '100GB'",
  'PRAGMA database_list',
  'PRAGMA enable_profiling',
  "CALL enable_logging('QueryLog')",
  "CALL pragma_table_info('t')",
  "EXPORT DATABASE '$FOLDER/out'",
  "IMPORT DATABASE '$FOLDER'",
  'CREATE TABLE x AS SELECT 1',
  'CREATE VIEW x AS SELECT 1',
  'CREATE OR REPLACE VIEW t AS SELECT 1',
  'CREATE MACRO m() AS 1',
  "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'DROP VIEW t',
  'INSERT INTO t VALUES (1)',
  'UPDATE t SET a = 1',
  'DELETE FROM t',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'BEGIN',
  'CHECKPOINT',
  'VACUUM',
  'EXPLAIN SELECT 1',
  "EXPLAIN ANALYZE COPY t TO '$FOLDER/out.csv'",
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY t TO '$FOLDER/out.csv'",
  '',
  '-- nothing',
  'SHOW TABLES',
  'SHOW ALL TABLES',
  'SHOW DATABASES',
  "SELECT getenv('HOME')",
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_views()',
  'SELECT * FROM duckdb_views',
  'SELECT * FROM main.duckdb_views',
  'SELECT * FROM pg_catalog.pg_views',
  'SELECT * FROM information_schema.views',
  'SELECT * FROM memory.information_schema.views',
  'SELECT * FROM sqlite_master',
  'WITH duckdb_views AS (SELECT 1) SELECT * FROM main.duckdb_views',
  'SELECT * FROM (WITH duckdb_views AS (SELECT 1) FROM duckdb_views), duckdb_views',
  "SELECT current_setting('allowed_paths')",
  "SELECT CURRENT_SETTING('temp_directory')",
  "SELECT * FROM enable_logging('QueryLog', storage = 'file', storage_config = {'path': '$READABLE'})",
  "SELECT * FROM enable_profiling(save_location = '$FOLDER/profile')",
  "SELECT write_log('x')",
  'SELECT * FROM arrow_scan(1, 2, 3)',
  'SELECT * FROM force_checkpoint()',
  "SELECT * FROM which_secret('s3://x', 's3')",
  'SELECT * FROM duckdb_external_file_cache()',
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM seq_scan('t')",
  "SELECT * FROM sql_auto_complete('SEL')"
]

const HARMLESS = [
  'SELECT * FROM t',
  'SELECT * FROM main.T',
  'FROM t',
  'VALUES (1)',
  'DESCRIBE t',
  'SUMMARIZE t',
  'PIVOT t ON a IN (1, 2) USING count(*)',
  'WITH x AS (FROM t) SELECT * FROM x JOIN t USING (a)',
  'WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) FROM x',
  'SELECT * FROM range(3), unnest([1, 2]), generate_series(1, 2)',
  'SELECT a, row_number() OVER () FROM t QUALIFY true',
  '/* a */ SELECT 1 -- b',
  'SELECT 1;'
]

const request: RunRequest = {
  sql: '',
  parameters: [],
  relations: [{ alias: 't', sql: `SELECT * FROM read_csv(['${file}'])`, files: [file] }],
  folder: join(folder, 'own'),
  limits: { memoryBytes: 1_000_000_000, maxRows: 10 },
  spillBytes: 1_000_000,
  threads: 1
}

function filled(sql: string, path = ''): string {
  const places = { PATH: path, FILE: file, READABLE: readable, FOLDER: folder }
  return sql.replaceAll(/\$(PATH|FILE|READABLE|FOLDER)/g, (_, name: keyof typeof places) => places[name])
}

describe('hostile SQL', () => {
  let locked: DuckDBConnection
  let left: string[]

  before(async () => {
    mkdirSync(readable)
    mkdirSync(request.folder)
    writeFileSync(file, 'a\n1\n')
    writeFileSync(secret, 'a\ntop secret\n')
    symlinkSync(secret, join(readable, 'link.csv'))
    symlinkSync(folder, join(readable, 'folder'))
    left = written()
    locked = await openDatabase()
    await lockIn(locked, request)
  })
  after(() => {
    const now = written()
    rmSync(folder, { recursive: true })
    assert.deepEqual(now, left)
  })

  /** Files that exist although the statement was refused. */
  function written(): string[] {
    return (readdirSync(folder, { recursive: true }) as string[]).filter((name) => !name.startsWith('own')).sort()
  }

  /** The result of the SQL after the database was locked, as the process runs it. */
  async function outcome(sql: string): Promise<string> {
    try {
      const statement = await prepare(locked, { ...request, sql })
      const result = await statement.stream()
      return JSON.stringify(await result.getRowsJson())
    } catch (error) {
      const failure = failureOf(error, { ...request, sql })
      assert.ok(!failure.message.includes(`${folder}/own`), failure.message)
      return `${failure.code} ${failure.message}`
    }
  }

  for (const reader of FILE_READERS) {
    it(`reads no files: ${reader}`, async () => {
      for (const path of PATHS) {
        const sql = filled(reader, path)
        assert.match(await outcome(sql), /^sql_(refused|error) /, sql)
      }
    })
  }

  it('reads no files even where it is not looked at first', async () => {
    for (const reader of FILE_READERS) {
      for (const path of PATHS) {
        const sql = filled(reader, path)
        await assert.rejects(locked.runAndReadAll(sql), sql)
      }
    }
  })

  it('changes no setting and opens no database even where it is not looked at first', async () => {
    for (const sql of REFUSED.filter((text) =>
      /^(SET|RESET|ATTACH '\$|LOAD|INSTALL|EXPORT|IMPORT|COPY \w+ TO)/.test(text)
    )) {
      await assert.rejects(locked.runAndReadAll(filled(sql)), sql)
    }
  })

  for (const sql of REFUSED) {
    it(`is refused: ${sql}`, async () => assert.match(await outcome(filled(sql)), /^sql_(refused|error) /))
  }

  for (const sql of HARMLESS) {
    it(`is not: ${sql}`, async () => assert.match(await outcome(sql), /^\[/))
  }

  it('is looked at when a query is started', async () => {
    const sql = 'SELECT * FROM duckdb_settings()'
    await assert.rejects(startQuery(await openDatabase(), { ...request, sql }), { code: 'sql_refused' })
  })
})
