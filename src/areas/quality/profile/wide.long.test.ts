// Once: columns of data, whatever the database is.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { openTestPlane } from '../../../data/testing/plane.ts'
import { systemClock } from '../../../engines/clock.ts'
import { Survey } from './survey.ts'

const COLUMNS = 1000
const dataset = 'object://b/wide.parquet'

describe('a profile of wide data', () => {
  it('looks at a thousand columns in pieces', async () => {
    await using held = new AsyncDisposableStack()
    const { plane, folder, put, close } = await openTestPlane()
    held.defer(close)
    const file = join(folder, 'wide.parquet')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const items = Array.from({ length: COLUMNS }, (_, at) => `range + ${at} AS c${at}`)
    await connection.run(`COPY (SELECT ${items.join(', ')} FROM range(100)) TO '${file}'`)
    connection.closeSync()
    await put('wide.parquet', readFileSync(file))
    const { signal } = new AbortController()
    const survey = new Survey({ plane, clock: systemClock }, { dataset }, undefined, signal)
    const { rows, columns } = await survey.run(await plane.describe(dataset))
    assert.equal(rows, 100)
    assert.deepEqual(
      columns.map(({ name, min, max, distinct }) => [name, min, max, distinct?.count]),
      Array.from({ length: COLUMNS }, (_, at) => [`c${at}`, at, at + 99, 100])
    )
  })

  it('is refused where there are more, unless some are named', async () => {
    await using held = new AsyncDisposableStack()
    const world = await QualityWorld.start()
    held.defer(() => world.close())
    const line = (value: (at: number) => string) => Array.from({ length: COLUMNS + 1 }, (_, at) => value(at)).join(',')
    await world.put('wider.csv', `${line((at) => `c${at}`)}\n${line(String)}\n`)
    const { status, body } = await world.post('profile', { dataset: 'object://lake/wider.csv' })
    assert.equal(status, 422)
    assert.match(body.detail, /1001 columns; name up to 1000 of them in `columns`/)
    const some = await world.post('profile', { dataset: 'object://lake/wider.csv', columns: ['c1000'] })
    assert.deepEqual([some.status, some.body.columns?.[0]?.max], [200, 1000])
  })
})
