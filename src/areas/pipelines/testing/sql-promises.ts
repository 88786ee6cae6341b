import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import type { Checkpoint } from '../protocol/checkpoint.ts'
import type { SqlGiven } from './sql-suite.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

export function promisesOfReading({ insert, read, workshop, server }: SqlGiven): void {
  const numbers = (prefix: string) =>
    workshop()
      .rows('SELECT n FROM objects ORDER BY n', prefix)
      .then((rows) => rows.map(({ n }) => n as number))

  test('a run reads what is new since the last one', async () => {
    await insert('news', 1, 25_000)
    const first = await read('news/', { table: 'news', cursor: 'n' })
    assert.equal(first.end, 'completed')
    assert.equal(first.imbalance, 0)
    await insert('news', 25_001, 25_010)
    const second = await read('news/', { table: 'news', cursor: 'n' }, { checkpoint: first.checkpoint, runNumber: 2 })
    assert.equal(second.ledger.recordsRead, 10)
    assert.deepEqual(await numbers('news/'), upTo(25_010))
  })

  test('a run that crashed goes on after its last commit, with and without a cursor', async () => {
    await insert('crashed', 1, 120_000)
    for (const [prefix, config] of [
      ['crashed-cursor/', { table: 'crashed', cursor: 'n' }],
      ['crashed-query/', { query: 'SELECT n, text FROM crashed ORDER BY n' }]
    ] as const) {
      let checkpoint: Checkpoint | null = null
      const crashed = read(prefix, config, {
        eager: true,
        onCommit(commit) {
          if (checkpoint !== null) throw new Error('crash')
          if (commit.ledger.recordsRead > 0) checkpoint = commit.checkpoint
        }
      })
      await assert.rejects(crashed)
      assert.ok(checkpoint !== null)
      const ran = await read(prefix, config, { checkpoint })
      assert.ok(ran.ledger.recordsRead > 0 && ran.ledger.recordsRead < 120_000, `${ran.ledger.recordsRead}`)
      const [row] = await workshop().rows('SELECT count(*) AS c, count(DISTINCT n) AS d FROM objects', prefix)
      assert.deepEqual(row, { c: 120_000, d: 120_000 })
    }
  })

  test('with an interval it goes on, also when the database was away', async () => {
    await insert('polled', 1, 10)
    let written = Promise.resolve()
    const ran = await read(
      'polled/',
      { table: 'polled', cursor: 'n', interval: '20ms' },
      {
        with(run) {
          const { ledger } = run.books
          written = eventually(() => ledger.recordsWritten === 10)
            .then(() => server().away())
            .then(() => server().back())
            .then(() => eventually(() => insert('polled', 11, 20)))
            .then(() => eventually(() => ledger.recordsWritten === 20))
            .then(() => {})
            .finally(() => run.stop())
        }
      }
    )
    await written
    assert.equal(ran.end, 'stopped')
    assert.deepEqual(await numbers('polled/'), upTo(20))
  })

  test('what is wrong is told, and no secret with it', async () => {
    await assert.rejects(read('wrong/', { table: 'nobody' }), { kind: 'fatal', code: 'no_such_table' })
    await assert.rejects(read('wrong/', { query: 'SELEKT 1' }), { kind: 'fatal', code: 'invalid_query' })
    await insert('wrong', 1, 1)
    await assert.rejects(read('wrong/', { table: 'wrong', cursor: 'nothing' }), { kind: 'fatal' })
    const connection = { ...server().settings, password: 'wr0ng' }
    await assert.rejects(read('wrong/', { table: 'wrong', connection }), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, 'unauthorized')
      assert.doesNotMatch(error.message, /wr0ng/)
      return true
    })
  })
}

export function promisesOfWriting({ kind, write, numbersIn, server, database }: SqlGiven): void {
  test('records become rows of a table that is made for them', async () => {
    const fields = { n: 'n + 1', text: "'ü\\''' || n", at: "TIMESTAMP '2026-01-01' + to_seconds(n)" }
    const ran = await write({ count: 20_000, fields }, { table: 'made', create: true })
    assert.equal(ran.imbalance, 0)
    assert.equal(ran.ledger.recordsWritten, 20_000)
    assert.deepEqual(await numbersIn('made'), upTo(20_000))
    for await (const { values } of database().read({ query: 'SELECT text, at FROM made WHERE n = 3' })) {
      assert.deepEqual(
        values,
        [["ü\\'2"], ['2026-01-01 00:00:02.000000']].map((column) => column.map(untrimmed))
      )
    }
    // ClickHouse of today has times with fractions; the one of Debian has them as text, as they were given.
    function untrimmed(value: string): string {
      return kind === 'clickhouse' ? value.replace(/\.0+$/, '') : value
    }
  })

  test('records with known keys replace rows', async () => {
    const config = { table: 'upserts', mode: 'upsert', keys: ['n'], create: true }
    await write({ count: 100, fields: { n: 'n + 1', v: '1' } }, config)
    await write({ count: 50, fields: { n: 'n + 1', v: '2' } }, config)
    const final = kind === 'clickhouse' ? ' FINAL' : ''
    const query = `SELECT count(*) AS c, sum(v) AS s FROM upserts${final}`
    for await (const { values } of database().read({ query })) {
      assert.deepEqual(
        values.map(([value]) => Number(value)),
        [100, 150]
      )
    }
  })

  test('records wait while the database is away', async () => {
    await server().away()
    const sending = write({ count: 100, fields: { n: 'n + 1' } }, { table: 'waited', create: true })
    await server().back()
    assert.equal((await sending).end, 'completed')
    assert.deepEqual(await numbersIn('waited'), upTo(100))
  })

  test('records with values that do not fit become dead letters; all others are written once', async () => {
    await write({ count: 1, fields: { n: '0' } }, { table: 'picky', create: true })
    const fields = { n: "CASE WHEN n % 400 = 7 THEN 'x' || n ELSE n::VARCHAR END" }
    const ran = await write({ count: 1000, fields }, { table: 'picky' })
    assert.equal(ran.imbalance, 0)
    assert.deepEqual(
      ran.deadLetters.map(({ code, record }) => [code, JSON.parse(record)]),
      [7, 407, 807].map((n) => ['bad_value', { n: `x${n}` }])
    )
    assert.equal((await numbersIn('picky')).length, 998)
  })

  test('what only a change can help ends the run', async () => {
    const one = { count: 1, fields: { n: 'n' } }
    await assert.rejects(write(one, { table: 'nobody' }), { kind: 'fatal', code: 'no_such_table' })
    await assert.rejects(write({ count: 1, fields: { other: 'n' } }, { table: 'made' }), { code: 'no_such_column' })
  })
}
