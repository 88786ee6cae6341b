import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import {
  insertThing,
  metadataContract,
  readThings,
  things,
  thingsMigration
} from '../../../test/support/metadata-contract.ts'
import { missingMount, mountSmallDisk } from '../../../test/support/pipelines/small-disk.ts'
import { isCopyable, isUnavailable, type Metadata } from './index.ts'
import { openSqlite } from './sqlite.ts'
import { SqliteCondition } from './sqlite-condition.ts'

const LARGE = 'x'.repeat(50_000)
const NO_LIMIT_PAGES = 2 ** 32 - 2

metadataContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'))
  return {
    open: async () => openSqlite(join(folder, 'deep', 'metadata.db')),
    drop: async () => rmSync(folder, { recursive: true, force: true })
  }
})

async function openEmpty(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'))
  const metadata = openSqlite(join(folder, 'metadata.db'))
  t.after(async () => {
    await metadata.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await metadata.migrate([thingsMigration])
  return { metadata, folder }
}

/** Keeps the file from growing, as a full disk would. */
async function limitPages(metadata: Metadata, pages?: number): Promise<void> {
  await metadata.transaction(async (tx) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx)
    await sql`pragma max_page_count = ${sql.lit(pages ?? rows[0]?.page_count)}`.execute(tx)
  })
}

const statuses = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status)

test('a full disk fails the shared commit as unavailable, spares who waits, and is over when there is room', async (t) => {
  const { metadata } = await openEmpty(t)
  await limitPages(metadata)
  const keys = ['a', 'b', LARGE, 'c']
  const outcomes = await Promise.allSettled(keys.map((k) => metadata.transaction((tx) => insertThing(tx, k))))
  assert.deepEqual(statuses(outcomes), ['rejected', 'rejected', 'rejected', 'fulfilled'])
  for (const outcome of outcomes) assert.ok(outcome.status === 'fulfilled' || isUnavailable(outcome.reason))
  assert.deepEqual(await readThings(metadata.db), [['c', 0]])

  await limitPages(metadata, NO_LIMIT_PAGES)
  await metadata.transaction((tx) => insertThing(tx, LARGE))
  assert.deepEqual(await readThings(metadata.db), [
    ['c', 0],
    [LARGE, 0]
  ])
})

const full = { name: 'Error', message: 'The disk of the database is full: make room' }

test('a disk that was full is told until there is room, which is found out though nobody writes', async (t) => {
  const { metadata } = await openEmpty(t)
  await metadata.ping()
  await limitPages(metadata)
  await assert.rejects(metadata.transaction((tx) => insertThing(tx, LARGE)))
  await assert.rejects(metadata.ping(), full)
  await metadata.transaction((tx) => insertThing(tx, 'small'))
  await assert.rejects(metadata.ping(), full)
  await limitPages(metadata, NO_LIMIT_PAGES)
  await metadata.ping()
  const { rows } = await sql`select name from sqlite_schema where name = 'trial'`.execute(metadata.db)
  assert.deepEqual(rows, [])
})

test('so is a real one', { skip: missingMount() ?? false }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'))
  const disk = mountSmallDisk(folder, 8)
  const metadata = openSqlite(join(folder, 'metadata.db'))
  t.after(async () => {
    await metadata.close()
    disk.unmount()
    rmdirSync(folder)
  })
  await metadata.migrate([thingsMigration])
  const others = join(folder, 'others')
  assert.throws(() => writeFileSync(others, Buffer.alloc(8 * 1024 * 1024)), { code: 'ENOSPC' })
  await assert.rejects(metadata.transaction((tx) => insertThing(tx, LARGE.repeat(100))))
  await assert.rejects(metadata.ping(), full)
  // Leaves room for what the health check writes into the database, and for hardly anything else.
  truncateSync(others, statSync(others).size - 512 * 1024)
  await assert.rejects(metadata.ping(), full)
  rmSync(others)
  await metadata.ping()
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('trial')),
    []
  )
})

test('a disk that fails is told for a while, though the next write goes well', () => {
  let elapsedMs = 0
  const condition = new SqliteCondition(() => elapsedMs)
  const told = () => condition.trouble?.message
  condition.failed({ code: 'ERR_SQLITE_ERROR', errcode: 10 })
  elapsedMs = 29_999
  condition.wrote()
  assert.match(told() ?? '', /fails: look at the system/)
  elapsedMs = 30_000
  condition.wrote()
  assert.equal(told(), undefined)
  // No room for the shared-memory file, which SQLite reports as an I/O error.
  condition.failed({ code: 'ERR_SQLITE_ERROR', errcode: 4874 })
  assert.equal(told(), full.message)
  condition.wrote()
  assert.equal(told(), undefined)
})

test('a damaged file is told for good, whichever statement has met it', async (t) => {
  const { metadata, folder } = await openEmpty(t)
  for (let i = 0; i < 50; i++) await metadata.transaction((tx) => insertThing(tx, `${i} ${'x'.repeat(500)}`))
  const file = join(folder, 'metadata.db')
  await metadata.transaction(async () => {})
  new DatabaseSync(file).exec('pragma wal_checkpoint(truncate)')
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]))
  const other = openSqlite(file)
  t.after(() => other.close())
  await assert.rejects(readThings(other.db))
  await assert.rejects(other.ping(), /damaged: stop the server and restore it from a backup/)
})

test('work that goes on after the disk was full writes nothing more', async (t) => {
  const { metadata } = await openEmpty(t)
  await limitPages(metadata)
  const stubborn = metadata.transaction(async (tx) => {
    await insertThing(tx, LARGE).catch(() => {})
    await insertThing(tx, 'after all')
  })
  await assert.rejects(stubborn)
  assert.deepEqual(await readThings(metadata.db), [])
})

test('a lock that another process holds is told as unavailable, to all who wait', async (t) => {
  const { metadata, folder } = await openEmpty(t)
  await metadata.transaction((tx) => sql`pragma busy_timeout = 0`.execute(tx))
  const other = new DatabaseSync(join(folder, 'metadata.db'))
  t.after(() => other.close())
  other.exec('begin immediate')
  const outcomes = await Promise.allSettled(['a', 'b'].map((k) => metadata.transaction((tx) => insertThing(tx, k))))
  for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
  other.exec('rollback')
  await metadata.transaction((tx) => insertThing(tx, 'c'))
  assert.deepEqual(await readThings(metadata.db), [['c', 0]])
})

test('a copy ends while others write, and holds everything that was committed before it began', async (t) => {
  const { metadata, folder } = await openEmpty(t)
  assert.ok(isCopyable(metadata))
  await metadata.transaction(async (tx) => {
    for (let n = 0; n < 300; n++) await insertThing(tx, `${n} ${'x'.repeat(4000)}`, n)
  })
  const written: number[] = []
  const copy = join(folder, 'copy.db')
  let copied = false
  const copying = metadata.copyTo(copy).finally(() => {
    copied = true
  })
  for (let n = 1000; !copied && n < 20_000; n++) {
    await metadata.transaction((tx) => insertThing(tx, `${n}`, n))
    written.push(n)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(copied, `not copied while ${written.length} transactions were committed`)
  await copying
  const opened = new DatabaseSync(copy)
  t.after(() => opened.close())
  assert.deepEqual({ ...opened.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  assert.deepEqual({ ...opened.prepare('select count(*) as c from things where n < 300').get() }, { c: 300 })
})

test('reading is all that `db` allows, and a transaction begins in one way only', async (t) => {
  const { metadata } = await openEmpty(t)
  await assert.rejects(insertThing(metadata.db, 'a'), /readonly/)
  await assert.rejects(
    metadata.db.transaction().execute(async () => {}),
    /metadata\.transaction\(\)/
  )
  await assert.rejects(
    metadata.transaction((tx) =>
      things(tx)
        .transaction()
        .execute(async () => {})
    ),
    /metadata\.transaction\(\)/
  )
})

test('more different statements than are remembered all work', async (t) => {
  const { metadata } = await openEmpty(t)
  for (let n = 0; n < 1100; n++) {
    const { rows } = await sql<{ answer: number }>`select ${sql.lit(n % 600)} as answer`.execute(metadata.db)
    assert.equal(rows[0]?.answer, n % 600)
  }
})
