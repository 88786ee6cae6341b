import assert from 'node:assert/strict'
import type { Kysely, Selectable } from 'kysely'
import type { Db, Metadata } from '../../metadata/index.ts'
import type { JobsTable } from '../table.ts'

interface Effects {
  effects: { job_id: string }
}

type Row = Selectable<JobsTable>

/** Watches the rows of a test from outside, and checks what must never happen. */
export class History {
  readonly #metadata: Metadata
  readonly #last = new Map<string, Row>()

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /** A table without a unique index, so that only the lease prevents a second effect. */
  static async createTable(metadata: Metadata): Promise<void> {
    await metadata.transaction((tx) => tx.schema.createTable('effects').addColumn('job_id', 'text').execute())
  }

  async commit(tx: Db, id: string): Promise<void> {
    await effects(tx).insertInto('effects').values({ job_id: id }).execute()
  }

  async allFinished(ids: readonly string[]): Promise<boolean> {
    const rows = await this.#rows(ids)
    return rows.every(({ finished_at }) => finished_at !== null)
  }

  async check(ids: readonly string[]): Promise<void> {
    const rows = await this.#rows(ids)
    assert.equal(rows.length, ids.length, 'a job was lost')
    for (const row of rows) {
      const committed = await effects(this.#metadata.db)
        .selectFrom('effects')
        .select('job_id')
        .where('job_id', '=', row.id)
        .execute()
      assert.ok(committed.length <= 1, 'a job took effect twice')
      if (row.state === 'succeeded') assert.equal(committed.length, 1, 'a job succeeded without effect')
      if (row.state === 'failed') assert.equal(committed.length, 0, 'a job failed after its effect')
      checkRow(row)
      checkMove(this.#last.get(row.id), row)
      this.#last.set(row.id, row)
    }
  }

  async #rows(ids: readonly string[]): Promise<Row[]> {
    if (ids.length === 0) return []
    return this.#metadata.db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
  }
}

function checkRow(row: Row): void {
  const finished = row.state !== 'queued' && row.state !== 'running'
  assert.equal(row.finished_at !== null, finished)
  assert.equal(row.lease_owner !== null && row.lease_until !== null, row.state === 'running')
  assert.ok(row.attempts <= row.max_attempts)
  assert.ok(row.attempts <= row.fence)
}

function checkMove(before: Row | undefined, now: Row): void {
  if (before === undefined) return
  assert.ok(now.fence >= before.fence, 'a fence went back')
  if (before.finished_at !== null) assert.deepEqual(now, before, 'a finished job changed')
  const sameRun = before.state === 'running' && now.state === 'running' && before.fence === now.fence
  if (sameRun) assert.equal(now.lease_owner, before.lease_owner, 'a run changed hands under one fence')
}

function effects(db: Db): Kysely<Effects> {
  return db as unknown as Kysely<Effects>
}
