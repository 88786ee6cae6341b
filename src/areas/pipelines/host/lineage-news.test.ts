import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { PipelineNode } from '../contract/node-type.ts'
import type { SeenColumns } from '../protocol/checkpoint.ts'
import type { LogLine } from '../protocol/run-spec.ts'
import { LineageNews } from './lineage-news.ts'

const ORDER: readonly PipelineNode[] = [
  { id: 'in', type: 'file', config: { reference: 'object://b/in' }, inputs: [] },
  { id: 'some', type: 'filter', config: { where: 'a > 1' }, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'o/', format: 'csv' }, inputs: ['some'] }
]

describe('what is told of the columns of a run', () => {
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  before(async () => {
    instance = await DuckDBInstance.create(':memory:')
    connection = await instance.connect()
  })
  after(() => instance.closeSync())

  function open(database: () => DuckDBConnection = () => connection, seen: SeenColumns = { given: {}, restored: [] }) {
    const log: LogLine[] = []
    const time = { ms: 0 }
    const elapsed = () => time.ms
    const news = new LineageNews({
      pipelineId: 'pl_1',
      order: ORDER,
      seen,
      database,
      elapsed,
      log: (line) => void log.push(line)
    })
    const see = (...names: string[]) =>
      news.columns.see(
        'in',
        names.map((name) => ({ name, type: 'DOUBLE' }))
      )
    const told = async (last = false) => (await news.next(last))?.inputs[0]?.columns?.map(({ name }) => name).join()
    return { news, see, told, log, time }
  }

  it('is nothing until something is known, and the same only once', async () => {
    const { see, told } = open()
    assert.equal(await told(), undefined)
    see('a')
    assert.equal(await told(), 'a')
    see('A')
    assert.equal(await told(true), undefined)
  })

  it('is not told with every checkpoint where records have ever new columns, but before the end', async () => {
    const { see, told, time } = open()
    see('a')
    assert.equal(await told(), 'a')
    see('a', 'b')
    time.ms = 9999
    assert.equal(await told(), undefined)
    time.ms = 10_000
    assert.equal(await told(), 'a,b')
    see('c')
    assert.equal(await told(), undefined)
    assert.equal(await told(true), 'a,b,c')
  })

  it('is as much after an interruption as before it', async () => {
    const before = open()
    before.see('a', 'b')
    const after = open(undefined, before.news.seen)
    assert.equal(await after.told(), 'a,b', 'though it may be that no record of before comes again')
    after.see('b')
    assert.equal(await after.told(true), undefined)
  })

  it('keeps no more columns with each checkpoint than there may be', () => {
    const { news } = open()
    const named = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `c${n}`, type: 'DOUBLE' }))
    news.columns.see('in', named(2000))
    news.columns.see('some', named(2000))
    assert.equal(Object.values(news.seen?.given ?? {}).flat().length, 4000)
    news.columns.see('out', named(1001))
    assert.equal(news.seen, undefined)
  })

  it('is tried again where it could not be found out, and stops nothing', async () => {
    let isBroken = true
    const { see, told, log } = open(() => {
      if (isBroken) throw new Error('out of memory')
      return connection
    })
    see('a')
    assert.equal(await told(), undefined)
    assert.deepEqual(
      log.map(({ level, message }) => `${level} ${message}`),
      ['warn Lineage: Which columns come from which is not known: out of memory']
    )
    isBroken = false
    assert.equal(await told(true), 'a')
    assert.equal(log.length, 1)
  })
})
