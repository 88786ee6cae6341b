// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LeaseLost, type RunningJob } from './index.ts'
import { type Replica, type TestReplicas, useReplicas } from './testing/test-replicas.ts'

describe('stopping a job', () => {
  let replicas: TestReplicas
  useReplicas((opened) => {
    replicas = opened
  })

  /** A replica whose worker stops when asked to, or never, and the runs it has seen. */
  async function started(obedient: boolean): Promise<Replica & { runs: RunningJob<null>[] }> {
    const replica = replicas.replica()
    const runs: RunningJob<null>[] = []
    replica.jobs.handle<null>('work', (job) => {
      runs.push(job)
      return new Promise((_, reject) => {
        if (obedient) job.signal.addEventListener('abort', () => reject(job.signal.reason))
      })
    })
    await replica.jobs.start()
    return Object.assign(replica, { runs })
  }

  it('fails an attempt that takes too long', async () => {
    const { runs } = await started(true)
    const id = await replicas.enqueue({ timeoutMs: 12_000, maxAttempts: 1 })
    await replicas.advance(11_500)
    assert.equal((await replicas.get(id)).state, 'running')
    await replicas.advance(500)
    const job = await replicas.get(id)
    assert.equal(job.state, 'failed')
    assert.equal(job.error?.code, 'timeout')
    assert.equal(runs[0]?.signal.aborted, true)
  })

  it('tries again after a timeout', async () => {
    const { runs } = await started(true)
    await replicas.enqueue({ timeoutMs: 1000, maxAttempts: 2 })
    await replicas.advance(3500)
    assert.deepEqual(
      runs.map(({ attempt }) => attempt),
      [1, 2]
    )
  })

  it('abandons a worker that ignores its signal, and refuses its commits', async () => {
    const { runs, jobs } = await started(false)
    const id = await replicas.enqueue({ timeoutMs: 1000, maxAttempts: 1 })
    await replicas.advance(5500)
    assert.equal((await replicas.get(id)).state, 'running')
    await replicas.advance(500)
    assert.equal((await replicas.get(id)).error?.code, 'timeout')
    assert.equal((await jobs.stats()).running, 0)
    let worked = false
    const commit = runs[0]?.commit(async () => {
      worked = true
    })
    await assert.rejects(commit as Promise<void>, LeaseLost)
    assert.equal(worked, false)
  })

  it('fails at its deadline, be it waiting, running or between attempts', async () => {
    await started(true)
    const running = await replicas.enqueue({ deadlineAt: replicas.iso(3000) })
    const nobodys = await replicas.enqueue({ kind: 'unknown here', deadlineAt: replicas.iso(3000) })
    const between = await replicas.enqueue({ timeoutMs: 2500, deadlineAt: replicas.iso(3200) })
    await replicas.advance(2500)
    assert.equal((await replicas.get(running)).state, 'running')
    assert.equal((await replicas.get(nobodys)).state, 'queued')
    const tooLateToRetry = await replicas.get(between)
    assert.deepEqual([tooLateToRetry.state, tooLateToRetry.error?.code], ['failed', 'timeout'])
    await replicas.advance(1000)
    for (const id of [running, nobodys]) {
      const job = await replicas.get(id)
      assert.deepEqual([job.state, job.error?.code], ['failed', 'deadline_exceeded'])
    }
  })

  it('cancels a queued job at once', async () => {
    const { runs } = await started(true)
    const id = await replicas.enqueue({ runAt: replicas.iso(1000) })
    assert.equal(await replicas.cancel(id), true)
    assert.equal((await replicas.get(id)).state, 'cancelled')
    assert.equal(await replicas.cancel(id), false)
    assert.equal(await replicas.cancel('job_unknown'), false)
    await replicas.advance(3000)
    assert.equal(runs.length, 0)
  })

  it('cancels a running job within 2 s, on whichever replica', async () => {
    replicas.replica() // this replica is asked to cancel, and another one runs the job
    const { runs } = await started(true)
    const id = await replicas.enqueue()
    assert.equal(await replicas.cancel(id), true)
    assert.equal((await replicas.get(id)).cancelRequested, true)
    await replicas.advance(2000)
    assert.equal(runs[0]?.signal.aborted, true)
    const job = await replicas.get(id)
    assert.deepEqual([job.state, job.attempts], ['cancelled', 1])
  })

  it('cancels a job whose worker ignores it', async () => {
    await started(false)
    const id = await replicas.enqueue()
    await replicas.cancel(id)
    await replicas.advance(7000)
    assert.equal((await replicas.get(id)).state, 'cancelled')
  })

  it('gives leases back when the process stops', async () => {
    const { jobs, runs } = await started(true)
    const id = await replicas.enqueue()
    const stopping = jobs.stop(3000)
    await replicas.enqueue()
    await replicas.advance(2500)
    assert.equal(runs.length, 1)
    assert.equal(runs[0]?.signal.aborted, false)
    await replicas.advance(500)
    await stopping
    const queued = await replicas.get(id)
    assert.deepEqual([queued.state, queued.attempts, queued.error], ['queued', 0, null])

    const next = await started(true)
    await replicas.quiet()
    assert.deepEqual(next.runs.map((run) => run.id).includes(id), true)
    assert.equal(next.runs[0]?.attempt, 1)
  })

  it('does not wait longer than needed to stop', async () => {
    const { jobs } = replicas.replica()
    const held = Promise.withResolvers<string>()
    jobs.handle('work', () => held.promise)
    await jobs.start()
    const id = await replicas.enqueue()
    const stopping = jobs.stop(60_000)
    held.resolve('finished in time')
    await stopping
    assert.equal((await replicas.get(id)).result, 'finished in time')
  })

  it('stops though a worker ignores it', async () => {
    const { jobs } = await started(false)
    const id = await replicas.enqueue()
    const stopping = jobs.stop(1000)
    await replicas.quiet()
    await replicas.advance(6000)
    await stopping
    assert.equal((await replicas.get(id)).state, 'queued')
  })
})
