import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { lineageOf } from '../../../engines/sql-lineage/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { ColumnWay, FromColumn } from '../contract/ways.ts'
import type { Column } from '../duckdb/columns.ts'
import { parseSql } from '../duckdb/parse-sql.ts'
import { NODE_TYPES, typesOf } from '../nodes/index.ts'
import { type ReadStatement, readingSelects } from './read-select.ts'
import { referencesOf } from './references.ts'
import { stationsOf } from './stations.ts'

const LEFT: readonly Column[] = [
  { name: 'at', type: 'TIMESTAMP' },
  { name: 'plant', type: 'VARCHAR' },
  { name: 'temp', type: 'DOUBLE' }
]
const RIGHT: readonly Column[] = [
  { name: 'plant', type: 'VARCHAR' },
  { name: 'city', type: 'VARCHAR' }
]

interface Case {
  readonly config: Record<string, unknown>
  /** Of a source or a sink: the data that it names. */
  readonly references?: readonly string[]
  /** Of all others: where columns come from, and then what decides about rows. */
  readonly ways?: string
  readonly given?: readonly string[]
}

const postgres = { kind: 'postgres', host: 'db.example', database: 'plant', user: 'u', password: 'secret' }
const broker = { hosts: ['broker.example', 'other.example:1'], user: 'u', password: 'secret' }
const SAME = 'at: =at; plant: =plant; temp: =temp'

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'source file': [{ config: { reference: 'object://b/in/*.csv' }, references: ['object://b/in/*.csv'] }],
  'source generate': [{ config: { fields: { x: 'n' } }, references: [] }],
  'source http': [
    {
      config: { url: 'https://u:p@x.example:8443/a/b?key=secret#c' },
      references: ['dataset://https%3A%2F%2Fx.example%3A8443/a/b']
    },
    { config: { url: 'https://x.example' }, references: ['dataset://https%3A%2F%2Fx.example//'] },
    { config: { url: 'not an address' }, references: [] }
  ],
  'source kafka': [
    {
      config: { connection: broker, topics: ['a', 'b'] },
      references: ['dataset://kafka%3A%2F%2Fbroker.example%3A9092/a', 'dataset://kafka%3A%2F%2Fbroker.example%3A9092/b']
    }
  ],
  'source mqtt': [
    {
      config: { connection: { ...broker, tls: true }, topics: ['plant/+/temp'] },
      references: ['dataset://mqtt%3A%2F%2Fbroker.example%3A8883/plant/+/temp']
    }
  ],
  'source nats': [
    {
      config: { connection: { hosts: ['::1'] }, topics: ['a.>'] },
      references: ['dataset://nats%3A%2F%2F%5B%3A%3A1%5D%3A4222/a.>']
    }
  ],
  'source series': [
    { config: { source: 'src_1' }, references: ['series://src_1'] },
    { config: { source: 'src_1', tags: ['a', 'b/c'] }, references: ['series://src_1/a', 'series://src_1/b/c'] }
  ],
  'source stream': [
    { config: { connectorId: 'cn_1', stream: 'public.users' }, references: ['connector://cn_1/public.users'] }
  ],
  'source sql': [
    { config: { connectorId: 'cn_1', table: 'public.users' }, references: ['connector://cn_1/public.users'] },
    { config: { connectorId: 'cn_1', query: 'SELECT 1' }, references: ['connector://cn_1/**'] },
    {
      config: { connection: postgres, table: 'users' },
      references: ['dataset://postgres%3A%2F%2Fdb.example%3A5432/plant.public.users']
    },
    {
      config: { connection: postgres, table: 'hr."us.ers"' },
      references: ['dataset://postgres%3A%2F%2Fdb.example%3A5432/plant.hr.us.ers']
    },
    {
      config: { connection: { ...postgres, kind: 'mysql' }, table: 't' },
      references: ['dataset://mysql%3A%2F%2Fdb.example%3A3306/plant.t']
    },
    {
      config: { connection: { ...postgres, kind: 'clickhouse' }, table: 'o.t' },
      references: ['dataset://clickhouse%3A%2F%2Fdb.example%3A8123/o.t']
    },
    {
      config: { connection: postgres, query: 'SELECT 1' },
      references: ['dataset://postgres%3A%2F%2Fdb.example%3A5432/plant']
    }
  ],
  'source webhook': [
    { config: {}, references: [] },
    { config: { schemaId: 'sch_1' }, references: ['schema://sch_1'] }
  ],
  'transform filter': [
    { config: { where: "temp > 20 AND input.plant <> 'x'" }, ways: `${SAME} | filtered plant, filtered temp` }
  ],
  'transform map': [
    { config: { select: { name: 'Plant', warm: 'temp > 20', one: '1' } }, ways: 'name: =plant; warm: ~temp; one: ' },
    { config: { select: { temp: 'temp * 2' }, keep: true }, ways: 'at: =at; plant: =plant; temp: ~temp' }
  ],
  'transform sql': [
    {
      config: { query: 'SELECT plant, avg(temp) AS t FROM input WHERE "at" IS NOT NULL GROUP BY plant' },
      ways: 'plant: =plant; t: ~temp | filtered at, grouped plant'
    },
    { config: { query: 'SELECT temp + 1 FROM s0' }, ways: '(temp + 1): ~temp', given: ['(temp + 1)'] }
  ],
  'transform aggregate': [
    {
      config: { window: '1m', time: 'at', groupBy: ['plant'], select: { mean: 'avg(temp)', count: 'count(*)' } },
      ways: 'plant: =plant; window_start: ~at; window_end: ~at; mean: ~temp; count:  | grouped at, grouped plant'
    },
    {
      config: { window: '1m', time: 'at', select: { mean: 'avg(temp)' } },
      ways: 'window_start: ~at; window_end: ~at; mean: ~temp | grouped at'
    }
  ],
  'transform classify': [
    { config: {}, ways: `${SAME}; _classified: ~plant` },
    { config: { columns: ['temp'], into: 'plant' }, ways: 'at: =at; temp: =temp; plant: ~temp' }
  ],
  'transform dedupe': [
    { config: { by: ['plant', 'TEMP'] }, ways: `${SAME} | filtered TEMP, filtered plant` },
    { config: { by: ['plant'], within: '1h', time: 'at' }, ways: `${SAME} | filtered at, filtered plant` }
  ],
  'transform join': [
    {
      config: { on: ['plant'], kind: 'left' },
      ways: 'at: =at; plant: =plant; temp: =temp; plant_right: =1.plant; city: =1.city | joined 1.plant, joined plant'
    },
    {
      config: { on: { plant: 'city' }, kind: 'inner', within: '1m', time: { left: 'at', right: 'plant' } },
      ways: 'at: =at; plant: =plant; temp: =temp; plant_right: =1.plant; city: =1.city | joined 1.city, joined 1.plant, joined at, joined plant'
    }
  ],
  'transform mask': [
    ...['redact', 'hash', 'last4', 'null', 'email'].map((how) => ({
      config: { columns: { PLANT: how }, salt: 'secret' },
      ways: 'at: =at; plant: #plant; temp: =temp'
    }))
  ],
  'transform quality': [
    { config: { rules: [{ type: 'notNull', config: { column: 'plant' } }] }, ways: SAME },
    { config: { ruleIds: ['qr_1'], onFailure: 'stop' }, ways: SAME }
  ],
  'transform validate': [
    { config: { schema: { required: ['plant'] } }, ways: SAME },
    { config: { schemaId: 'sch_1' }, ways: SAME, references: ['schema://sch_1'] }
  ],
  'sink series': [
    {
      config: { source: 'src_1', time: 'AT', tag: 'plant', value: 'temp', quality: 'plant' },
      references: ['series://src_1', 'pipeline://pl_1'],
      ways: 'time: =at; tag: =plant; value: =temp; quality: =plant'
    },
    {
      config: { source: 'src_1', time: 'at', tag: "'it''s'", value: 'plant' },
      references: ['series://src_1', 'pipeline://pl_1'],
      ways: 'time: =at; tag: ; text: =plant'
    }
  ],
  'sink object': [
    {
      config: { bucket: 'b', prefix: 'out/', format: 'csv' },
      references: ['object://b/out/*', 'pipeline://pl_1'],
      ways: SAME
    }
  ],
  'sink http': [
    {
      config: { url: 'https://x.example/in?key=secret' },
      references: ['dataset://https%3A%2F%2Fx.example/in'],
      ways: SAME
    }
  ],
  'sink kafka': [
    {
      config: { connection: broker, topic: 't' },
      references: ['dataset://kafka%3A%2F%2Fbroker.example%3A9092/t'],
      ways: SAME
    },
    {
      config: { connection: broker, topic: { column: 'plant' } },
      references: ['dataset://kafka%3A%2F%2Fbroker.example%3A9092/*'],
      ways: SAME
    }
  ],
  'sink mqtt': [
    {
      config: { connection: broker, topic: 't' },
      references: ['dataset://mqtt%3A%2F%2Fbroker.example%3A1883/t'],
      ways: SAME
    }
  ],
  'sink nats': [
    {
      config: { connection: broker, topic: 't' },
      references: ['dataset://nats%3A%2F%2Fbroker.example%3A4222/t'],
      ways: SAME
    }
  ],
  'sink sql': [
    {
      config: { connectorId: 'cn_1', table: 'public.t' },
      references: ['connector://cn_1/public.t'],
      ways: SAME
    },
    {
      config: { connection: postgres, table: 't' },
      references: ['dataset://postgres%3A%2F%2Fdb.example%3A5432/plant.public.t'],
      ways: SAME
    }
  ]
}

const SIGNS: Readonly<Record<string, string>> = { identity: '=', computed: '~', masked: '#' }

const fromText = ({ input, column, kind }: FromColumn): string =>
  `${SIGNS[kind] ?? `${kind} `}${input === 0 ? '' : `${input}.`}${column ?? '*'}`
const wayText = ({ name, from }: ColumnWay): string => `${name}: ${from.map(fromText).join(' ')}`

/** The node in its place, between sources that nobody else knows and a sink. */
function around(role: string, type: string, config: Record<string, unknown>, inputs: number): PipelineNode[] {
  const web = (id: string): PipelineNode => ({ id, type: 'webhook', config: {}, inputs: [] })
  const end: PipelineNode = { id: 'end', type: 'http', config: { url: 'none' }, inputs: ['node'] }
  if (role === 'source') return [{ id: 'node', type, config, inputs: [] }, end]
  const ids = ['s0', 's1'].slice(0, inputs)
  const nodes = [...ids.map(web), { id: 'node', type, config, inputs: ids }]
  return role === 'sink' ? nodes : [...nodes, end]
}

describe('what types of nodes do to columns', () => {
  let instance: DuckDBInstance
  let read: ReadStatement

  before(async () => {
    instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    read = async (select, known) => lineageOf(await parseSql(connection, select), known)
  })
  after(() => instance.closeSync())

  const waysIn = async (nodes: readonly PipelineNode[], names?: readonly string[], reading = readingSelects(read)) => {
    const own = names?.map((name): [string, Column[]] => ['node', [{ name, type: 'DOUBLE' }]]) ?? []
    const given = new Map<string, readonly Column[]>([['s0', LEFT], ['s1', RIGHT], ...own])
    const stations = await stationsOf({
      order: nodes,
      types: typesOf(nodes),
      given,
      restored: new Set(),
      queries: new Map(),
      reading
    })
    const station = stations.find(({ id }) => id === 'node')
    assert.ok(station !== undefined && station.role !== 'source')
    const { columns, rows } = station.ways
    return `${columns.map(wayText).join('; ')}${rows.length === 0 ? '' : ` | ${rows.map(fromText).sort().join(', ')}`}`
  }

  for (const { role, type, inputs } of NODE_TYPES) {
    it(`is told by every ${role} ${type}`, async () => {
      const cases = CASES[`${role} ${type}`]
      assert.ok(cases !== undefined, 'add what it reads, writes and makes of columns to this table')
      for (const { config, references, ways, given } of cases) {
        const nodes = around(role, type, config, Math.max(1, inputs.min))
        const named = referencesOf('pl_1', nodes)
        assert.deepEqual(role === 'sink' ? named.outputs : named.inputs, references ?? [])
        assert.doesNotMatch(JSON.stringify(named), /secret/)
        if (role !== 'source') assert.equal(await waysIn(nodes, given), ways)
      }
    })
  }

  it('is anything where a statement is not understood, or there is none', async () => {
    const some = {
      reads: [],
      writes: null,
      outputs: [{ name: 'x', from: [] }],
      rows: [],
      notUnderstood: [{ what: 'it' }]
    }
    const nodes = around('transform', 'map', { select: { x: 'temp', y: 'temp' } }, 1)
    assert.equal(
      await waysIn(
        nodes,
        undefined,
        readingSelects(async () => some)
      ),
      'x: ~* | filtered *'
    )
    const misspelt = around('transform', 'classify', { columns: ['nowhere'] }, 1)
    assert.equal(await waysIn(misspelt, ['x']), 'x: ~* | filtered *')
    const interrupted = readingSelects(() => Promise.reject(new Error('interrupted')))
    await assert.rejects(waysIn(nodes, ['x'], interrupted), /interrupted/)
  })

  it('is told of two inputs of a statement by their names', async () => {
    const query = 'SELECT s0.plant, city AS town FROM s0 JOIN s1 USING (plant)'
    const nodes = around('transform', 'sql', { query }, 2)
    assert.equal(await waysIn(nodes), 'plant: =plant; town: =1.city | joined 1.plant, joined plant')
  })
})
