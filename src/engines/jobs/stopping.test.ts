// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LeaseLost, type RunningJob } from './index.ts'
import { type Bench, type Replica, useBench } from './testing/bench.ts'

describe('stopping a job', () => {
  let bench: Bench
  useBench((opened) => {
    bench = opened
  })

  /** A replica whose worker stops when asked to, or never, and the runs it has seen. */
  async function started(obedient: boolean): Promise<Replica & { runs: RunningJob<null>[] }> {
    const replica = bench.replica()
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
    const id = await bench.enqueue({ timeoutMs: 12_000, maxAttempts: 1 })
    await bench.advance(11_500)
    assert.equal((await bench.get(id)).state, 'running')
    await bench.advance(500)
    const job = await bench.get(id)
    assert.equal(job.state, 'failed')
    assert.equal(job.error?.code, 'timeout')
    assert.equal(runs[0]?.signal.aborted, true)
  })

  it('tries again after a timeout', async () => {
    const { runs } = await started(true)
    await bench.enqueue({ timeoutMs: 1000, maxAttempts: 2 })
    await bench.advance(3500)
    assert.deepEqual(
      runs.map(({ attempt }) => attempt),
      [1, 2]
    )
  })

  it('abandons a worker that ignores its signal, and refuses its commits', async () => {
    const { runs, jobs } = await started(false)
    const id = await bench.enqueue({ timeoutMs: 1000, maxAttempts: 1 })
    await bench.advance(5500)
    assert.equal((await bench.get(id)).state, 'running')
    await bench.advance(500)
    assert.equal((await bench.get(id)).error?.code, 'timeout')
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
    const running = await bench.enqueue({ deadlineAt: bench.iso(3000) })
    const nobodys = await bench.enqueue({ kind: 'unknown here', deadlineAt: bench.iso(3000) })
    const between = await bench.enqueue({ timeoutMs: 2500, deadlineAt: bench.iso(3200) })
    await bench.advance(2500)
    assert.equal((await bench.get(running)).state, 'running')
    assert.equal((await bench.get(nobodys)).state, 'queued')
    const tooLateToRetry = await bench.get(between)
    assert.deepEqual([tooLateToRetry.state, tooLateToRetry.error?.code], ['failed', 'timeout'])
    await bench.advance(1000)
    for (const id of [running, nobodys]) {
      const job = await bench.get(id)
      assert.deepEqual([job.state, job.error?.code], ['failed', 'deadline_exceeded'])
    }
  })

  it('cancels a queued job at once', async () => {
    const { runs } = await started(true)
    const id = await bench.enqueue({ runAt: bench.iso(1000) })
    assert.equal(await bench.cancel(id), true)
    assert.equal((await bench.get(id)).state, 'cancelled')
    assert.equal(await bench.cancel(id), false)
    assert.equal(await bench.cancel('job_unknown'), false)
    await bench.advance(3000)
    assert.equal(runs.length, 0)
  })

  it('cancels a running job within 2 s, on whichever replica', async () => {
    bench.replica() // it is this one that is asked, and another that runs the job
    const { runs } = await started(true)
    const id = await bench.enqueue()
    assert.equal(await bench.cancel(id), true)
    assert.equal((await bench.get(id)).cancelRequested, true)
    await bench.advance(2000)
    assert.equal(runs[0]?.signal.aborted, true)
    const job = await bench.get(id)
    assert.deepEqual([job.state, job.attempts], ['cancelled', 1])
  })

  it('cancels a job whose worker ignores it', async () => {
    await started(false)
    const id = await bench.enqueue()
    await bench.cancel(id)
    await bench.advance(7000)
    assert.equal((await bench.get(id)).state, 'cancelled')
  })

  it('gives leases back when the process stops', async () => {
    const { jobs, runs } = await started(true)
    const id = await bench.enqueue()
    const stopping = jobs.stop(3000)
    await bench.enqueue()
    await bench.advance(2500)
    assert.equal(runs.length, 1)
    assert.equal(runs[0]?.signal.aborted, false)
    await bench.advance(500)
    await stopping
    const queued = await bench.get(id)
    assert.deepEqual([queued.state, queued.attempts, queued.error], ['queued', 0, null])

    const next = await started(true)
    await bench.quiet()
    assert.deepEqual(next.runs.map((run) => run.id).includes(id), true)
    assert.equal(next.runs[0]?.attempt, 1)
  })

  it('does not wait longer than needed to stop', async () => {
    const { jobs } = bench.replica()
    const held = Promise.withResolvers<string>()
    jobs.handle('work', () => held.promise)
    await jobs.start()
    const id = await bench.enqueue()
    const stopping = jobs.stop(60_000)
    held.resolve('finished in time')
    await stopping
    assert.equal((await bench.get(id)).result, 'finished in time')
  })

  it('stops though a worker ignores it', async () => {
    const { jobs } = await started(false)
    const id = await bench.enqueue()
    const stopping = jobs.stop(1000)
    await bench.quiet()
    await bench.advance(6000)
    await stopping
    assert.equal((await bench.get(id)).state, 'queued')
  })
})
