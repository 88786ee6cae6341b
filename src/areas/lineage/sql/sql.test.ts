import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { Role } from '../../../engines/identity/index.ts'
import type { ColumnEdge } from '../schema.ts'

const at = (reference: string) => encodeURIComponent(reference)
const WAREHOUSE = 'dataset://warehouse'

describe('lineage of a statement', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start({ clock })
  })
  after(() => world.close())

  const ask = (body: object, as: Role = 'viewer') => world.test.call('POST', '/api/lineage/sql', { as, body })
  const record = (body: object, as: Role = 'editor') => world.test.call('POST', '/api/lineage/sql/record', { as, body })
  const upstream = async (reference: string) =>
    (await world.get(`upstream/${at(reference)}`)).nodes.map(({ id }: { id: string }) => id).sort()

  for (const dialect of ['duckdb', 'postgres', 'mysql']) {
    it(`is told of ${dialect}'s SQL, and changes nothing`, async () => {
      const sql =
        'INSERT INTO totals (shop, total) SELECT o.shop, sum(o.amount) FROM orders o WHERE o.paid GROUP BY o.shop'
      const tables = { orders: { reference: 'object://lake/orders.parquet', columns: ['shop', 'amount', 'paid'] } }
      const { status, body } = await ask({ sql, dialect, tables })
      const source = (column: string, kind: string) => ({ table: 'orders', column, kind })
      assert.equal(status, 200)
      assert.deepEqual(body, {
        reads: [{ table: 'orders', reference: 'object://lake/orders.parquet' }],
        writes: { table: 'totals', reference: null },
        columns: [
          { name: 'shop', from: [source('shop', 'identity')] },
          { name: 'total', from: [source('amount', 'computed')] }
        ],
        rows: [source('paid', 'filtered'), source('shop', 'grouped')],
        notUnderstood: [],
        recorded: false,
        runId: null
      })
      assert.equal((await world.get('nodes')).total, 0)
    })
  }

  it('says what is not understood, and guesses nothing', async () => {
    for (const dialect of ['duckdb', 'postgres', 'mysql']) {
      const star = (await ask({ sql: 'SELECT * FROM orders', dialect })).body
      assert.deepEqual([star.reads[0].table, star.columns], ['orders', []], dialect)
      assert.match(star.notUnderstood[0].what, /columns of orders/)
      const { status, body } = await ask({ sql: 'SELEC 1', dialect })
      assert.deepEqual([status, body.reads, body.columns, body.notUnderstood.length], [200, [], [], 1], dialect)
    }
  })

  it('takes no more than it can hold, and names what is wrong', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, place) => `c${place}`)
    const sql = 'SELECT 1'
    const faults: [object, string][] = [
      [{ sql: `SELECT '${'x'.repeat(200_000)}'` }, '/sql'],
      [{ sql: '' }, '/sql'],
      [{ sql, dialect: 'oracle' }, '/dialect'],
      [{ sql, tables: Object.fromEntries(many(1001).map((name) => [name, {}])) }, '/tables'],
      [{ sql, tables: { a: { columns: many(10_001) } } }, '/tables/a/columns'],
      [{ sql, tables: { a: { columns: many(6000) }, b: { columns: many(6000) } } }, '/tables'],
      [{ sql, tables: { 'a/b': { reference: 'nonsense' } } }, '/tables/a~1b/reference'],
      [{ sql, tables: { a: { reference: 'job://x/y' } } }, '/tables/a/reference'],
      [{ sql, output: { reference: 'nonsense' } }, '/output/reference'],
      [{ sql, output: { reference: 'object://lake/a', columns: ['é'.repeat(600)] } }, '/output/columns/0'],
      [{ sql, job: { namespace: '%'.repeat(900), name: 'x' } }, '/job']
    ]
    for (const [asked, pointer] of faults) {
      const { status, body } = await ask(asked)
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(body))
    }
    assert.equal((await record({ sql })).body.errors[0].pointer, '/job')
    assert.equal((await record({ sql, job: { namespace: 'a', name: 'b' } }, 'viewer')).status, 403)
  })

  it('takes names of objects for names like others', async () => {
    const sql = 'SELECT constructor, "toString" FROM "hasOwnProperty"'
    const { body } = await ask({ sql, dialect: 'postgres' })
    assert.deepEqual(body.reads, [{ table: 'hasOwnProperty', reference: null }])
    assert.deepEqual(
      body.columns.map(({ name }: { name: string }) => name),
      ['constructor', 'toString']
    )
  })

  describe('that is recorded', () => {
    const job = { namespace: 'warehouse', name: 'nightly' }

    for (const dialect of ['duckdb', 'postgres', 'mysql']) {
      it(`shows where columns come from, in ${dialect}'s SQL`, async () => {
        const own = { namespace: `of-${dialect}`, name: 'load' }
        const sql = 'INSERT INTO mart (who) SELECT lower(mail) FROM crm WHERE active'
        const { status, body } = await record({ sql, dialect, job: own })
        assert.deepEqual([status, body.recorded, typeof body.runId], [200, true, 'string'])
        assert.deepEqual(body.reads, [{ table: 'crm', reference: `dataset://of-${dialect}/crm` }])
        const found = await world.get(
          `columns?root=${at(`dataset://of-${dialect}/mart`)}&column=who&direction=upstream`
        )
        assert.deepEqual(
          found.edges.map(({ from, to, kind, job: by, provenance }: ColumnEdge) => [
            from,
            to,
            kind,
            by,
            provenance[0]?.how
          ]),
          [
            [
              { id: `dataset://of-${dialect}/crm`, column: 'mail' },
              { id: `dataset://of-${dialect}/mart`, column: 'who' },
              'computed',
              `job://of-${dialect}/load`,
              'parsed'
            ]
          ]
        )
        const rows = await world.get(`columns?root=${at(`dataset://of-${dialect}/crm`)}&column=active&influences=true`)
        assert.equal(rows.edges[0].kind, 'filtered')
      })
    }

    // No process has to be started for it.
    const dialect = 'postgres'

    it('goes to the output that is named, and ends what older runs have read', async () => {
      const output = { reference: 'object://lake/daily.parquet', columns: ['day'] }
      const tables = { t: { reference: 'object://lake/raw.parquet' } }
      const first = await record({ dialect, sql: 'SELECT a FROM t, u WHERE t.k = u.k', tables, output, job })
      assert.deepEqual(first.body.writes, { table: null, reference: output.reference })
      assert.deepEqual(await upstream(output.reference), [
        `${WAREHOUSE}/u`,
        'job://warehouse/nightly',
        output.reference,
        'object://lake/raw.parquet'
      ])
      clock.advance(1000)
      await record({ dialect, sql: 'SELECT a FROM t', tables, output, job })
      assert.deepEqual(await upstream(output.reference), [
        'job://warehouse/nightly',
        output.reference,
        'object://lake/raw.parquet'
      ])
      const { columns } = await world.get(`columns?root=${at('object://lake/raw.parquet')}&column=a`)
      assert.deepEqual(columns[1], { id: output.reference, column: 'day', distance: 1, masked: false })
    })

    it('adds up over the statements of one run, and ends nothing where it was not understood', async () => {
      const own = { namespace: 'warehouse', name: 'two-steps' }
      const run = { job: own, runId: 'r1' }
      await record({ dialect, sql: 'INSERT INTO both_of (a) SELECT a FROM one', ...run })
      const { body } = await record({ dialect, sql: 'INSERT INTO both_of (b) SELECT b FROM two', ...run })
      assert.equal(body.runId, 'r1')
      clock.advance(1000)
      const partly = await record({
        dialect,
        sql: 'INSERT INTO both_of (a) SELECT * FROM one',
        job: own
      })
      assert.ok(partly.body.notUnderstood.length > 0)
      const none = await record({ dialect, sql: 'CALL something()', job: own })
      assert.deepEqual([none.status, none.body.recorded, none.body.runId], [200, false, null])
      assert.deepEqual(await upstream(`${WAREHOUSE}/both_of`), [
        `${WAREHOUSE}/both_of`,
        `${WAREHOUSE}/one`,
        `${WAREHOUSE}/two`,
        'job://warehouse/two-steps'
      ])
    })

    it('uses the columns that the lineage knows, of named tables and of others', async () => {
      const columns = [{ name: 'id' }, { name: 'mail' }]
      await world.saw({
        job: { reference: 'job://test/seen' },
        run: { id: 'r', state: 'completed', timeMs: clock.now(), isWhole: true },
        inputs: [
          { reference: 'object://lake/people.parquet', columns },
          { reference: `${WAREHOUSE}/known_target`, columns: [{ name: 'key' }, { name: 'address' }] },
          { reference: `${WAREHOUSE}/people`, columns }
        ],
        outputs: [],
        columns: [],
        provenance: { how: 'captured', who: 'test' }
      })
      const tables = { P: { reference: 'object://lake/people.parquet' } }
      const named = await ask({ dialect, sql: 'SELECT * FROM p', tables })
      const names = (body: { columns: { name: string }[] }) => body.columns.map(({ name }) => name)
      assert.deepEqual([names(named.body), named.body.notUnderstood], [['id', 'mail'], []])
      const other = await ask({ dialect, sql: 'INSERT INTO known_target SELECT * FROM people', job })
      assert.deepEqual([names(other.body), other.body.notUnderstood], [['key', 'address'], []])
      const output = { reference: 'object://lake/out.parquet', columns: ['k', 'm'] }
      const into = await ask({ dialect, sql: 'INSERT INTO somewhere SELECT * FROM people', job, output })
      assert.deepEqual([names(into.body), into.body.notUnderstood], [['k', 'm'], []])
      const three = await ask({ dialect, sql: 'SELECT id FROM people', job, output })
      assert.match(three.body.notUnderstood[0].what, /2 are named, and the query has 1/)
    })

    it('leaves out what has no name that can be kept, and says so', async () => {
      const sql = `INSERT INTO nameless SELECT a, b FROM ${'t'.repeat(990)}, s`
      const { body } = await record({ sql, job: { namespace: 'n'.repeat(250), name: 'x' }, dialect })
      assert.equal(body.recorded, true)
      assert.ok(body.notUnderstood.some(({ what }: { what: string }) => /too long to record/.test(what)))
      assert.ok(body.notUnderstood.some(({ what }: { what: string }) => /#1, which has no name/.test(what)))
    })
  })
})
