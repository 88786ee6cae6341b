import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { DataError } from './errors.ts'
import { ENDLESS, openTestPlane, type TestPlane } from './testing/plane.ts'

/** Processes that this one has started to run SQL. */
function sqlProcesses(parent = process.pid): number[] {
  const found = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return found
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...args]) => Number(ppid) === parent && args.some((arg) => arg.endsWith('sql-process/main.ts')))
    .map(([pid]) => Number(pid))
}

describe('the data plane', () => {
  let test: TestPlane

  before(async () => {
    process.env.MILLRACE_SECRET_OF_THE_TEST = 'do not tell'
    test = await openTestPlane({ memoryBytes: 128 * 1024 * 1024, maxRunning: 3, maxWaiting: 5 })
    await test.put('sales.csv', 'region,amount\nnorth,1\nsouth,2\nnorth,3\n')
  })
  after(async () => {
    delete process.env.MILLRACE_SECRET_OF_THE_TEST
    await test.close()
  })

  const relations = { sales: 'object://b/sales.csv' }

  it('starts no process while nothing is asked', () => assert.deepEqual(sqlProcesses(), []))

  it('answers with columns, rows and parameters', async () => {
    const sql = 'SELECT region, sum(amount) AS total, $n + 1 FROM sales WHERE region = $region GROUP BY ALL'
    const answer = await test.plane.query({ sql, relations, parameters: { region: 'north', n: 5_000_000_000 } })
    assert.deepEqual(answer.columns.slice(0, 2), [
      { name: 'region', type: 'VARCHAR' },
      { name: 'total', type: 'HUGEINT' }
    ])
    assert.deepEqual(await answer.rows(), [['north', 4, 5_000_000_001]])
    assert.deepEqual([answer.rowCount, answer.truncated], [1, false])
  })

  it('says where the SQL is wrong', async () => {
    const bound = { code: 'sql_error', position: { line: 2, column: 9 }, message: /"x"/ }
    const parsed = { code: 'sql_error', position: { line: 2, column: 10 }, message: /syntax/ }
    await assert.rejects(test.rows("SELECT region,\n  'éé', x FROM sales", relations), bound)
    await assert.rejects(test.rows("SELECT 1,\n  'éé' é é", relations), parsed)
    await assert.rejects(test.rows('SELECT ?', {}, []), { code: 'sql_error' })
  })

  it('refuses names that SQL would misunderstand', async () => {
    for (const alias of ['', 'a b', 'a"b', '1a', 'a;', 'pg_views', 'DuckDB_x', 'x'.repeat(64)]) {
      await assert.rejects(test.rows('SELECT 1', { [alias]: relations.sales }), { code: 'alias_invalid' }, alias)
    }
    await assert.rejects(test.rows('SELECT 1', { a: relations.sales, A: relations.sales }), { code: 'alias_invalid' })
  })

  it('gives the process nothing of the server', async () => {
    const answer = await test.plane.query({ sql: 'FROM range(5000)', relations })
    for (const pid of sqlProcesses()) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      assert.ok(!environment.includes('do not tell') && !environment.includes('PATH='), environment)
      const files = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
      assert.deepEqual(
        files.filter((file) => file.startsWith(test.folder)),
        []
      )
    }
    await answer.close()
  })

  it('tells that the process was killed, and runs the next query', async () => {
    const asked = test.rows(ENDLESS)
    const refused = assert.rejects(asked, { code: 'process_died', message: /SIGKILL/ })
    await eventually(() => test.scratchFiles().length > 0 && sqlProcesses().length > 0)
    for (const pid of sqlProcesses()) process.kill(pid, 'SIGKILL')
    await refused
    assert.deepEqual(await test.rows('SELECT 1'), [[1]])
  })

  it('stops for a signal, before, while it runs and while it is read', async () => {
    await assert.rejects(test.plane.query({ sql: ENDLESS, relations, signal: AbortSignal.abort() }), {
      code: 'cancelled'
    })
    const running = new AbortController()
    const asked = test.plane.query({ sql: ENDLESS, relations: {}, signal: running.signal })
    const refused = assert.rejects(
      asked.then((answer) => answer.rows()),
      { code: 'cancelled' }
    )
    await eventually(() => sqlProcesses().length > 0)
    running.abort()
    await refused
    const reading = new AbortController()
    const answer = await test.plane.query({ sql: 'FROM range(100000)', relations, signal: reading.signal })
    await assert.rejects(
      async () => {
        for await (const _ of answer) reading.abort()
      },
      { code: 'cancelled' }
    )
  })

  it('leaves nothing in its folder, and no process but the one that waits', async () => {
    const answer = await test.plane.query({ sql: 'FROM sales', relations })
    for await (const _ of answer) break
    assert.deepEqual(test.scratchFiles(), [])
    await eventually(() => sqlProcesses().length <= 1)
  })

  it('ends what runs when it is closed', async () => {
    const other = await openTestPlane()
    const unread = await other.plane.query({ sql: 'FROM range(100000)', relations: {} })
    const asked = assert.rejects(other.rows(ENDLESS), { code: 'closed' })
    await other.close()
    await asked
    await assert.rejects(unread.rows(), DataError)
    await assert.rejects(other.rows('SELECT 1'), { code: 'closed' })
  })
})
