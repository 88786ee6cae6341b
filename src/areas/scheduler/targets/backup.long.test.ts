// Once: a backup of a server with a database of its own; of others there is a suite of the command.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import type { TargetEnd } from '../../../schedule-target.ts'
import { targetRun } from '../testing/target-run.ts'
import { backupTarget } from './backup.ts'
import { removeOlder } from './backup-folders.ts'

const NAME = '20260302T040000Z'

describe('backups that schedules make', () => {
  let test: TestApp
  let backupDir: string

  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'kept' } })
  })
  after(() => test.close())
  beforeEach(() => {
    backupDir = join(mkdtempSync(join(tmpdir(), 'millrace-backups-')), 'all')
  })
  afterEach(() => rmSync(join(backupDir, '..'), { recursive: true, force: true }))

  const run = (config: object = {}, more: object = {}, dataDir = test.platform.config.dataDir) =>
    backupTarget({ config: { dataDir, backupDir } }).run(
      targetRun({ config: config as never, ...more })
    ) as Promise<TargetEnd>
  const fake = (name: string, manifest: object | null = {}) => {
    mkdirSync(join(backupDir, name), { recursive: true })
    if (manifest === null) return
    writeFileSync(join(backupDir, name, 'manifest.json'), JSON.stringify({ format: 1, ...manifest }))
  }
  const there = () => readdirSync(backupDir).sort()
  const codeOf = (end: TargetEnd) => ('code' in end ? end.code : end.outcome)

  it('are made while the server runs, and once for a due time', async () => {
    fake(`${NAME}.partial-12345`)
    const first = targetRun({})
    const target = backupTarget({ config: { dataDir: test.platform.config.dataDir, backupDir } })
    assert.deepEqual(await target.run(first), { outcome: 'succeeded', message: `The backup ${NAME} is complete` })
    assert.deepEqual(there(), [NAME])
    assert.equal(first.lines[0], `The backup is in BACKUP_DIR/${NAME}:`)
    const manifest = readFileSync(join(backupDir, NAME, 'manifest.json'), 'utf8')
    assert.match(manifest, /"metadata\.db"/)
    assert.equal((await run({}, { attempt: 2 })).outcome, 'succeeded')
    assert.equal(readFileSync(join(backupDir, NAME, 'manifest.json'), 'utf8'), manifest)
  })

  it('replace the oldest of ours, and nothing else', async () => {
    for (const day of ['01', '02', '03']) fake(`202602${day}T000000Z`)
    fake('20260101T000000Z', null)
    fake('20260102T000000Z.removed')
    fake('mine')
    fake('20260204T000000Z', { damaged: ['an object'] })
    writeFileSync(join(backupDir, '20260103T000000Z'), 'a file')
    const end = await run({ keep: 2 })
    assert.deepEqual(end, { outcome: 'succeeded', message: `The backup ${NAME} is complete; 2 older removed` })
    assert.deepEqual(there(), [
      '20260101T000000Z',
      '20260103T000000Z',
      '20260203T000000Z',
      '20260204T000000Z',
      NAME,
      'mine'
    ])
  })

  it('say what went wrong without telling where folders are, and remove nothing', async () => {
    fake('20260201T000000Z')
    const end = await run({ keep: 1 }, {}, join(backupDir, 'nowhere'))
    assert.equal(codeOf(end), 'backup_failed')
    assert.equal(
      end.message,
      'No backup was made: There is nothing to back up: BACKUP_DIR/nowhere holds no database. Check DATA_DIR.'
    )
    assert.deepEqual(there(), ['20260201T000000Z'])
  })

  it('that hold damage are failures, now and when they are asked for again', async () => {
    fake('20260201T000000Z')
    fake(NAME, { damaged: ['in objects one is damaged'] })
    const end = await run({ keep: 1 })
    assert.deepEqual([codeOf(end), 'isFinal' in end && end.isFinal], ['backup_damaged', true])
    assert.deepEqual(there(), ['20260201T000000Z', NAME])
  })

  it('leave a folder alone that is no backup', async () => {
    fake(NAME, null)
    assert.equal(codeOf(await run()), 'backup_folder_taken')
    assert.deepEqual(there(), [NAME])
  })

  it('end with their run and leave nothing half', async () => {
    const ending = new AbortController()
    mkdirSync(backupDir)
    const watcher = watch(backupDir, () => ending.abort())
    await run({}, { signal: ending.signal }).catch((error: Error) => assert.equal(error.name, 'AbortError'))
    watcher.close()
    assert.equal(ending.signal.aborted, true)
    await assert.rejects(run({}, { signal: AbortSignal.abort(), dueAt: '2026-03-03T00:00:00Z' }), {
      name: 'AbortError'
    })
    assert.equal(
      there().some((name) => name.includes('partial')),
      false
    )
    assert.equal(existsSync(join(backupDir, '20260303T000000Z')), false)
  })

  it('need a folder', async () => {
    const target = backupTarget({ config: { dataDir: test.platform.config.dataDir, backupDir: undefined } })
    await assert.rejects(async () => target.check?.({ config: {} }), { code: 'unprocessable', message: /BACKUP_DIR/ })
    assert.equal(codeOf((await target.run(targetRun({}))) as TargetEnd), 'backup_dir_missing')
    await backupTarget({ config: { dataDir: '', backupDir } }).check?.({ config: {} })
  })

  it('are never fewer than are to be kept, whatever there is', async () => {
    const some = fc.uniqueArray(fc.integer({ min: 10, max: 28 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(some, some, fc.integer({ min: 1, max: 9 }), async (days, bad, keep) => {
        rmSync(backupDir, { recursive: true, force: true })
        const nameOf = (day: number) => `202601${day}T000000Z`
        for (const day of days) fake(nameOf(day), bad.includes(day) ? { damaged: ['one'] } : {})
        const isSound = (name: string) => days.some((day) => nameOf(day) === name && !bad.includes(day))
        const before = there()
        const justMade = nameOf(days[0] as number)
        const removed = await removeOlder(backupDir, keep, justMade)
        const left = there()
        assert.equal(left.length, before.length - removed)
        assert.ok(left.includes(justMade))
        const sound = before.filter(isSound)
        assert.deepEqual(left.filter(isSound).slice(-keep), sound.slice(-keep))
        const kept = left.filter(isSound).filter((name) => name !== justMade)
        assert.ok(kept.length <= keep)
      }),
      { numRuns: 50 }
    )
  })
})
