// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Updateable } from 'kysely'
import { eventually } from '../../../test/support/eventually.ts'
import { LeaseLost, type RunningJob } from './index.ts'
import type { JobsTable } from './table.ts'
import { type Replica, type TestReplicas, useReplicas } from './testing/test-replicas.ts'

const JOBS = 500

describe('jobs among replicas', () => {
  let replicas: TestReplicas
  useReplicas((opened) => {
    replicas = opened
  })

  interface Held extends Replica {
    readonly runs: RunningJob<null>[]
    readonly release: () => void
  }

  async function started(): Promise<Held> {
    const replica = replicas.replica()
    const runs: RunningJob<null>[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    replica.jobs.handle<null>('work', (job) => {
      runs.push(job)
      return promise
    })
    await replica.jobs.start()
    await replicas.quiet()
    return Object.assign(replica, { runs, release: resolve })
  }

  async function fenceOf(id: string): Promise<number> {
    const { db } = replicas.metadata
    return (await db.selectFrom('jobs').select('fence').where('id', '=', id).executeTakeFirstOrThrow()).fence
  }

  /** Changes a row as another replica would, without this one noticing. */
  async function change(id: string, values: Updateable<JobsTable>): Promise<void> {
    await replicas.metadata.transaction((tx) => tx.updateTable('jobs').set(values).where('id', '=', id).execute())
  }

  it('runs each of 500 jobs exactly once among three that race for them', async () => {
    const ran = new Map<string, number>()
    for (let i = 0; i < 3; i++) {
      const { jobs } = replicas.replica()
      jobs.handle('work', async ({ id }) => ran.set(id, (ran.get(id) ?? 0) + 1), { concurrency: 7 })
      await jobs.start()
    }
    const { jobs } = replicas.replica()
    const ids = await replicas.metadata.transaction(async (tx) => {
      const added: string[] = []
      for (let i = 0; i < JOBS; i++) added.push(await jobs.enqueue(tx, { kind: 'work', payload: i }))
      return added
    })
    jobs.wake()
    await eventually(() => ran.size === JOBS)
    await replicas.quiet()
    assert.deepEqual(new Set(ran.keys()), new Set(ids))
    assert.ok([...ran.values()].every((times) => times === 1))
    const succeeded = replicas.metadata.db.selectFrom('jobs').select('id').where('state', '=', 'succeeded')
    assert.equal((await succeeded.where('attempts', '=', 1).execute()).filter(({ id }) => ran.has(id)).length, JOBS)
  })

  it('hands the jobs of a dead replica to another in less than 10 s, and refuses what the dead one still does', async () => {
    const first = await started()
    const id = await replicas.enqueue()
    assert.equal(first.runs.length, 1)
    first.cutOff = true
    const second = await started()
    await replicas.advance(7500)
    assert.equal(second.runs.length, 0)
    await replicas.advance(2000)
    assert.equal(second.runs[0]?.id, id)
    assert.equal(second.runs[0]?.attempt, 2)
    assert.equal(await fenceOf(id), 2)
    assert.equal((await replicas.get(id)).error?.code, 'lease_expired')
    assert.equal(first.runs[0]?.signal.aborted, true)

    first.cutOff = false
    await assert.rejects(first.runs[0]?.commit(async () => 'changed') as Promise<string>, LeaseLost)
    first.release()
    await replicas.advance(2000)
    assert.equal((await replicas.get(id)).state, 'running')
    assert.equal(await second.runs[0]?.commit(async () => 'changed'), 'changed')
    second.release()
    await replicas.quiet()
    assert.equal((await replicas.get(id)).state, 'succeeded')
  })

  it('refuses the commit of a run that does not know yet that it was taken over', async () => {
    const first = await started()
    const id = await replicas.enqueue()
    await change(id, { fence: 2, lease_owner: 'another' })
    let changed = 0
    const commit = first.runs[0]?.commit(async () => {
      changed++
    })
    await assert.rejects(commit as Promise<void>, LeaseLost)
    assert.equal(changed, 0)
    assert.equal(first.runs[0]?.signal.aborted, true)
  })

  it('ignores how a run ends that was taken over', async () => {
    const first = await started()
    const id = await replicas.enqueue()
    await change(id, { fence: 2, lease_owner: 'another' })
    first.release()
    await replicas.quiet()
    assert.equal((await replicas.get(id)).state, 'running')
  })

  it('tells a run by its next renewal that it was taken over', async () => {
    const first = await started()
    const taken = await replicas.enqueue()
    await change(taken, { fence: 2, lease_owner: 'another' })
    // A claim of this process whose answer was lost: the lease has its name, but belongs to no run.
    const claimed = await replicas.enqueue()
    await change(claimed, { fence: 2 })
    await replicas.advance(2000)
    assert.deepEqual(
      first.runs.map(({ signal }) => signal.aborted),
      [true, true]
    )
  })

  it('ends the old run when a job that was taken over comes back to the same process', async () => {
    const first = await started()
    const id = await replicas.enqueue()
    await change(id, { state: 'queued', fence: 2, lease_owner: null, lease_until: null })
    first.jobs.wake()
    await replicas.quiet()
    assert.deepEqual(
      first.runs.map(({ signal }) => signal.aborted),
      [true, false]
    )
    await replicas.advance(12_000)
    assert.equal(first.runs.length, 2)
    assert.equal(await fenceOf(id), 3)
  })

  it('keeps its own runs when it is late to renew and nobody else was faster', async () => {
    const first = await started()
    const id = await replicas.enqueue()
    await change(id, { lease_until: replicas.iso(-1000) })
    await replicas.advance(3000)
    assert.equal(first.runs.length, 1)
    assert.equal(first.runs[0]?.signal.aborted, false)
  })

  it('keeps a lease for as long as the worker runs', async () => {
    const first = await started()
    const second = await started()
    await replicas.enqueue()
    await replicas.advance(30_000)
    assert.equal(first.runs.length + second.runs.length, 1)
  })

  it('fails a job that takes its replica down each time', async () => {
    const first = await started()
    const id = await replicas.enqueue({ maxAttempts: 1 })
    first.cutOff = true
    await started()
    await replicas.advance(9500)
    const job = await replicas.get(id)
    assert.deepEqual([job.state, job.error?.code], ['failed', 'lease_expired'])
  })

  it('reports that the database is away, and goes on when it is back', async () => {
    const replica = await started()
    replica.cutOff = true
    const id = await replicas.enqueue()
    await replicas.advance(3000)
    assert.ok(replica.errors.length >= 2)
    assert.equal(replica.runs.length, 0)
    replica.cutOff = false
    await replicas.advance(1000)
    assert.equal(replica.runs[0]?.id, id)
  })

  it('remembers an outcome while the database is away for a moment', async () => {
    const replica = await started()
    const id = await replicas.enqueue()
    replica.cutOff = true
    replica.release()
    await replicas.advance(1000)
    assert.equal((await replicas.get(id)).state, 'running')
    replica.cutOff = false
    await replicas.advance(2000)
    const job = await replicas.get(id)
    assert.deepEqual([job.state, job.attempts], ['succeeded', 1])
  })
})
