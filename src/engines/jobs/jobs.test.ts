// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PermanentFailure, type RunningJob } from './index.ts'
import { type TestReplicas, useReplicas } from './testing/test-replicas.ts'

describe('jobs', () => {
  let replicas: TestReplicas
  useReplicas((opened) => {
    replicas = opened
  })

  it('runs a job with its payload and keeps the result', async () => {
    const { jobs } = replicas.replica()
    jobs.handle<{ n: number }>('work', async ({ payload, attempt }) => ({ double: payload.n * 2, attempt }))
    await jobs.start()
    const id = await replicas.enqueue({ payload: { n: 21 } })
    const job = await replicas.get(id)
    assert.equal(job.state, 'succeeded')
    assert.deepEqual(job.result, { double: 42, attempt: 1 })
    assert.equal(job.progress, 1)
    assert.equal(job.finishedAt, replicas.clock.iso())
  })

  it('never runs a job whose transaction was rolled back', async () => {
    const { jobs } = replicas.replica()
    const ran: unknown[] = []
    jobs.handle('work', async ({ payload }) => ran.push(payload))
    await jobs.start()
    await assert.rejects(
      replicas.metadata.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'work', payload: 'undone' })
        throw new Error('the change failed')
      }),
      /the change failed/
    )
    await replicas.enqueue({ payload: 'done' })
    await replicas.advance(3000)
    assert.deepEqual(ran, ['done'])
  })

  it('is found by polling when nobody said a word', async () => {
    const { jobs } = replicas.replica()
    jobs.handle('work', async () => 'found')
    await jobs.start()
    await replicas.quiet()
    const id = await replicas.metadata.transaction((tx) => jobs.enqueue(tx, { kind: 'work', payload: null }))
    await replicas.quiet()
    assert.equal((await replicas.get(id)).state, 'queued')
    await replicas.advance(1000)
    assert.equal((await replicas.get(id)).result, 'found')
  })

  it('waits for runAt', async () => {
    const { jobs } = replicas.replica()
    jobs.handle('work', async () => null)
    await jobs.start()
    const id = await replicas.enqueue({ runAt: replicas.iso(10_000) })
    await replicas.advance(9000)
    assert.equal((await replicas.get(id)).state, 'queued')
    await replicas.advance(2000)
    assert.equal((await replicas.get(id)).state, 'succeeded')
  })

  it('takes what is due longest first, within the slots of its kind', async () => {
    const { jobs } = replicas.replica()
    const order: unknown[] = []
    jobs.handle('work', async ({ payload }) => order.push(payload), { concurrency: 1 })
    await replicas.enqueue({ payload: 'second', runAt: replicas.iso(-1000) })
    await replicas.enqueue({ payload: 'third' })
    await replicas.enqueue({ payload: 'first', runAt: replicas.iso(-2000) })
    await jobs.start()
    await replicas.quiet()
    assert.deepEqual(order, ['first', 'second', 'third'])
  })

  it('has one unfinished job for a kind and key', async () => {
    const { jobs } = replicas.replica()
    const held = Promise.withResolvers<void>()
    jobs.handle('work', () => held.promise)
    const first = await replicas.enqueue({ key: 'a' })
    assert.equal(await replicas.enqueue({ key: 'a' }), first)
    assert.notEqual(await replicas.enqueue({ key: 'b' }), first)
    assert.notEqual(await replicas.enqueue({ kind: 'other', key: 'a' }), first)
    await jobs.start()
    await replicas.quiet()
    assert.equal((await replicas.get(first)).state, 'running')
    assert.equal(await replicas.enqueue({ key: 'a' }), first)
    held.resolve()
    await replicas.quiet()
    assert.equal((await replicas.get(first)).state, 'succeeded')
    assert.notEqual(await replicas.enqueue({ key: 'a' }), first)
  })

  it('tries again with growing waits, and fails with the last error', async () => {
    const { jobs } = replicas.replica()
    const startedMs: number[] = []
    jobs.handle('work', async ({ attempt }) => {
      startedMs.push(replicas.clock.now())
      throw Object.assign(new Error(`no luck ${attempt}`), { code: 'no_luck' })
    })
    await jobs.start()
    const id = await replicas.enqueue({ maxAttempts: 3 })
    const retrying = await replicas.get(id)
    assert.equal(retrying.state, 'queued')
    assert.deepEqual(retrying.error, { code: 'no_luck', message: 'no luck 1' })
    await replicas.advance(6000)
    const job = await replicas.get(id)
    assert.equal(job.state, 'failed')
    assert.equal(job.attempts, 3)
    assert.deepEqual(job.error, { code: 'no_luck', message: 'no luck 3' })
    const [first = 0, second = 0, third = 0] = startedMs
    // The backoff is 1 s and 2 s, give or take a fifth, and a poll may come a little later.
    assert.ok(second - first >= 800 && second - first <= 2500, `${second - first}`)
    assert.ok(third - second >= 1600 && third - second <= 3500, `${third - second}`)
  })

  it('does not repeat a permanent failure', async () => {
    const { jobs } = replicas.replica()
    jobs.handle('work', async () => {
      throw new PermanentFailure('no such table', 'table_unknown')
    })
    await jobs.start()
    const job = await replicas.get(await replicas.enqueue())
    assert.equal(job.state, 'failed')
    assert.equal(job.attempts, 1)
    assert.deepEqual(job.error, { code: 'table_unknown', message: 'no such table' })
  })

  it('takes whatever a worker throws', async () => {
    const { jobs } = replicas.replica()
    const thrown = [undefined, 'text', { message: 7, code: 'ECONNRESET' }, new Error('x'.repeat(9000))]
    jobs.handle<number>('work', ({ payload }) => {
      throw thrown[payload]
    })
    await jobs.start()
    for (const payload of thrown.keys()) {
      const { error } = await replicas.get(await replicas.enqueue({ payload, maxAttempts: 1 }))
      assert.equal(error?.code, 'worker_failed')
      assert.ok(error.message.length > 0 && error.message.length <= 2000)
    }
  })

  it('fails a job whose result is too large or no JSON', async () => {
    const { jobs } = replicas.replica()
    jobs.handle<string>('work', async ({ payload }) => (payload === 'large' ? 'x'.repeat(70_000) : 1n))
    await jobs.start()
    for (const payload of ['large', 'no JSON']) {
      const job = await replicas.get(await replicas.enqueue({ payload }))
      assert.equal(job.state, 'failed')
      assert.equal(job.error?.code, 'result_unfit')
    }
  })

  it('shows progress while it runs', async () => {
    const { jobs } = replicas.replica()
    const running = Promise.withResolvers<RunningJob<null>>()
    const held = Promise.withResolvers<void>()
    jobs.handle<null>('work', (job) => {
      running.resolve(job)
      return held.promise
    })
    await jobs.start()
    const id = await replicas.enqueue()
    const { progress } = await running.promise
    progress(0.25, 'a quarter\0')
    await replicas.advance(2000)
    const job = await replicas.get(id)
    assert.deepEqual([job.progress, job.progressNote], [0.25, 'a quarter'])
    progress(Number.NaN)
    await replicas.advance(2000)
    assert.equal((await replicas.get(id)).progress, 0)
    held.resolve()
  })

  it('refuses what could not run', async () => {
    const { jobs } = replicas.replica()
    jobs.handle('work', async () => null)
    assert.throws(() => jobs.handle('work', async () => null), /already/)
    assert.throws(() => jobs.handle('none', async () => null, { concurrency: 0 }), /concurrency/)
    await assert.rejects(replicas.enqueue({ payload: 'x'.repeat(70_000) }), /64 KiB/)
    await assert.rejects(replicas.enqueue({ runAt: 'tomorrow' }), /ISO 8601/)
    await assert.rejects(replicas.enqueue({ timeoutMs: 2 ** 31 }), /timeoutMs/)
    await assert.rejects(replicas.enqueue({ maxAttempts: 0 }), /maxAttempts/)
    await jobs.start()
    assert.throws(() => jobs.handle('late', async () => null), /before/)
  })

  it('counts what waits and runs', async () => {
    const { jobs } = replicas.replica()
    const held = Promise.withResolvers<void>()
    jobs.handle('work', () => held.promise, { concurrency: 1 })
    await jobs.start()
    await replicas.quiet()
    assert.deepEqual(await jobs.stats(), { queued: 0, running: 0, failed: 0, oldestQueuedMs: 0 })
    for (let i = 0; i < 3; i++) await replicas.enqueue()
    await replicas.enqueue({ runAt: replicas.iso(60_000) })
    await replicas.advance(2500)
    assert.deepEqual(await jobs.stats(), { queued: 3, running: 1, failed: 0, oldestQueuedMs: 2500 })
    held.resolve()
  })

  it('counts recurring work while it runs, and what was given up', async () => {
    const { jobs } = replicas.replica()
    const held = Promise.withResolvers<void>()
    jobs.every('often', 1000, () => held.promise)
    jobs.handle('work', async () => {
      throw new PermanentFailure('no')
    })
    await jobs.start()
    await replicas.enqueue()
    await replicas.quiet()
    const { queued, running, failed } = await jobs.stats()
    assert.deepEqual([queued, running, failed], [0, 1, 1])
    held.resolve()
    await replicas.quiet()
    assert.equal((await jobs.stats()).running, 0)
  })

  it('tells what does not get on, why, and no more once it does', async () => {
    const { jobs, failures } = replicas.replica()
    let works = false
    const work = async () => {
      if (!works) throw Object.assign(new Error('no luck'), { code: 'no_luck' })
    }
    jobs.every('often', 60_000, work)
    jobs.handle('work', work)
    await jobs.start()
    await replicas.enqueue()
    await replicas.enqueue({ kind: 'work', maxAttempts: 1 })
    await replicas.quiet()
    assert.deepEqual(await jobs.trouble(), {
      failing: [{ kind: 'often', count: 1 }],
      givenUp: [{ kind: 'work', count: 1 }]
    })
    await replicas.advance(6000)
    assert.deepEqual((await jobs.trouble()).failing, [
      { kind: 'often', count: 1 },
      { kind: 'work', count: 1 }
    ])
    assert.deepEqual(failures.find(({ kind, attempts }) => kind === 'work' && attempts === 2)?.error, {
      code: 'no_luck',
      message: 'no luck'
    })
    works = true
    await replicas.advance(120_000)
    assert.deepEqual((await jobs.trouble()).failing, [])
    assert.equal((await jobs.trouble()).givenUp.length, 1)
    await replicas.metadata.transaction(async (tx) => {
      await tx
        .updateTable('jobs')
        .set({ finished_at: replicas.iso(-3600_000) })
        .where('state', '=', 'failed')
        .execute()
    })
    assert.deepEqual((await jobs.trouble()).givenUp, [])
  })
})
