// Once: only SQLite answers in this process.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import type { Db, Metadata } from './index.ts'
import { openSqlite } from './sqlite.ts'

const WORK_MS = 300
const FEWEST_TURNS = 5

let folder: string
let metadata: Metadata
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-turn-'))
  metadata = openSqlite(join(folder, 'metadata.db'))
})
after(async () => {
  await metadata.close()
  rmSync(folder, { recursive: true })
})

/** How often others have their turn while somebody asks one question after the other. */
async function turnsDuring(db: Db): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const endMs = performance.now() + WORK_MS
  while (performance.now() < endMs) {
    await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) select max(i) from n`.execute(
      db
    )
  }
  isOver = true
  return turns
}

it('others have their turn while many questions are asked in a row', async () => {
  const turns = await turnsDuring(metadata.db)
  assert.ok(turns >= FEWEST_TURNS, `${turns} turns`)
})

it('what waits for its turn does nothing once its transaction has failed', async () => {
  await metadata.transaction((tx) => sql`create table written (n integer)`.execute(tx))
  const failed = metadata.transaction(async (tx) => {
    await sql`select 1`.execute(tx)
    const endMs = performance.now() + 20
    while (performance.now() < endMs);
    sql`insert into written values (1)`.execute(tx).catch(() => {})
    throw new Error('given up')
  })
  const next = metadata.transaction((tx) => turnsDuring(tx))
  await assert.rejects(failed, /given up/)
  await next
  const { rows } = await sql`select n from written`.execute(metadata.db)
  assert.deepEqual(rows, [])
})

it('others have their turn during a long transaction', async () => {
  const turns = await metadata.transaction((tx) => turnsDuring(tx))
  assert.ok(turns >= FEWEST_TURNS, `${turns} turns`)
})
