import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crashing, rowsOf } from '../../testing/crashing.ts'
import { openWorkshop, type Workshop } from '../../testing/workshop.ts'
import { seriesSource } from './source.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const nodes = (config: object, prefix: string) => [
  { id: 'in', type: 'series', config: { ...config } },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' as const }, inputs: ['in'] }
]
const write = (source: string, lines: string[]) =>
  workshop.gateway.writeSeries(source, 'line', new TextEncoder().encode(lines.join('\n')))

describe('series source', () => {
  test('gives points in the order of time, with tag, value, text and quality', async () => {
    await write('src_a', ['t1 value=1.5 3000', 't2 value="open" 1000', 't1 value=2 2000', 't2 value="shut" 3000'])
    await workshop.gateway.writeSeries(
      'src_a',
      'ndjson',
      new TextEncoder().encode('{"tag":"t3","time":2000,"value":true,"quality":"bad"}')
    )
    const ran = await workshop.run(nodes({ source: 'src_a' }, 'a/'))
    assert.equal(ran.end, 'completed')
    assert.equal(ran.imbalance, 0)
    const rows = await workshop.rows('SELECT epoch_ns(time) AS ns, * EXCLUDE (time) FROM objects', 'a/')
    assert.deepEqual(
      rows.map(({ ns, tag, value, text, quality }) => [ns, String(tag).slice(0, 2), value, text, quality]),
      [
        [1000, 't2', null, 'open', 'good'],
        [2000, 't1', 2, null, 'good'],
        [2000, 't3', 1, null, 'bad'],
        [3000, 't1', 1.5, null, 'good'],
        [3000, 't2', null, 'shut', 'good']
      ]
    )
  })

  test('only some tags, and only from one time until before another', async () => {
    const points = Array.from({ length: 30 }, (_, n) => `m${n % 3} value=${n} ${n}000000000`)
    await write('src_b', points)
    const names = (await (await workshop.series()).tags('src_b', { limit: 10 })).tags.map(({ name }) => name)
    const config = {
      source: 'src_b',
      tags: [names[0], names[2]],
      start: '1970-01-01T00:00:06Z',
      end: '1970-01-01T00:00:12Z'
    }
    await workshop.run(nodes(config, 'b/'))
    assert.deepEqual(
      (await rowsOf(workshop, 'b/')).map(({ value }) => value),
      [6, 8, 9, 11]
    )
  })

  test('a source without points has ended', async () => {
    const ran = await workshop.run(nodes({ source: 'src_none' }, 'none/'))
    assert.deepEqual([ran.end, ran.ledger.recordsRead], ['completed', 0])
  })

  test('more points than a batch takes are cut by time, none lost or twice, also after crashes', async () => {
    const exportSeries = async (_source: string, _tags: unknown, folder: string) => {
      const connection = await workshop.instance.connect()
      const points = `SELECT 't' || (n % 1150) AS tag, make_timestamp_ns((n // 1150) * 1000) AS time, n::DOUBLE AS value FROM range(2300000) r(n)`
      await connection.run(`COPY (${points}) TO '${folder}/points.parquet' (FORMAT parquet)`)
      connection.closeSync()
      return [`${folder}/points.parquet`]
    }
    const read = [
      { id: 'in', type: 'series', config: { source: 'src_c' } },
      {
        id: 'sum',
        type: 'sql',
        config: { query: 'SELECT count(*) AS c, sum(value) AS s, min(value) AS lo, max(value) AS hi FROM input' },
        inputs: ['in']
      },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'c/', format: 'parquet' }, inputs: ['sum'] }
    ]
    const again = await crashing(workshop, read, { gateway: { exportSeries } }, 1)
    assert.ok(again.crashes > 0)
    const rows = (await rowsOf(workshop, 'c/')).toSorted((a, b) => Number(a.lo) - Number(b.lo))
    assert.ok(rows.length >= 3)
    assert.equal(
      rows.reduce((sum, { c }) => sum + Number(c), 0),
      2_300_000
    )
    assert.equal(
      rows.reduce((sum, { s }) => sum + Number(s), 0),
      (2_300_000 * 2_299_999) / 2
    )
    for (const [i, { lo, c }] of rows.entries()) {
      assert.ok(Number(c) <= 1_000_000)
      if (i > 0) assert.ok(Number(lo) > Number(rows[i - 1]?.hi))
    }
  })

  test('follows what is written later, also in a run that goes on', async () => {
    await write('src_d', ['t value=1 1000'])
    const config = { source: 'src_d', follow: true, interval: '10ms' }
    const first = await workshop.run(nodes(config, 'd1/'), {
      eager: true,
      async onCommit({ ledger }, run) {
        if (ledger.recordsWritten === 1) await write('src_d', ['t value=2 2000'])
        if (ledger.recordsWritten === 2) run.stop()
      }
    })
    await write('src_d', ['t value=3 3000', 't value=0 500'])
    await workshop.run(nodes(config, 'd2/'), {
      checkpoint: first.checkpoint,
      eager: true,
      onCommit({ ledger }, run) {
        if (ledger.recordsWritten === 1) run.stop()
      }
    })
    const values = async (prefix: string) => (await rowsOf(workshop, prefix)).map(({ value }) => value)
    assert.deepEqual([await values('d1/'), await values('d2/')], [[1, 2], [3]])
  })

  test('a configuration that can not be meant is refused', () => {
    const check = (config: object) => seriesSource.check?.(config as never).map(({ pointer }) => pointer)
    assert.deepEqual(check({ source: 's', start: '-1h', end: 'now' }), [])
    assert.deepEqual(check({ source: 's', start: 'soon', end: '2026-13-01', interval: 'x' }), [
      '/interval',
      '/start',
      '/end'
    ])
    assert.deepEqual(check({ source: 's', end: 'now', follow: true }), ['/end'])
  })
})
