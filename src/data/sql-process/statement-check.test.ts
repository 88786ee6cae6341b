import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { SHUT_OFF } from '../../engines/sql-options.ts'
import { ALLOWED_FUNCTIONS } from './allowed-functions.ts'
import { REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS } from './refused-functions.ts'
import { checkStatement, type ParsedSql } from './statement-check.ts'

const KELVIN = '\u212a'

/** Statements over `t` and `u` that must not run, and why. */
const REFUSED: readonly [sql: string, why: RegExp][] = [
  // Relations that are named by a text.
  ["FROM histogram_values('duckdb_columns', table_name)", /takes a relation or SQL as a text/],
  ['FROM histogram(\'"p12"."dd:state:seen"\', k)', /takes a relation or SQL as a text/],
  ["FROM query_table('t')", /takes a relation or SQL as a text/],
  ["FROM query('SELECT 1')", /takes a relation or SQL as a text/],
  ["SELECT (FROM Query_Table('t'))", /takes a relation or SQL as a text/],
  ['FROM system.main."HISTOGRAM_VALUES"(\'x\', y)', /takes a relation or SQL as a text/],
  ["FROM (SUMMARIZE FROM query_table('t'))", /takes a relation or SQL as a text/],
  ["PIVOT query_table('t') ON a IN (1) USING count(*)", /takes a relation or SQL as a text/],
  ["FROM t POSITIONAL JOIN query_table('u')", /takes a relation or SQL as a text/],
  ["FROM t, LATERAL (FROM query_table('u'))", /takes a relation or SQL as a text/],
  ["FROM summary((FROM query_table('t')))", /takes a relation or SQL as a text/],
  // Names of WITH outside of their scope.
  ['SELECT * FROM (WITH hidden AS (SELECT 1) SELECT 1) x, hidden', /no relation hidden/],
  ['SELECT * FROM hidden, (WITH hidden AS (SELECT 1) FROM hidden) x', /no relation hidden/],
  ['WITH a AS (FROM hidden), hidden AS (SELECT 1) FROM a', /no relation hidden/],
  ['WITH hidden AS (FROM hidden) FROM hidden', /no relation hidden/],
  ['WITH RECURSIVE hidden AS (SELECT 1) SELECT (FROM other)', /no relation other/],
  ['WITH RECURSIVE hidden AS (FROM hidden) FROM hidden', /no relation hidden/],
  ['WITH RECURSIVE x AS (FROM x UNION ALL SELECT 1) FROM x', /no relation x/],
  ['WITH RECURSIVE x AS (WITH y AS (FROM x) FROM y UNION ALL SELECT 1) FROM x', /no relation x/],
  ['(WITH hidden AS (SELECT 1) FROM hidden) UNION ALL FROM hidden', /no relation hidden/],
  ['SELECT (WITH hidden AS (SELECT 1) SELECT 1) FROM hidden', /no relation hidden/],
  [
    'SELECT 1 WHERE EXISTS (WITH hidden AS (SELECT 1) FROM hidden) ORDER BY (SELECT 1 FROM hidden)',
    /no relation hidden/
  ],
  ['FROM (WITH hidden AS (SELECT 1) FROM hidden) JOIN hidden ON true', /no relation hidden/],
  [
    'SELECT 1 LIMIT (WITH hidden AS (SELECT 1) SELECT count(*) FROM hidden) OFFSET (SELECT 1 FROM hidden)',
    /no relation/
  ],
  [`WITH k AS (SELECT 1) FROM ${KELVIN}`, /no relation/],
  [`WITH ${KELVIN} AS (SELECT 1) FROM k`, /no relation k/],
  ['WITH x AS (SELECT 1) FROM main.x', /no relation x/],
  ['WITH x AS (SELECT 1) FROM memory.x', /no relation x/],
  ['WITH x AS (SELECT 1) FROM recurring.x', /no relation x/],
  ['SELECT x.* FROM (SELECT 1) x, x', /no relation x/],
  // Names that DuckDB takes for a file, and names of its own views.
  ['WITH "/tmp/a.parquet" AS (SELECT 1) FROM "/tmp/a.parquet"', /No part of the query can be named/],
  ['WITH "a*" AS (SELECT 1) FROM \'a*\'', /No part of the query can be named/],
  ["FROM 'a.csv'", /no relation a.csv/],
  ["SELECT 1 IN (FROM 'a.csv')", /no relation a.csv/],
  ["DESCRIBE 'a.csv'", /no relation a.csv/],
  ["SUMMARIZE 'a.csv'", /no relation a.csv/],
  ["PIVOT 'a.csv' ON a IN (1) USING count(*)", /no relation a.csv/],
  ["UNPIVOT 'a.csv' ON a, b", /no relation a.csv/],
  ["TABLE 'a.csv'", /no relation a.csv|syntax/],
  ['WITH pg_views AS (SELECT 1) FROM pg_views', /No part of the query can be named/],
  ['DESCRIBE', /SHOW can not be run/],
  ['FROM (SHOW DATABASES)', /SHOW can not be run/],
  ['FROM t AT (VERSION => 1)', /AT can't be used/],
  ['FROM t PIVOT (sum(x) FOR y IN some_enum)', /listed with IN/],
  ["FROM t PIVOT (sum(x) FOR y IN (current_query(), 'a'))", /current_query/],
  // Functions, wherever they are called.
  ['SELECT current_query()', /shows the statement that runs/],
  ['SELECT a.current_query() FROM t', /shows the statement that runs/],
  ['SELECT pg_catalog.current_query()', /shows the statement that runs/],
  ['SELECT "system"."main"."CURRENT_QUERY"()', /shows the statement that runs/],
  ['SELECT list_transform([1], lambda x: current_query())', /shows the statement that runs/],
  ['SELECT [current_query() FOR x IN [1]]', /shows the statement that runs/],
  ['SELECT COLUMNS(c -> c = current_query()) FROM t', /shows the statement that runs/],
  ['SELECT * REPLACE (current_query() AS a) FROM t', /shows the statement that runs/],
  ['SELECT count(*) FILTER (WHERE current_query() > a) FROM t', /shows the statement that runs/],
  ['SELECT list(a ORDER BY current_query()) FROM t', /shows the statement that runs/],
  ['SELECT sum(1) OVER (PARTITION BY current_query()) FROM t', /shows the statement that runs/],
  ['SELECT sum(1) OVER w FROM t WINDOW w AS (ORDER BY current_query())', /shows the statement that runs/],
  ['SELECT lag(a, 1, current_query()) OVER () FROM t', /shows the statement that runs/],
  ['SELECT current_query() OVER () FROM t', /shows the statement that runs/],
  ['SELECT 1 FROM t GROUP BY current_query()', /shows the statement that runs/],
  ['SELECT 1 FROM t HAVING current_query() = 1', /shows the statement that runs/],
  ['SELECT 1 FROM t QUALIFY current_query() = 1', /shows the statement that runs/],
  ['SELECT DISTINCT ON (current_query()) a FROM t', /shows the statement that runs/],
  ['FROM t ORDER BY current_query()', /shows the statement that runs/],
  ['FROM t LIMIT length(current_query())', /shows the statement that runs/],
  ['FROM t JOIN u ON current_query() = 1', /shows the statement that runs/],
  ['VALUES (1), (current_query())', /shows the statement that runs/],
  ['FROM range(length(current_query()))', /shows the statement that runs/],
  ['FROM unnest([current_query()])', /shows the statement that runs/],
  ['WITH x AS MATERIALIZED (SELECT current_query()) FROM x', /shows the statement that runs/],
  ['WITH x AS (SELECT current_query()) SELECT 1', /shows the statement that runs/],
  ['SELECT CASE WHEN a THEN b ELSE current_query() END FROM t', /shows the statement that runs/],
  ['SELECT {a: current_query()}, MAP {current_query(): 1}', /shows the statement that runs/],
  ['SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT current_query()', /shows the statement that runs/],
  ['SELECT sleep_ms(1)', /must not wait/],
  ['SELECT pg_sleep(1)', /must not wait/],
  ["SELECT getvariable('x')", /tells of settings/],
  ["SELECT current_setting('temp_directory')", /tells of settings/],
  ["SELECT nextval('s')", /changes what other statements see/],
  ["SELECT json_serialize_plan('FROM t')", /takes SQL as a text/],
  ["SELECT getenv('HOME')", /no function getenv/],
  ["FROM read_parquet('a')", /reads files/],
  ['FROM duckdb_tables()', /tells of settings/],
  ['FROM x.duckdb_tables()', /tells of settings/],
  ['FROM from_substrait(1)', /no function from_substrait after FROM/],
  ['SELECT sum(a) EXPORT_STATE FROM t', /EXPORT_STATE/],
  ['SELECT a::other.main.foo FROM t', /without a schema/],
  ['SELECT a::STRUCT(x main.foo) FROM t', /without a schema/],
  ['SELECT TRY_CAST(a AS main.foo[]) FROM t', /without a schema/],
  // TRY around what has DuckDB write beyond its memory, whatever it is wrapped in or called.
  ['SELECT TRY(coalesce(a, b)) FROM t', /around coalesce: .*coalesce\(TRY\(a\), TRY\(b\)\)/],
  ['SELECT TRY(CASE WHEN a THEN b END) FROM t', /around CASE/],
  ['SELECT TRY(ifnull(a, b)), TRY(if(a, b, c)) FROM t', /around (?:coalesce|CASE)/],
  ['SELECT TRY(nullif(a, b)) FROM t', /around nullif/],
  ['SELECT TRY(split_part(a, b, 1)) FROM t', /around split_part/],
  ['SELECT TRY(round_even(a, 1)) FROM t', /around round_even/],
  ['SELECT TRY(coalesce(a, b)::INTEGER) FROM t', /around coalesce/],
  ['SELECT TRY(coalesce(a, b) + 0) FROM t', /around coalesce/],
  ['SELECT TRY(true AND coalesce(a, b)) FROM t', /around coalesce/],
  ['SELECT TRY(TRY(coalesce(a, b))) FROM t', /around coalesce/],
  ['SELECT a FROM t WHERE TRY((coalesce(a, b) COLLATE nocase)::VARCHAR) > 1', /around coalesce/],
  ['SELECT TRY(a) FROM t', /nothing to try/],
  ['SELECT * FROM (SELECT coalesce(a, b) AS x FROM t) WHERE TRY(x::INTEGER) > 1', /around x, which may be made with/],
  ['WITH q AS (SELECT CASE a WHEN 1 THEN 2 END AS x FROM t) SELECT * FROM q WHERE TRY(q.X + 0) > 1', /around X/],
  ['SELECT * FROM (SELECT coalesce(a, b) FROM t) v(y) WHERE TRY(y::INTEGER) > 1', /around y/],
  ['WITH q(y) AS (SELECT coalesce(a, b) FROM t) SELECT * FROM q WHERE TRY(y::INTEGER) > 1', /around y/],
  ['SELECT * FROM (SELECT coalesce(a, b) FROM t) WHERE TRY("COALESCE(a, b)"::INTEGER) > 1', /around COALESCE/]
]

const ALLOWED: readonly string[] = [
  'SELECT a, upper(b), a.upper(), t.a.upper(), main.upper(a), user, "current_query" FROM t',
  "SELECT name.upper().replace('A', 'b') FROM t",
  'WITH x AS (FROM t), y AS (FROM x) SELECT * FROM y JOIN x USING (a) JOIN T USING (a)',
  'WITH x AS (FROM t) SELECT (SELECT count(*) FROM X), (WITH y AS (FROM x) SELECT 1 FROM y)',
  'WITH x AS (SELECT 1), z AS (WITH x AS (FROM x) FROM x) FROM z',
  'WITH t AS (FROM t) FROM t',
  'WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 3) FROM x',
  'WITH RECURSIVE x(n) USING KEY (n) AS (SELECT 1 UNION SELECT x.n FROM x, recurring.x AS r) FROM x',
  'WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL (WITH y AS (FROM x) SELECT n + 1 FROM y WHERE n < 3)) FROM x',
  'WITH x AS (SELECT 1) SELECT 1 UNION ALL FROM x UNION ALL (FROM x LIMIT (SELECT count(*) FROM x))',
  'FROM t SELECT a, row_number() OVER (PARTITION BY a ORDER BY b DESC NULLS LAST), lag(a IGNORE NULLS) OVER w WINDOW w AS ()',
  "SELECT COLUMNS(c -> c LIKE 'a%'), * EXCLUDE (b) REPLACE (1 AS c) RENAME (d AS e) FROM t",
  'FROM t POSITIONAL JOIN u',
  'FROM t ASOF JOIN u USING (a)',
  'FROM t SEMI JOIN u USING (a)',
  'FROM t TABLESAMPLE 10%',
  'FROM t USING SAMPLE 3 ROWS',
  'SUMMARIZE t',
  'DESCRIBE SELECT a FROM t',
  'FROM summary((FROM t))',
  'PIVOT t ON a IN (1, 2) USING sum(b)',
  'UNPIVOT t ON a, b',
  'FROM t UNPIVOT (a FOR b IN (x, y))',
  "SELECT [x + 1 FOR x IN a IF x > 2], list_reduce(a, (x, y) -> x + y), list_aggregate(a, 'sum'), a[1:2], {a: 1}.a FROM t",
  "SELECT a::DECIMAL(3, 1), a::ENUM('x'), a::STRUCT(b INT[], c MAP(VARCHAR, JSON)), TRY_CAST(a AS TIMESTAMPTZ), a::VARIANT FROM t",
  "SELECT a AT TIME ZONE 'UTC', extract(hour FROM a), a SIMILAR TO 'x', a NOT ILIKE 'x' ESCAPE '$', a GLOB 'x', a !~ 'x' FROM t",
  "SELECT a COLLATE de, a->'b'->>'c', a BETWEEN 1 AND 2, a IN (1, 2), a IS DISTINCT FROM b, -a, a!, @a, a ** 2, a // 2 FROM t",
  'SELECT coalesce(a, b), ifnull(a, b), if(a, b, c), nullif(a, b), TRY(a::INTEGER), INTERVAL 1 DAY, INTERVAL (a) HOUR, ARRAY[1] FROM t',
  'SELECT TRY(strptime(coalesce(a, b), c)), TRY(a + 1), TRY_CAST(coalesce(a, b) AS INTEGER), coalesce(TRY(a::INTEGER), 0) FROM t',
  'SELECT TRY(c::INTEGER) FROM (SELECT coalesce(a, b) AS x, c FROM t)',
  'SELECT array(SELECT a FROM t), EXISTS (FROM t), a > ALL (SELECT a FROM u) FROM t GROUP BY ALL ORDER BY ALL',
  'SELECT grouping(a), sum(a) FILTER (WHERE b), list(DISTINCT a ORDER BY b), mode() WITHIN GROUP (ORDER BY a) FROM t GROUP BY CUBE (a, b)',
  "SELECT CURRENT_TIMESTAMP, CURRENT_DATE, now(), today(), localtime, position('a' IN b), trim(both 'x' FROM b), substring(b FROM 2) FROM t",
  "FROM range(3) r(n), unnest([1, 2]) WITH ORDINALITY, generate_series(1, 2), json_each('{}'), LATERAL (SELECT n)",
  'VALUES (1), (2)',
  'SELECT $1, $2',
  'SELECT #1, ?',
  'FROM (VALUES (1)) v(a)',
  'SELECT 1;'
]

describe('what a statement may name', () => {
  let instance: DuckDBInstance
  let database: DuckDBConnection

  before(async () => {
    instance = await DuckDBInstance.create(':memory:', SHUT_OFF)
    database = await instance.connect()
  })
  after(() => instance.closeSync())

  const check = async (sql: string) => {
    const reader = await database.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql])
    checkStatement(JSON.parse(String(reader.value(0, 0))) as ParsedSql, sql, { names: ['t', 'u'] })
  }

  for (const [sql, why] of REFUSED) {
    it(`is not: ${sql}`, async () => assert.rejects(check(sql), (error: Error) => why.test(error.message)))
  }

  for (const sql of ALLOWED) {
    it(`is: ${sql.slice(0, 100)}`, () => check(sql))
  }

  it('is told with its place', async () => {
    await assert.rejects(check('SELECT 1,\n  current_query()'), {
      code: 'sql_refused',
      position: { line: 2, column: 3 }
    })
  })

  it('is not a refused function, however it is written and wherever it is called', async () => {
    const names = fc.constantFrom(...[...REFUSED_FUNCTIONS.keys()].filter((name) => /^\w+$/.test(name)))
    const places = fc.constantFrom(
      (call: string) => `SELECT ${call}`,
      (call: string) => `SELECT upper(concat(a, ${call})) FROM t`,
      (call: string) => `SELECT (SELECT max(${call}) FROM u) FROM t`,
      (call: string) => `WITH x AS (FROM t WHERE ${call} = 1) FROM x`,
      (call: string) => `FROM t ORDER BY list_filter([1], lambda x: x = ${call})`,
      (call: string) => `SELECT sum(a) OVER (ORDER BY ${call}) FROM t`,
      (call: string) => `FROM unnest([${call}])`
    )
    const schemas = fc.constantFrom('', 'main.', 'system.main.', 'pg_catalog.', '"MAIN".', 'a.', 't.a.')
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.infiniteStream(fc.boolean()),
        schemas,
        fc.boolean(),
        places,
        async (name, cases, schema, isQuoted, place) => {
          const mixed = [...name].map((letter) => (cases.next().value ? letter.toUpperCase() : letter)).join('')
          const call = `${schema}${isQuoted || schema === '' ? `"${mixed}"` : mixed}(1)`
          await assert.rejects(check(place(call)), { code: 'sql_refused' })
        }
      ),
      { numRuns: 500 }
    )
  })

  it('is not a function after FROM that is refused there', async () => {
    for (const name of REFUSED_TABLE_FUNCTIONS.keys()) {
      await assert.rejects(check(`FROM ${name}('x')`), { code: 'sql_refused' })
      await assert.rejects(check(`SELECT (SELECT 1 FROM main."${name.toUpperCase()}"())`), { code: 'sql_refused' })
    }
  })

  it('is every function of the list', async () => {
    for (const name of ALLOWED_FUNCTIONS) {
      if (/^\w+$/.test(name)) await check(`SELECT "${name}"(a) FROM t`)
    }
  })
})
