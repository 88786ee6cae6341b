import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { within } from '../../../../test/support/yardstick.ts'
import { SHUT_OFF } from '../../../engines/sql-options.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { checkSql } from './check-sql.ts'

describe('checkSql', () => {
  let instance: DuckDBInstance

  before(async () => {
    instance = await DuckDBInstance.create(':memory:', { ...SHUT_OFF, threads: '1' })
  })
  after(() => instance.closeSync())

  const source = (config: object = {}): PipelineNode => {
    return { id: 'in', type: 'webhook', config: config as PipelineNode['config'], inputs: [] }
  }
  const sink: PipelineNode = { id: 'out', type: 'http', config: {}, inputs: ['it'] }
  const faultsOf = async (type: string, config: object, from = source()) => {
    const node = { id: 'it', type, config: config as PipelineNode['config'], inputs: ['in'] }
    return (await checkSql(instance, [from, node, sink])).map(({ pointer, message }) => `${pointer} ${message}`)
  }
  const ofRecord = async (expression: string, from?: PipelineNode) =>
    (await faultsOf('map', { select: { a: expression } }, from)).join()
  const ofWindow = async (expression: string) =>
    (await faultsOf('aggregate', { time: 't', groupBy: ['place'], select: { a: expression } })).join()

  const RIGHT = [
    ['abs(v)', 'v + 1', 'a || b', 'round(v, 2)', "v->>'$.a.b'", 'upper(name) = tag', 'NOT flag', 'n'],
    ["date_trunc('hour', t)", 't + INTERVAL 1 DAY', 'extract(epoch FROM t)', "strptime(v, '%d.%m.%Y')", 'isodow(t)'],
    ['v::DOUBLE', 'TRY_CAST(v AS INTEGER)', "TRY('abc'::DOUBLE)", "'12'::DOUBLE", "DATE '2026-03-09'", 'x::JSON'],
    ['v[1] + 1', 'v.city.name', 'list_transform(v, x -> x.price * 2)', "v['a']", 'list_sum(v)', '[a, b][1]', '{a: v}'],
    ["CASE WHEN name = 'x' THEN v * 2 ELSE extract(hour FROM t) END", 'coalesce(a, b, c, d)', 'input.v', '"order"'],
    ['time_bucket(INTERVAL 5 MINUTES, t) || name || (v / 2)', 'if(a > 1, b, c)', 'greatest(a, now()::VARCHAR)']
  ].flat()

  for (const expression of RIGHT) {
    it(`lets ${expression} through`, async () => assert.equal(await ofRecord(expression), ''))
  }

  const WRONG: [expression: string, why: RegExp][] = [
    ['to_float(v)', /^\/select\/a Scalar Function with name to_float does not exist! Did you mean/],
    ['v::NUMBRE', /Type with name NUMBRE does not exist!/],
    ['abs(v, 1)', /No function matches the given name and argument types 'abs\(/],
    ["replace(v, ',')", /No function matches/],
    ['extract(epoch FROM t) + to_float(v)', /to_float does not exist/],
    ["'n/a'::DOUBLE", /'n\/a' is no DOUBLE/],
    ["t > TIMESTAMP '2026-13-01 00:00:00'", /'2026-13-01 00:00:00' is no TIMESTAMP/],
    ['COLUMNS(*)', /must not hold \* or COLUMNS/],
    ["COLUMNS('v.*') + 1", /must not hold \* or COLUMNS/],
    ['*', /must not hold|one SQL expression/],
    ['v +', /^\/select\/a syntax error at the end$/],
    ['(v', /^\/select\/a syntax error at the end$/],
    ['v > > 2', /^\/select\/a syntax error at or near ">", character 5$/],
    ['v >\n1 1', /^\/select\/a syntax error at or near "1", line 2, character 3$/],
    ['IF(v, 1)', /^\/select\/a [^.]*(?<!\.)(?:, character \d+| at the end)?$/],
    ["date_part('day', v, 1)", /^.{290,330}[^ ] …$/],
    ['"v', /^\/select\/a unterminated quoted identifier at or near ""v", character 1$/],
    ['1) FROM (SELECT 1', /one SQL expression/],
    ['sum(v)', /several records/]
  ]

  for (const [expression, why] of WRONG) {
    it(`finds what is wrong with ${expression}`, async () => assert.match(await ofRecord(expression), why))
  }

  it('knows the types that a source is told, through filters too', async () => {
    const told = source({ columns: { celsius: 'DOUBLE', name: 'VARCHAR' } })
    assert.equal(await ofRecord('celsius * 2 || name', told), '')
    assert.match(await ofRecord('name * 2', told), /No function matches .*\*\(VARCHAR, INTEGER/)
    assert.match(await ofRecord('Celsius.city', told), /celsius/i)
    const filter: PipelineNode = { id: 'f', type: 'filter', config: { where: 'celsius > 1' }, inputs: ['in'] }
    const map: PipelineNode = { id: 'it', type: 'map', config: { select: { a: 'list_sum(celsius)' } }, inputs: ['f'] }
    assert.equal((await checkSql(instance, [told, filter, map, sink])).length, 1)
  })

  it('binds expressions of many records as a window does', async () => {
    for (const right of ['avg(v)', 'max(v) - min(v)', 'count(*)', 'upper(place)', 'quantile_cont(v, 0.5)']) {
      assert.equal(await ofWindow(right), '', right)
    }
    assert.match(await ofWindow('avrg(v)'), /avrg does not exist/)
    assert.match(await ofWindow('v'), /must appear in the GROUP BY clause|must be part of an aggregate/)
    assert.match(await ofWindow('sum(COLUMNS(*))'), /must not hold/)
  })

  it('finds what is not there in statements, whatever their tables have', async () => {
    const of = async (query: string) => (await faultsOf('sql', { query })).join()
    for (const right of [
      'SELECT * FROM input',
      'SELECT i.a, upper(i.b) AS b, i.c.d FROM "in" i WHERE i.t > now() - INTERVAL 1 DAY',
      'WITH x AS (SELECT a, count(*) AS n FROM input GROUP BY a) SELECT * FROM x JOIN input USING (a) ORDER BY n',
      'SELECT unnest(list) AS one, row_number() OVER (PARTITION BY a ORDER BY b) FROM input'
    ]) {
      assert.equal(await of(right), '', right)
    }
    assert.match(await of('SELECT to_float(a) FROM input'), /to_float does not exist/)
    assert.match(await of("SELECT date_trunc('hour', t) AS h, to_float(a) FROM input"), /to_float does not exist/)
    assert.match(await of('SELECT a::NUMBRE FROM input'), /NUMBRE does not exist/)
  })

  it('tells all faults of all nodes at once, and none of the others', async () => {
    const select = { a: 'upper(v)', b: 'nope(v)', c: 'v + 1', d: 'lower(v, v)' }
    const pointers = (await faultsOf('map', { select })).map((fault) => fault.split(' ')[0])
    assert.deepEqual(pointers, ['/select/b', '/select/d'])
  })

  it('knows that a filter may be computed with what another node makes of its columns', async () => {
    const map = { id: 'm', type: 'map', config: { select: { x: 'coalesce(a, b)', y: 'upper(b)' } }, inputs: ['in'] }
    const faults = async (where: string) =>
      (
        await checkSql(instance, [source(), map, { id: 'it', type: 'filter', config: { where }, inputs: ['m'] }, sink])
      ).map(({ nodeId, message }) => `${nodeId} ${message}`)
    assert.match((await faults('TRY(x::INTEGER) > 1')).join(), /^it TRY can't be used around x, which may be made with/)
    assert.deepEqual(await faults('TRY(y::INTEGER) > 1 OR TRY_CAST(x AS INTEGER) > 1'), [])
  })

  it('takes a moment for very many expressions', async () => {
    const select = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`c${n}`, `round(v${n % 50} * 2, 1) + ${n}`])
    )
    const maps = Array.from({ length: 4 }, (_, n): PipelineNode => {
      return { id: `m${n}`, type: 'map', config: { select }, inputs: [n === 0 ? 'in' : `m${n - 1}`] }
    })
    const nodes = [source(), ...maps, { ...sink, inputs: ['m3'] }]
    assert.deepEqual(await within(10_000, () => checkSql(instance, nodes)), [])
  })
})
