import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failureOf, insertThing, readThings, thingsMigration } from '../../../test/support/metadata-contract.ts'
import { isUnavailable, type Metadata } from './index.ts'
import { openSqlite } from './sqlite.ts'
import { SqliteLog } from './sqlite-log.ts'

/** More than a commit takes where its flush takes no time. */
const TURNS = 10

describe('a commit to the embedded database', () => {
  let folder: string
  let file: string
  let log: SqliteLog
  let flush: () => Promise<void>
  let metadata: Metadata
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-flush-'))
    file = join(folder, 'metadata.db')
    log = new SqliteLog(file)
    flush = () => log.flush()
    metadata = openSqlite(file, undefined, { flush: () => flush(), close: () => log.close() })
    await metadata.migrate([thingsMigration])
  })
  afterEach(async () => {
    await metadata.close()
    rmSync(folder, { recursive: true })
  })

  const insert = (key: string) => metadata.transaction((tx) => insertThing(tx, key))
  const keys = async () => (await readThings(metadata.db)).map(([key]) => key)
  const someTurns = async () => {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn()
  }

  it('is told when it is on the disk: what a power cut leaves has all of it', async () => {
    const cut = join(folder, 'after-the-cut.db')
    flush = async () => {
      // What is written while the disk is flushed may be lost.
      for (const part of ['', '-wal']) if (existsSync(file + part)) copyFileSync(file + part, cut + part)
      await log.flush()
    }
    const keysAfterCut = () => {
      rmSync(`${cut}-shm`, { force: true })
      const database = new DatabaseSync(cut)
      const rows = database.prepare('select k from things').all()
      database.close()
      return new Set(rows.map(({ k }) => k))
    }
    // Enough for the log to be copied into the database more than once, and to begin anew.
    for (let batch = 0; batch < 16; batch++) {
      const some = Array.from({ length: 1 + 10 * (batch % 11) }, (_, at) => `${batch} ${at} ${'x'.repeat(20_000)}`)
      await Promise.all(some.map(insert))
      if (batch % 3 === 0) assert.ok(keysAfterCut().isSupersetOf(new Set(some)), `batch ${batch}`)
    }
  })

  it('holds up nobody while the disk is flushed, and what comes then shares the next flush', async () => {
    const flushes: (() => void)[] = []
    flush = () => new Promise((resolve) => flushes.push(resolve))
    const told: string[] = []
    const tell = (key: string) => insert(key).then(() => told.push(key))
    const first = [tell('a'), tell('b')]
    await someTurns()
    const second = [tell('c'), tell('d')]
    await someTurns()
    // Others see what was committed; whoever wrote it is not told yet.
    assert.deepEqual([await keys(), told, flushes.length], [['a', 'b'], [], 1])
    flushes[0]?.()
    await Promise.all(first)
    await someTurns()
    assert.deepEqual([await keys(), told, flushes.length], [['a', 'b', 'c', 'd'], ['a', 'b'], 2])
    flushes[1]?.()
    await Promise.all(second)
    await metadata.transaction(async (tx) => void (await readThings(tx)))
    assert.equal(flushes.length, 2, 'nothing was written')
  })

  it('that could not be flushed is refused, with all that follow, until the next start', async () => {
    await insert('before')
    flush = () => Promise.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
    const failures = await Promise.all([insert('a'), insert('b')].map(failureOf))
    flush = () => log.flush()
    failures.push(await failureOf(insert('c')))
    assert.deepEqual(failures.map(isUnavailable), [true, true, true])
    const words = /disk of the database failed, and nothing is written any more: look at the system.s log, then start/
    await assert.rejects(metadata.ping(), words)
    await assert.rejects(metadata.ping(), words)

    await metadata.close()
    metadata = openSqlite(file)
    await metadata.ping()
    await insert('after')
    assert.deepEqual(await keys(), ['a', 'after', 'b', 'before'])
  })
})
