import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { isDiskFull } from '../full-disk.ts'
import { SqliteCondition } from './sqlite-condition.ts'
import { SqliteLog } from './sqlite-log.ts'
import { SqliteWriter } from './sqlite-writer.ts'

/** A database that can only grow while its reserve is released. */
describe('a transaction on a full disk', () => {
  let folder: string
  let database: DatabaseSync
  let writer: SqliteWriter
  let uses: string[]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-full-'))
    database = new DatabaseSync(join(folder, 'some.db'))
    database.exec('pragma journal_mode = wal; create table texts (text)')
    const limit = (pages: number) => database.exec(`pragma max_page_count = ${pages}`)
    limit(3)
    uses = []
    writer = new SqliteWriter(database, new SqliteLog(join(folder, 'some.db')), new SqliteCondition(() => 0), {
      release() {
        uses.push('release')
        limit(1000)
      },
      fill() {
        uses.push('fill')
        limit(1)
      }
    })
  })
  afterEach(async () => {
    await writer.close()
    rmSync(folder, { recursive: true })
  })

  const write = (text: string, makesRoom: boolean) =>
    writer.transaction((tx) => sql`insert into texts values (${text.repeat(9000)})`.execute(tx), { makesRoom })
  const texts = () =>
    database
      .prepare('select substr(text, 1, 1) as first from texts order by 1')
      .all()
      .map(({ first }) => first)

  it('fails, unless it makes room: that has the reserve for as long as it takes', async () => {
    await assert.rejects(write('a', false), isDiskFull)
    assert.deepEqual(uses, [])
    await write('b', true)
    await writer.transaction(async () => {}) // comes after it
    assert.deepEqual([uses, texts()], [['release', 'fill'], ['b']])
    await assert.rejects(write('c', false), isDiskFull)
    await write('d', true)
    await writer.transaction(async () => {})
    assert.deepEqual([uses.length, texts()], [4, ['b', 'd']])
  })

  it('shares its commit with others, and what makes room is done although they fail', async () => {
    const all = [write('a', true), write('b', false), write('c', true), write('d', false)]
    const ends = await Promise.allSettled(all)
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected']
    )
    assert.deepEqual(texts(), ['a', 'c'])
  })

  it('fails once and for all where the reserve is not enough, or the reason is another', async () => {
    await assert.rejects(
      writer.transaction((tx) => sql`insert into texts values (${'x'.repeat(9_000_000)})`.execute(tx), {
        makesRoom: true
      }),
      isDiskFull
    )
    await writer.transaction(async () => {})
    assert.deepEqual(uses, ['release', 'fill'])
    await assert.rejects(
      writer.transaction((tx) => sql`insert into no_table values (1)`.execute(tx), { makesRoom: true }),
      /no such table/
    )
    assert.deepEqual(uses, ['release', 'fill'])
  })
})
