import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../areas.ts'
import { writeWithKept } from './kept-files.ts'

const KEPT = 'pipelines/kept'

describe('files that pipelines keep and drop during a backup', () => {
  let folder: string
  let source: ReturnType<typeof makeSource>
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-race-'))
    source = makeSource(folder)
  })
  after(() => {
    source.database.close()
    rmSync(folder, { recursive: true })
  })

  it('copies the database again where a file was made and dropped meanwhile', async () => {
    source.name('file_1', 'file_2')
    const target = mkdtempSync(join(folder, 'race-'))
    let copies = 0
    const names = await writeWithKept(source.config, target, async () => {
      copies += 1
      if (copies === 1) source.name('file_2', 'file_3') // file_3 is named by the copy,
      await source.copyTo(target)
      if (copies === 1) source.name('file_2', 'file_4') // and is gone when it is to be copied
      return true
    })
    assert.equal(copies, 2)
    assert.deepEqual(names, ['metadata.db', `${KEPT}/file_2`, `${KEPT}/file_4`])
    assert.deepEqual(keptIn(target), ['file_2', 'file_4'])
    assert.equal(readFileSync(join(target, KEPT, 'file_4'), 'utf8'), 'file_4')
  })

  it('has what was dropped while the database was copied, and what was made right before', async () => {
    source.name('file_5')
    const target = mkdtempSync(join(folder, 'slow-'))
    let copies = 0
    await writeWithKept(source.config, target, async () => {
      copies += 1
      source.name('file_5', 'file_6')
      await source.copyTo(target)
      source.name('file_6', 'file_7')
      return true
    })
    assert.deepEqual([copies, keptIn(target)], [1, ['file_5', 'file_6']])
  })

  it('gives up some time, by the name of the file and the pipeline', async () => {
    const target = mkdtempSync(join(folder, 'busy-'))
    let copies = 0
    const copying = writeWithKept(source.config, target, async () => {
      copies += 1
      source.name(`file_a${copies}`)
      await source.copyTo(target)
      source.name(`file_b${copies}`)
      return true
    })
    await assert.rejects(copying, /pipelines\/kept\/file_a5 is missing, which the pipeline pl_1 needs.*5 copies/)
    assert.equal(copies, 5)
  })

  it('takes along no files for a database from before there were pipelines', async () => {
    source.database.exec('drop table pipeline_checkpoints')
    const target = mkdtempSync(join(folder, 'old-'))
    const names = await writeWithKept(source.config, target, async () => {
      await source.copyTo(target)
      return true
    })
    assert.deepEqual([names, readdirSync(target)], [['metadata.db'], ['metadata.db']])
  })
})

const keptIn = (at: string) => readdirSync(join(at, KEPT)).sort()

/** A DATA_DIR with a pipeline whose checkpoint a test moves on. */
function makeSource(folder: string) {
  const dataDir = mkdtempSync(join(folder, 'source-'))
  mkdirSync(join(dataDir, KEPT), { recursive: true })
  const database = new DatabaseSync(join(dataDir, 'metadata.db'))
  database.exec('create table pipeline_checkpoints (pipeline_id text primary key, checkpoint text)')
  return {
    config: readConfig({ DATA_DIR: dataDir }),
    database,
    copyTo: (target: string) => backup(database, join(target, 'metadata.db')),
    /** Does as a server does: writes the files, then the checkpoint that names them, then removes the others. */
    name(...names: string[]) {
      for (const name of names) writeFileSync(join(dataDir, KEPT, name), name)
      const tables = { sum: { rows: { files: names.map((name) => ({ name, rows: 1 })), expired: null } } }
      const checkpoint = JSON.stringify({ epoch: 1, positions: {}, memos: {}, tables, publications: [] })
      database.prepare('insert or replace into pipeline_checkpoints values (?, ?)').run('pl_1', checkpoint)
      for (const name of keptIn(dataDir)) if (!names.includes(name)) rmSync(join(dataDir, KEPT, name))
    }
  }
}
