import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { emptyLedger } from '../protocol/ledger.ts'
import { keepInFolder } from '../supervisor/kept-files.ts'
import { deleteOldLines, deleteOldRuns } from './store.ts'
import { sweepFiles } from './upkeep.ts'

describe('the upkeep of pipelines', () => {
  let test: TestApp
  let id: string

  before(async () => {
    test = await startTestApp()
    const source = (await test.call('POST', '/api/catalog/sources', { as: 'editor', body: { name: 's' } })).body.id
    const config = { source, time: 't', tag: 'g', value: 'v' }
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'series', config, inputs: ['in'] }
    ]
    id = (await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'p', nodes } })).body.id
  })
  after(() => test.close())

  const run = (number: number, endedAt: string | null) => ({
    id: `run_${number}`,
    pipeline_id: id,
    number,
    version: 1,
    status: endedAt === null ? ('starting' as const) : ('stopped' as const),
    owner: null,
    fence: 0,
    failures: 0,
    due_ms: Number.MAX_SAFE_INTEGER,
    ledger: JSON.stringify(emptyLedger()),
    nodes: '{}',
    error: null,
    started_by: 'usr_1',
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: endedAt
  })

  it('keeps the newest runs, and those that have not ended', async () => {
    const { metadata } = test.platform
    const rows = [run(1, null), ...[2, 3, 4, 5].map((number) => run(number, '2026-01-02T00:00:00.000Z'))]
    const deleted = await metadata.transaction(async (tx) => {
      await tx.insertInto('pipeline_runs').values(rows).execute()
      return deleteOldRuns(tx, id, 2)
    })
    const left = await metadata.db.selectFrom('pipeline_runs').select('id').orderBy('id').execute()
    assert.deepEqual([deleted, left.map((row) => row.id)], [2, ['run_1', 'run_4', 'run_5']])
  })

  it('keeps the newest lines', async () => {
    const { metadata, makeId, clock } = test.platform
    const line = { pipeline_id: id, run_id: 'run_1', level: 'info' as const, node_id: null, message: 'm' }
    const rows = Array.from({ length: 5 }, () => ({ ...line, id: makeId('line'), created_at: clock.iso() }))
    const deleted = await metadata.transaction(async (tx) => {
      await tx.insertInto('pipeline_logs').values(rows).execute()
      return deleteOldLines(tx, id, 3)
    })
    const left = await metadata.db.selectFrom('pipeline_logs').select('id').orderBy('id').execute()
    assert.deepEqual([deleted, left.map((row) => row.id)], [2, rows.slice(2).map((row) => row.id)])
  })

  it('drops files that no checkpoint names, of those that were there at the start', async () => {
    const { metadata, clock } = test.platform
    const folder = join(test.database.folder, 'kept-here')
    await mkdir(folder)
    for (const name of ['named', 'published', 'orphan', 'new']) await writeFile(join(folder, name), 'x')
    const tables = { out: { rows: { files: [{ name: 'named', rows: 1 }], expired: null } } }
    const publications = [{ file: 'published', bucket: 'b', key: 'k', contentType: 'text/csv' }]
    const checkpoint = JSON.stringify({ epoch: 1, positions: {}, memos: {}, tables, publications })
    const row = { pipeline_id: id, run_id: 'run_1', checkpoint, committed_at: clock.iso() }
    await metadata.transaction((tx) => tx.insertInto('pipeline_checkpoints').values(row).execute())
    const files = keepInFolder(folder)
    await sweepFiles(metadata, files, ['named', 'published', 'orphan'])
    assert.deepEqual((await files.abandoned()).sort(), ['named', 'new', 'published'])
  })
})
