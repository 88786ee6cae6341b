import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { duckdbErrorKind, textProblem } from './duckdb-errors.ts'

/** A sort that does not fit into the memory given below. */
const SORTED = 'SELECT i, hash(i) AS h FROM range(3000000) t(i) ORDER BY h'

const CAUSES = {
  ambiguous_call: "SELECT '1' - '1'",
  binder: 'SELECT sum(sum(1))',
  catalog: 'SELECT no_such_function(1)',
  constraint: 'INSERT INTO kept VALUES (NULL)',
  conversion: "SELECT 'x'::INT",
  disk_full: `SET max_temp_directory_size = '1KB'; SET memory_limit = '20MB'; ${SORTED}`,
  invalid_input: "SELECT strptime('x', '%Y')",
  missing_column: 'SELECT missing FROM kept',
  out_of_memory: `SET temp_directory = ''; SET memory_limit = '20MB'; ${SORTED}`,
  out_of_range: 'SELECT 9223372036854775807 + i FROM range(5) t(i)',
  parser: 'SELEC 1',
  permission: "SET enable_external_access = false; SELECT * FROM read_csv('/etc/hosts')"
} as const

describe('what DuckDB says', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-duckdb-errors-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [kind, statements] of Object.entries(CAUSES)) {
    it(`is known as ${kind}`, async () => {
      assert.equal(duckdbErrorKind(await failureOf(folder, statements)), kind)
    })
  }

  it('is known as interrupted when it was', async () => {
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const running = connection.run('SELECT count(*) FROM range(100000000000)')
    // Repeated, because a query that has not begun yet can't be interrupted.
    const again = setInterval(() => connection.interrupt(), 5)
    const failure = await running.then(
      () => assert.fail('It came to an end'),
      (error: unknown) => error
    )
    clearInterval(again)
    assert.equal(duckdbErrorKind(failure), 'interrupted')
    instance.closeSync()
  })

  for (const [problem, bytes] of [
    ['mixed_line_ends', Buffer.from('1\n2\r\n3\n')],
    ['not_utf8', Buffer.from('1\nJ\xf6rg\n', 'latin1')]
  ] as const) {
    it(`is known of a text as ${problem}`, async () => {
      const file = join(folder, `${problem}.csv`)
      writeFileSync(file, bytes)
      const read = `SELECT max(a) FROM read_csv('${file}', auto_detect = false, delim = ',', columns = {'a': 'VARCHAR'})`
      assert.equal(textProblem(await failureOf(folder, read)), problem)
      assert.equal(textProblem(await failureOf(folder, CAUSES.parser)), undefined)
    })
  }

  it('is known as nothing where it is about a file that is not there', async () => {
    const failure = await failureOf(folder, "SELECT * FROM read_csv('no/such/file.csv')")
    assert.equal(duckdbErrorKind(failure), undefined)
  })
})

async function failureOf(folder: string, statements: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: join(folder, 'spilled') })
  const connection: DuckDBConnection = await instance.connect()
  try {
    await connection.run('CREATE TABLE kept (a INT NOT NULL)')
    return await connection.runAndReadAll(statements).then(
      () => assert.fail(`${statements} is right`),
      (error: unknown) => error
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
