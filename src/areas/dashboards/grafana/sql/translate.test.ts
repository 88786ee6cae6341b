import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance, LIST, VARCHAR } from '@duckdb/node-api'
import fc from 'fast-check'
import { type Dialect, tokensOf } from './tokens.ts'
import { translateSql } from './translate.ts'
import type { SqlVariables } from './values.ts'

const variables: SqlVariables = new Map([
  ['lines', { type: 'list', multiple: true, values: ['a', 'b'] }],
  ['line', { type: 'query', multiple: false, values: undefined }],
  ['least', { type: 'list', multiple: false, values: ['1', '20'] }],
  ['width', { type: 'list', multiple: false, values: ['5m', '1h'] }],
  ['table', { type: 'constant', multiple: false, values: ['readings'] }]
])
const ours = (sql: string, dialect: Dialect = 'postgres') => {
  const translated = translateSql(sql, dialect, variables)
  return 'problem' in translated ? `! ${translated.problem}` : translated.sql
}

describe('SQL of Grafana', () => {
  let instance: DuckDBInstance
  let db: DuckDBConnection
  before(async () => {
    instance = await DuckDBInstance.create(':memory:')
    db = await instance.connect()
    await db.run(`CREATE TABLE readings AS SELECT * FROM (VALUES
      (TIMESTAMP '2026-01-01 00:01:00', 'a', 1), (TIMESTAMP '2026-01-01 00:06:00', 'a', 3),
      (TIMESTAMP '2026-01-01 00:07:00', 'b', 40), (TIMESTAMP '2026-01-02 00:00:00', 'c', 500)) t(ts, line, value)`)
  })
  after(() => {
    db.closeSync()
    instance.closeSync()
  })

  /** What it gives here, with parameters bound as those of panels are. */
  const run = async (sql: string, given: Record<string, string | number | string[]> = {}) => {
    const values: typeof given = {
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-01T12:00:00Z',
      interval_seconds: 300,
      lines: ['a', 'b'],
      line: 'a',
      least: '20',
      width: '5m',
      ...given
    }
    const translated = ours(sql)
    assert.ok(!translated.startsWith('!'), translated)
    const statement = await db.prepare(translated)
    for (let index = 1; index <= statement.parameterCount; index++) {
      const value = values[statement.parameterName(index)]
      if (Array.isArray(value)) statement.bindList(index, value, LIST(VARCHAR))
      else if (typeof value === 'number') statement.bindDouble(index, value)
      else statement.bindVarchar(index, value as string)
    }
    return (await statement.runAndReadAll()).getRowsJson().map((row) => row.map(String).join(' '))
  }

  it('gives with macros what it gave there', async () => {
    const count = 'SELECT count(*) FROM readings WHERE '
    assert.deepEqual(await run(`${count} $__timeFilter(ts)`), ['3'])
    assert.deepEqual(await run(`${count} ts BETWEEN $__timeFrom() AND $__timeTo()`), ['3'])
    assert.deepEqual(await run(`${count} $__unixEpochFilter(epoch(ts))`), ['3'])
    assert.deepEqual(await run(`${count} epoch_ms(ts) BETWEEN $__from AND \${__to}`), ['3'])
    assert.deepEqual(await run(`${count} ts < '\${__to:date:iso}'`), ['3'])
    const groups = ['2026-01-01 00:00:00+00 1', '2026-01-01 00:05:00+00 2']
    for (const width of ["'5m'", '$__interval', "'$__interval'", "'$width'", `'\${width}'`]) {
      const sql = `SELECT $__timeGroupAlias(ts, ${width}), count(*) FROM readings WHERE $__timeFilter(ts) GROUP BY 1 ORDER BY 1`
      assert.deepEqual(await run(sql), groups, width)
    }
    const bucket =
      "SELECT CAST(time_bucket('$__interval', ts) AS VARCHAR), sum(value) FROM readings GROUP BY 1 ORDER BY 1 LIMIT 1"
    assert.deepEqual(await run(bucket), ['2026-01-01 00:00:00 1'])
  })

  it('compares with the values of variables and never holds them', async () => {
    const count = 'SELECT count(*) FROM readings WHERE '
    assert.deepEqual(await run(`${count} line IN ($lines)`), ['3'])
    assert.deepEqual(await run(`${count} line IN ('$lines')`), ['3'])
    assert.deepEqual(await run(`${count} line NOT IN (\${lines:csv})`), ['1'])
    assert.deepEqual(await run(`${count} line = '$lines'`), ['3'])
    assert.deepEqual(await run(`${count} line = '[[line]]' AND value > 1`), ['1'])
    assert.deepEqual(await run(`${count} value >= $least`), ['2'])
    assert.deepEqual(await run(`${count} line ~ '^(\${lines:regex})$'`), ['3'])
    assert.deepEqual(await run(`${count} line ~ '^(\${lines:pipe})$'`, { lines: ['c', 'd'] }), ['1'])
    for (const format of ['regex', 'pipe']) {
      assert.deepEqual(await run(`${count} line ~ '\${lines:${format}}'`), ['3'], format)
      assert.deepEqual(await run(`${count} line !~ '\${lines:${format}}' AND value > 1`), ['1'], format)
    }
    assert.deepEqual(await run(`${count} line ~ '\${lines:regex}'`, { lines: ['a.*', 'b'] }), ['1'])
    assert.deepEqual(await run(`${count} line ~ '\${line:regex}'`), ['2'])
    assert.deepEqual(await run(`${count} 'a,b' LIKE '\${lines:csv}' AND 'x' || line <> '\${lines:csv}'`), ['4'])
    assert.deepEqual(await run(`${count} 'x' || line LIKE '%\${line}%'`), ['2'])
    assert.deepEqual(await run(`${count} ts < TIMESTAMP '2026-01-01 00:06:30' - interval '$width'`), ['1'])
    assert.deepEqual(await run('SELECT count(*) FROM public.$table WHERE "$table".value > 2'), ['3'])
    for (const line of ["' OR 1=1 --", 'a$b', '%', '__proto__']) {
      assert.deepEqual(await run(`${count} line = '$line'`, { line }), ['0'])
    }
  })

  it('leaves texts and comments alone', () => {
    for (const sql of [
      "SELECT '$__timeFilter(a)' FROM t -- $__timeFilter(b) $line",
      `SELECT 1 /* \${gone} */ FROM t`
    ]) {
      assert.equal(ours(sql), sql)
    }
    assert.equal(ours('SELECT "it\'s", `a` FROM `t` # $gone', 'mysql'), 'SELECT \'it\'\'s\', "a" FROM "t" -- $gone')
    assert.equal(
      ours("SELECT [a b] FROM [dbo].[t] WHERE x = N'[[line]]'", 'mssql'),
      'SELECT "a b" FROM "t" WHERE x = $line'
    )
  })

  it('is refused where it would have to be guessed', () => {
    for (const [sql, why] of [
      ['SELECT $line FROM t', /part of the SQL/],
      ['SELECT * FROM $line', /part of the SQL/],
      [`SELECT a_\${line} FROM t`, /part of the SQL/],
      ['SELECT * FROM t ORDER BY $line', /part of the SQL/],
      ["SELECT * FROM t WHERE a LIKE '%$lines%'", /several values/],
      ['SELECT * FROM t WHERE a > $lines', /several values/],
      ['SELECT * FROM t WHERE a = $gone', /\$gone/],
      ["SELECT * FROM t WHERE a = '$gone'", /\$gone/],
      ["SELECT $__timeGroup(a, 'often') FROM t", /width/],
      ['SELECT $__timeFilter() FROM t', /takes 1/],
      ['SELECT $__nothing(a) FROM t', /\$__nothing/],
      ['INSERT INTO t VALUES (1)', /no SELECT/],
      ["SELECT 'open FROM t", /quote/]
    ] as const) {
      assert.match(ours(sql), why, sql)
    }
  })

  it('names the tables that it reads', () => {
    for (const [sql, tables] of [
      ['SELECT 1 FROM a, b.c AS x, (SELECT 1 FROM d) y JOIN "E f" ON true', ['a', 'c', 'E f', 'd']],
      ['WITH a AS (SELECT 1 FROM b), c(x) AS (SELECT 2 FROM a) SELECT * FROM a JOIN c USING (x)', ['b']],
      ['SELECT extract(hour FROM ts), a IS DISTINCT FROM b FROM t, generate_series(1, 2)', ['t']],
      ['SELECT 1', []]
    ] as const) {
      const translated = translateSql(sql, 'postgres', variables)
      assert.deepEqual('tables' in translated && new Set(translated.tables), new Set(tables), sql)
    }
  })

  it('of whatever text is translated or refused, and its pieces are all of it', () => {
    const piece = fc.constantFrom(
      ...[
        '$lines',
        "'$line'",
        `\${table}`,
        '[[least]]',
        '$__timeFilter(',
        '$__timeGroup(a, ',
        ')',
        '(',
        "'",
        '"',
        '`',
        '[',
        ']'
      ],
      ...[
        '--',
        '/*',
        '*/',
        '$$',
        'SELECT ',
        ' FROM ',
        ' IN ',
        ' NOT ',
        'with',
        ' as ',
        ',',
        '.',
        ';',
        '=',
        'x',
        '5m',
        '#',
        '\\',
        '\n'
      ]
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom<Dialect>('postgres', 'mysql', 'mssql'),
        (pieces, dialect) => {
          const sql = `SELECT ${pieces.join('')}`
          assert.equal(
            tokensOf(sql, dialect)
              .map(({ text }) => text)
              .join(''),
            sql
          )
          const translated = translateSql(sql, dialect, variables)
          assert.ok('problem' in translated ? translated.problem !== '' : translated.sql !== '')
        }
      ),
      { numRuns: 3000 }
    )
  })
})
