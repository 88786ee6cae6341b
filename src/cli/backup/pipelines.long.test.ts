// Once: files of pipelines on disk.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { type Env, runCliHere } from '../../../test/support/process.ts'
import { filesOf } from '../../areas/pipelines/protocol/checkpoint.ts'

const KEPT = 'pipelines/kept'
const MINUTE_MS = 60_000

describe('pipelines in backup and restore', () => {
  let test: TestApp
  let env: Env
  let folder: string
  let id: string
  let beginMs: number

  before(async () => {
    test = await startTestApp()
    env = { DATA_DIR: test.database.folder }
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-pipelines-'))
    beginMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS
    id = await makePipeline(test)
    await reach(test, id, 'running')
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await test.close()
  })

  const run = async (t: TestContext, args: string[], dataDir = test.database.folder, more: Env = {}) => {
    const { code, stdout, stderr } = await runCliHere(t, args, { ...env, ...more, DATA_DIR: dataDir })
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
  }
  const reading = (atS: number, device: string, value: number) => {
    return { time: new Date(beginMs + atS * 1000).toISOString(), device, value }
  }
  const feed = async (app: TestApp, records: object[]) => {
    const answer = await app.call('POST', `/api/pipelines/${id}/nodes/in/records`, { as: 'editor', body: records })
    assert.equal(answer.body.accepted, records.length, answer.text)
  }

  it('goes on after a restore with the windows that were open', async (t) => {
    await feed(test, [reading(1, 'a', 1), reading(2, 'b', 10), reading(70, 'a', 100)])
    await feed(test, [reading(3, 'a', 2)])
    writeFileSync(join(test.database.folder, KEPT, 'file_of_nobody'), 'left over')
    const backup = join(folder, 'live')
    await run(t, ['backup', backup])
    assert.deepEqual(keptIn(backup), namedIn(backup))
    assert.ok(namedIn(backup).length > 1)
    assert.deepEqual(readdirSync(join(backup, 'pipelines')), ['kept'])
    await feed(test, [reading(4, 'a', 1000)]) // after the backup: not in what is restored

    const place = join(folder, 'live-data')
    await run(t, ['restore', backup], place)
    assert.deepEqual(keptIn(place), namedIn(backup))
    for (const name of keptIn(place)) assert.equal(statSync(join(place, KEPT, name)).mode & 0o777, 0o600)
    const database = { ...test.database, folder: place, file: join(place, 'metadata.db') }
    const restored = await startTestApp({ database })
    try {
      await reach(restored, id, 'running')
      await feed(restored, [reading(5, 'a', 4), reading(71, 'b', 200)])
      await feed(restored, [reading(1000, 'a', 0)])
      const found = await windowsOf(restored, id)
      assert.deepEqual(found, {
        a: [
          [beginMs, 7],
          [beginMs + MINUTE_MS, 100]
        ],
        b: [
          [beginMs, 10],
          [beginMs + MINUTE_MS, 200]
        ]
      })
      const { ledger, balanced } = (await restored.call('GET', `/api/pipelines/${id}`, { as: 'editor' })).body.run
      assert.deepEqual([ledger.recordsRead, ledger.recordsDeadLettered, balanced], [7, 0, true])
    } finally {
      await restored.app.stop()
      await restored.platform.close()
    }
  })

  const damages: [string, (file: string, at: string) => void, RegExp][] = [
    ['a changed file', flipByte, /pipelines\/kept\/file_\w+ is not as it was written/],
    ['a missing file', (file) => rmSync(file), /pipelines\/kept\/file_\w+ is missing/],
    ['a file that leads elsewhere', (_, at) => renameKept(at, 'pipelines/kept/../../../x'), /manifest.json.*damaged/],
    ['a file of scratch', (_, at) => renameKept(at, 'pipelines/work/x'), /manifest.json.*damaged/]
  ]
  for (const [what, damage, message] of damages) {
    it(`refuses a backup with ${what}, and changes nothing`, async (t) => {
      const at = join(folder, what.replaceAll(' ', '-'))
      await run(t, ['backup', at])
      damage(join(at, KEPT, keptIn(at)[0] as string), at)
      const place = `${at}-data`
      const { code, stderr } = await runCliHere(t, ['restore', at], { DATA_DIR: place })
      assert.equal(code, 1)
      assert.match(stderr, message)
      const left = existsSync(place) ? readdirSync(place).filter((name) => !name.startsWith('lock')) : []
      assert.deepEqual(left, [])
    })
  }

  it('takes all files where the database is elsewhere, and none where they are too', async (t) => {
    await test.call('POST', `/api/pipelines/${id}/stop`, { as: 'editor' })
    await reach(test, id, 'stopped')
    writeFileSync(join(test.database.folder, KEPT, 'file_of_nobody'), 'left over')
    const shared = { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: 'a-secret-'.repeat(8) }
    await run(t, ['backup', join(folder, 'shared')], undefined, shared)
    assert.deepEqual(keptIn(join(folder, 'shared')), keptIn(test.database.folder))
    await run(t, ['restore', join(folder, 'shared')], join(folder, 'shared-data'), shared)
    assert.deepEqual(keptIn(join(folder, 'shared-data')), keptIn(test.database.folder))

    const OBJECTS_URL = 's3://key:secret@127.0.0.1:1/?tls=false'
    await run(t, ['backup', join(folder, 'remote')], undefined, { OBJECTS_URL })
    assert.ok(!existsSync(join(folder, 'remote/pipelines')))
  })
})

/** Makes and starts a pipeline that sums up its input by device and minute. */
async function makePipeline(app: TestApp): Promise<string> {
  const call = (path: string, body: object) => app.call('POST', `/api/${path}`, { as: 'editor', body })
  const source = (await call('catalog/sources', { name: 'sums' })).body.id
  const select = { time: 'time::TIMESTAMP', device: 'device', value: 'value' }
  const windows = { window: '1m', lateness: '5m', time: 'time', groupBy: ['device'], select: { total: 'sum(value)' } }
  const nodes = [
    { id: 'in', type: 'webhook' },
    { id: 'map', type: 'map', config: { select }, inputs: ['in'] },
    { id: 'sum', type: 'aggregate', config: windows, inputs: ['map'] },
    {
      id: 'out',
      type: 'series',
      config: { source, time: 'window_start', tag: 'device', value: 'total' },
      inputs: ['sum']
    }
  ]
  const { body, text } = await call('pipelines', { name: 'sums', nodes })
  const started = await call(`pipelines/${body.id}/start`, {})
  assert.equal(started.status, 202, text + started.text)
  return body.id
}

const reach = (app: TestApp, id: string, status: string) =>
  eventually(async () => {
    const { body } = await app.call('GET', `/api/pipelines/${id}`, { as: 'editor' })
    assert.equal(body.status, status, JSON.stringify(body.error))
  })

/** The output of the pipeline: by device, the beginning and the sum of each window. */
async function windowsOf(app: TestApp, id: string): Promise<Record<string, [number, number][]>> {
  const { body, text } = await app.call('GET', `/api/pipelines/${id}/data?aggregation=1m`, { as: 'editor' })
  assert.ok(Array.isArray(body?.series), text)
  const found = body.series.map(({ tag, points }: { tag: string; points: { time: string; avg: number }[] }) => {
    return [tag, points.map(({ time, avg }) => [Date.parse(time), avg])]
  })
  return Object.fromEntries(found)
}

const keptIn = (at: string) => readdirSync(join(at, KEPT)).sort()

/** The files that the database in a backup names. */
function namedIn(backup: string): string[] {
  const copy = join(mkdtempSync(join(tmpdir(), 'millrace-copy-')), 'metadata.db')
  cpSync(join(backup, 'metadata.db'), copy)
  const database = new DatabaseSync(copy)
  const rows = database.prepare('select checkpoint from pipeline_checkpoints').all()
  database.close()
  rmSync(join(copy, '..'), { recursive: true })
  return rows.flatMap(({ checkpoint }) => filesOf(JSON.parse(checkpoint as string))).sort()
}

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  bytes[10] = (bytes[10] as number) ^ 1
  writeFileSync(file, bytes)
}

function renameKept(at: string, name: string): void {
  const manifest = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'))
  const files = manifest.files.map((file: { name: string }) => (file.name.startsWith(KEPT) ? { ...file, name } : file))
  writeFileSync(join(at, 'manifest.json'), JSON.stringify({ ...manifest, files }))
}
