import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type DuckdbSeries, openDuckdb } from '../engines/series/duckdb/index.ts'
import { DataPlane } from './plane.ts'
import { SeriesResolver } from './series-resolver.ts'

let folder = ''
let series: DuckdbSeries
let plane: DataPlane
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-series-sql-'))
  series = await openDuckdb({ folder: join(folder, 'series'), onFailure: (error) => assert.fail(error) })
  const resolvers = [new SeriesResolver(series, async (sourceId) => sourceId === 'src')]
  plane = new DataPlane({ resolvers, folder: join(folder, 'scratch'), limits: {} })
})
after(async () => {
  await plane.close()
  await series.close()
  rmSync(folder, { recursive: true, force: true })
})

async function write(lines: string): Promise<void> {
  const body = new Uint8Array(Buffer.from(lines))
  await series.write({ sourceId: 'src', format: 'line', precision: 's', nowMs: 0, body })
}

async function rows(sql: string, reference: string) {
  return (await plane.query({ sql, relations: { s: reference } })).rows()
}

test('SQL sees each point of a source once, in files and in memory, as it was written last', async () => {
  await write('a value=1 1000\na value=2 2000\nb value=3 1000')
  await series.seal()
  await write('a value=20 2000\na value=30 90000\nb note="on" 1000')
  assert.deepEqual(await rows('SELECT tag, epoch(time)::INT AS s, value, text FROM s ORDER BY ALL', 'series://src'), [
    ['a', 1000, 1, null],
    ['a', 2000, 20, null],
    ['a', 90_000, 30, null],
    ['b', 1000, 3, null],
    ['b.note', 1000, null, 'on']
  ])
  assert.deepEqual(await rows('SELECT sum(value) FROM s', 'series://src/a'), [[51]])
})
