import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Gateway } from '../contract/gateway.ts'
import type { Activity } from '../protocol/run-spec.ts'
import { openWorkshop, type Workshop } from '../testing/workshop.ts'
import type { HostedRun } from './hosted-run.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const generate = (count: number) => ({
  id: 'gen',
  type: 'generate',
  config: { count, fields: { n: 'n', time: "TIMESTAMP '2026-01-01' + to_milliseconds(n)", value: 'n * 0.5' } }
})

test('records go from a source through filters and maps to points, and the books balance', async () => {
  const ran = await workshop.run([
    generate(250_000),
    { id: 'even', type: 'filter', config: { where: 'n % 2 = 0' }, inputs: ['gen'] },
    {
      id: 'named',
      type: 'map',
      config: { select: { tag: "'t' || (n % 10)", v: 'value + 1' }, keep: true },
      inputs: ['even']
    },
    { id: 'out', type: 'series', config: { source: 'src_a', time: 'time', tag: 'tag', value: 'v' }, inputs: ['named'] }
  ])
  assert.equal(ran.end, 'completed')
  assert.deepEqual(ran.ledger, {
    recordsRead: 250_000,
    recordsWritten: 125_000,
    recordsFiltered: 125_000,
    recordsDeadLettered: 0,
    recordsMerged: 0,
    recordsAdded: 0
  })
  assert.equal(ran.imbalance, 0)
  const points = await workshop.points('src_a')
  assert.equal(points.length, 125_000)
  assert.deepEqual(points[0], { tag: 't0', time: '2026-01-01T00:00:00.000Z', value: '1.0' })
})

test('records go into objects, in folders by a column', async () => {
  const ran = await workshop.run([
    generate(1000),
    { id: 'parts', type: 'map', config: { select: { n: 'n', part: 'n % 3' } }, inputs: ['gen'] },
    {
      id: 'out',
      type: 'object',
      config: { bucket: 'b', prefix: 'parts/', format: 'parquet', partitionBy: ['part'] },
      inputs: ['parts']
    }
  ])
  assert.equal(ran.end, 'completed')
  assert.equal((await workshop.keys('parts/')).length, 3)
  assert.deepEqual(await workshop.rows('SELECT count(*) AS c, count(DISTINCT n) AS d FROM objects', 'parts/'), [
    { c: 1000, d: 1000 }
  ])
})

test('a record that can not be computed becomes a dead letter; all others go on', async () => {
  const ran = await workshop.run([
    {
      id: 'gen',
      type: 'generate',
      config: { count: 5000, fields: { text: "CASE WHEN n % 1000 = 7 THEN 'x' || n ELSE n::VARCHAR END" } }
    },
    { id: 'number', type: 'map', config: { select: { n: 'text::INTEGER' } }, inputs: ['gen'] },
    { id: 'low', type: 'filter', config: { where: 'n < 2500' }, inputs: ['number'] },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'dead/', format: 'ndjson' }, inputs: ['low'] }
  ])
  assert.equal(ran.imbalance, 0)
  assert.deepEqual(
    ran.deadLetters.map(({ nodeId, code, record }) => [nodeId, code, JSON.parse(record)]),
    [7, 1007, 2007, 3007, 4007].map((n) => ['number', 'invalid_value', { text: `x${n}` }])
  )
  assert.equal(ran.ledger.recordsWritten, 2497)
  assert.deepEqual(await workshop.rows('SELECT count(*) AS c FROM objects', 'dead/'), [{ c: 2497 }])
})

test('every node of a chain counts the records that it refuses itself', async () => {
  const ran = await workshop.run([
    {
      id: 'gen',
      type: 'generate',
      config: { count: 1000, fields: { a: "CASE WHEN n % 10 = 1 THEN 'x' ELSE n::VARCHAR END", n: 'n' } }
    },
    { id: 'first', type: 'map', config: { select: { a: 'a::INTEGER', n: 'n' } }, inputs: ['gen'] },
    { id: 'low', type: 'filter', config: { where: 'a < 500' }, inputs: ['first'] },
    {
      id: 'second',
      type: 'map',
      config: { select: { n: 'n', b: "(CASE WHEN n % 10 = 2 THEN '-' ELSE '5' END)::INTEGER" } },
      inputs: ['low']
    },
    { id: 'third', type: 'map', config: { select: { n: 'n', c: '(1 / (n % 10 - 3))::VARCHAR' } }, inputs: ['second'] },
    { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'chain/', format: 'ndjson' }, inputs: ['third'] }
  ])
  assert.equal(ran.imbalance, 0)
  const counts = Object.entries(ran.nodes).map(([id, { recordsIn, recordsOut, errors }]) => {
    return [id, recordsIn, recordsOut, errors]
  })
  assert.deepEqual(counts, [
    ['gen', 1000, 1000, 0],
    ['first', 1000, 900, 100],
    ['low', 900, 450, 0],
    ['second', 450, 400, 50],
    ['third', 400, 400, 0],
    ['out', 400, 400, 0]
  ])
  const written = await workshop.rows('SELECT n::INTEGER AS n FROM objects ORDER BY n', 'chain/')
  const expected = Array.from({ length: 500 }, (_, n) => n).filter((n) => n % 10 !== 1 && n % 10 !== 2)
  assert.deepEqual(
    written,
    expected.map((n) => ({ n }))
  )
})

test('names and texts of any script arrive as points, and names in quotes may hold quotes', async () => {
  const record = { time: '2026-01-01T00:00:00Z', tag: 'größe.☃ \\x41', text: 'ä "\\n', value: 1 }
  const sink = (id: string, tag: string, value: string) => {
    return { id, type: 'series', config: { source: 'src_names', time: 'time', tag, value }, inputs: ['in'] }
  }
  const nodes = [
    { id: 'in', type: 'generate', config: { fields: { n: 'n' } } },
    sink('a', 'tag', 'text'),
    sink('b', "'it''s'", 'value')
  ]
  const ran = await workshop.run(nodes, { batches: { in: [[record]] } })
  assert.deepEqual(ran.deadLetters, [])
  const time = '2026-01-01T00:00:00.000Z'
  assert.deepEqual(await workshop.points('src_names'), [
    { tag: 'größe.☃ \\x41', time, value: 'ä "\\n' },
    { tag: "it's", time, value: '1.0' }
  ])
})

test('lines are divided into folders too, by values of any kind', async () => {
  const records = [
    { n: 1, place: 'a/b' },
    { n: 2, place: 'ü=1' },
    { n: 3, place: null },
    { n: 4, place: 'a/b' }
  ]
  const config = { bucket: 'b', prefix: 'lines/', format: 'ndjson', partitionBy: ['place'] }
  const nodes = [
    { id: 'in', type: 'generate', config: { fields: { n: 'n' } } },
    { id: 'out', type: 'object', config, inputs: ['in'] }
  ]
  await workshop.run(nodes, { batches: { in: [records] } })
  const folders = (await workshop.keys('lines/')).map((key) => key.split('/')[1])
  assert.deepEqual(folders, ['place=%C3%BC%3D1', 'place=__HIVE_DEFAULT_PARTITION__', 'place=a%2Fb'])
  const found = await workshop.rows('SELECT n FROM objects ORDER BY n', 'lines/')
  assert.deepEqual(found, [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
})

test('objects are not much larger than they are to be, though more records come at once', async () => {
  const config = { bucket: 'b', prefix: 'rolled/', format: 'parquet', rollRows: 1000 }
  const ran = await workshop.run([generate(3500), { id: 'out', type: 'object', config, inputs: ['gen'] }])
  assert.equal(ran.imbalance, 0)
  assert.equal((await workshop.keys('rolled/')).length, 4)
  const [found] = await workshop.rows('SELECT count(*) AS c, count(DISTINCT n) AS d FROM objects', 'rolled/')
  assert.deepEqual(found, { c: 3500, d: 3500 })
})

test('says what it is at: a batch with its node and records, and a checkpoint', async () => {
  const seen: (Activity | undefined)[] = []
  let run: HostedRun | undefined
  const { gateway } = workshop
  const watched = <M extends 'keepFile' | 'publish'>(method: M) =>
    (async (...args: unknown[]) => {
      seen.push(run?.busy)
      return (gateway[method] as (...args: unknown[]) => Promise<unknown>)(...args)
    }) as Gateway[M]
  const slow = "CASE WHEN sha256(sha256(n::VARCHAR)) = '' THEN 0 ELSE n END::INTEGER"
  const steps: Activity[] = []
  const looking = setInterval(() => run?.busy && steps.push(run.busy), 5)
  await workshop.run(
    [
      generate(400_000),
      { id: 'cast', type: 'map', config: { select: { n: slow } }, inputs: ['gen'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'busy/', format: 'parquet' }, inputs: ['cast'] }
    ],
    {
      with: (one) => {
        run = one
      },
      gateway: { keepFile: watched('keepFile'), publish: watched('publish') }
    }
  )
  clearInterval(looking)
  assert.ok(seen.length > 0)
  for (const activity of seen) assert.deepEqual([activity?.what, activity?.nodeId], ['checkpoint', 'out'])
  const batches = steps.filter(({ what }) => what.startsWith('batch '))
  assert.ok(
    batches.some(({ nodeId, records }) => nodeId === 'out' && records > 0),
    JSON.stringify(batches.slice(0, 5))
  )
  for (const { share } of batches) assert.ok(share === null || (share >= 0 && share <= 1))
})

test('its SQL is parsed at once, however many expressions there are', async (t) => {
  const { DuckDBConnection } = await import('@duckdb/node-api')
  const { mock } = t.mock.method(DuckDBConnection.prototype, 'runAndReadAll')
  const parses = () => mock.calls.filter(({ arguments: [sql] }) => String(sql).startsWith('SELECT json_serialize_sql'))
  const select = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`, `value + ${i}`]))
  await workshop.run([
    generate(10),
    { id: 'map', type: 'map', config: { select, keep: true }, inputs: ['gen'] },
    { id: 'out', type: 'series', config: { source: 's', time: 'time', tag: "'t'", value: 'c1' }, inputs: ['map'] }
  ])
  // Before it runs, and once more when its columns are known, for what comes from which.
  assert.equal(parses().length, 2)
})
