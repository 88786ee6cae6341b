// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { postgresUrl } from '../../../test/support/database.ts'
import { claim, dueJobs } from './claim.ts'
import type { RunningJob } from './index.ts'
import { TestReplicas } from './testing/test-replicas.ts'

const FINISHED = 20_000
/** The embedded database has one writer, and no row locks to test. */
const onServer: typeof it = postgresUrl === undefined ? ((() => {}) as never) : it

describe('claiming', () => {
  let replicas: TestReplicas
  before(async () => {
    replicas = await TestReplicas.open()
  })
  after(() => replicas.close())

  it('reads a range of one index, however many jobs are finished', async () => {
    const { metadata, clock } = replicas
    await metadata.transaction(async (tx) => {
      const columns = sql`id, kind, state, payload, run_at, max_attempts, timeout_ms, created_at, finished_at`
      await sql`
        insert into jobs (${columns})
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(FINISHED)})
        select 'old_' || n, 'work', 'succeeded', 'null', '2025', 1, 1, '2025', '2025' from numbers`.execute(tx)
      await sql`analyze jobs`.execute(tx)
    })
    const slots = [
      { kind: 'work', free: 4 },
      { kind: 'other', free: 2 }
    ]
    const query = dueJobs(metadata.db, metadata.dialect, slots, clock.iso()).compile()
    const explain = metadata.dialect === 'sqlite' ? 'explain query plan ' : 'explain (costs off) '
    const { rows } = await metadata.db.executeQuery(CompiledQuery.raw(explain + query.sql, [...query.parameters]))
    const plan = JSON.stringify(rows)
    assert.match(plan, /jobs_queued/)
    assert.doesNotMatch(plan, /SCAN jobs|Seq Scan|TEMP B-TREE|Sort/)
  })

  it('takes as many as there are free slots, the earliest first, each of them once', async () => {
    const { metadata, clock } = replicas
    const ids: string[] = []
    for (let n = 0; n < 40; n++) ids.push(await replicas.enqueue({ kind: 'counted' }))
    const taken: string[] = []
    for (const free of [1, 2, 3, 5, 7, 9, 16]) {
      const slots = [
        { kind: 'counted', free },
        { kind: 'other', free: 1 }
      ]
      const claimed = await claim(metadata, slots, 'somebody', clock.now())
      assert.equal(claimed.length, Math.min(free, ids.length - taken.length))
      assert.ok(claimed.every(({ attempts, fence }) => attempts === 1 && fence === 1))
      taken.push(...claimed.map(({ id }) => id))
    }
    assert.deepEqual(taken, ids)
  })

  onServer('leaves a keyed job alone until the change that relies on it is committed', async () => {
    const { jobs } = replicas.replica()
    let ran = false
    jobs.handle('keyed', async () => {
      ran = true
    })
    const first = await replicas.enqueue({ kind: 'keyed', key: 'a' })
    await replicas.metadata.transaction(async (tx) => {
      assert.equal(await jobs.enqueue(tx, { kind: 'keyed', payload: null, key: 'a' }), first)
      await jobs.start()
      await replicas.advance(3000)
      assert.equal(ran, false)
    })
    await replicas.advance(1000)
    assert.equal(ran, true)
  })

  onServer('renews the other leases, and loses none, while a commit takes its time', async () => {
    const { jobs } = replicas.replica()
    const rival = replicas.replica()
    const runs: RunningJob<null>[] = []
    const forever = (job: RunningJob<null>) => {
      runs.push(job)
      return new Promise<never>(() => {})
    }
    jobs.handle('slow', forever)
    rival.jobs.handle('slow', forever)
    await jobs.start()
    for (let i = 0; i < 2; i++) await replicas.enqueue({ kind: 'slow' })
    await rival.jobs.start()

    const held = Promise.withResolvers<void>()
    const inside = Promise.withResolvers<void>()
    const commit = runs[0]?.commit(async () => {
      inside.resolve()
      await held.promise
    })
    await inside.promise
    for (let seconds = 0; seconds < 12; seconds++) {
      replicas.clock.advance(1000)
      await replicas.quietBut(1)
    }
    held.resolve()
    await commit
    await replicas.advance(3000)
    assert.equal(runs.length, 2)
    assert.ok(runs.every(({ signal }) => !signal.aborted))
  })
})
