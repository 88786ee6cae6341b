// Once: it is about statements, and starts a PostgreSQL of its own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startPostgres } from '../../../test/support/postgres.ts'
import { DialectThread } from './index.ts'

const EXPRESSIONS = `
a|A|"w"|made.a|(a)|a::int|a::text::int|1::bigint|'x'::text|true::bool|1::real|1::double precision|'2024-01-01'::date
'1'::varchar(3)|cast(a as numeric)|'{}'::jsonb|count(*) over ()|LOWER(w)|pg_catalog.upper(w)|coalesce(a, b)|nullif(a, b)
greatest(a, b)|case when a > 1 then b end|case when a > 1 then 1 else b end|case when a > 1 then 1 else 2::bigint end
exists (select 1)|(select max(a) from made)|(select a as "X y" from made limit 1)|(select 1)|array[a]|array(select 1)|l[1]
extract(year from made)|substring(w from 1)|trim(w)|trim(trailing 'x' from w)|trim(both 'x' from w)|position('a' in w)
made at time zone 'UTC'|date '2024-01-01'|interval '1 day'|current_date|current_user|w collate "C"|(a)::text
overlay(w placing 'x' from 1)|ceil(a)|floor(a)|a + 1|-a|a is null|'x'|a = b|a in (1, 2)|w like 'x'|row_number() over ()`
  .split(/[|\n]/)
  .filter((text) => text !== '')

const thread = new DialectThread()
let server: Awaited<ReturnType<typeof startPostgres>>
before(async () => {
  server = await startPostgres()
})
after(async () => {
  await thread.close()
  await server.stop()
})

test('columns without an alias have the names that PostgreSQL gives them', async () => {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query('create table made (a integer, b integer, w text, l integer[], made timestamp)')
    const known = { made: ['a', 'b', 'w', 'l', 'made'] }
    for (const expression of EXPRESSIONS) {
      const sql = `SELECT ${expression} FROM made`
      const { fields } = await client.query(sql)
      const { outputs, notUnderstood } = await thread.lineageOf({ dialect: 'postgres', sql, known })
      assert.deepEqual(notUnderstood, [], sql)
      const name = outputs[0]?.name
      assert.equal(name === '#1' ? '?column?' : name, fields[0]?.name, sql)
    }
  } finally {
    await client.end()
  }
})
