// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestReplicas, useReplicas } from './testing/test-replicas.ts'

const DAY_MS = 86_400_000

describe('recurring jobs', () => {
  let replicas: TestReplicas
  useReplicas((opened) => {
    replicas = opened
  })

  it('run once among replicas', async () => {
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      const { jobs } = replicas.replica()
      jobs.every('tidy', 10_000, async () => times.push(replicas.clock.now()))
      await jobs.start()
    }
    await replicas.advance(45_000)
    assert.ok(times.length === 4 || times.length === 5, `${times.length} times`)
    for (const [i, ms] of times.slice(1).entries()) {
      const gapMs = ms - (times[i] as number)
      assert.ok(gapMs >= 10_000 && gapMs <= 11_500, `${gapMs}`)
    }
  })

  it('go on after failures, sooner at first', async () => {
    const { jobs } = replicas.replica()
    const attempts: number[] = []
    jobs.every('tidy', 60_000, async ({ attempt }) => {
      attempts.push(attempt)
      if (attempts.length <= 6) throw new Error('not today')
    })
    await jobs.start()
    await replicas.advance(40_000)
    assert.deepEqual(attempts, [1, 2, 3, 4, 5])
    await replicas.advance(60_000)
    assert.deepEqual(attempts, [1, 2, 3, 4, 5, 1, 2])
    assert.equal((await replicas.get('every:tidy')).error, null)
  })

  it('go on after the replica that ran it died', async () => {
    const dead = replicas.replica()
    dead.jobs.every('tidy', 5000, () => new Promise(() => {}))
    await dead.jobs.start()
    await replicas.quiet()
    dead.cutOff = true
    const { jobs } = replicas.replica()
    let times = 0
    jobs.every('tidy', 5000, async () => times++)
    await jobs.start()
    await replicas.advance(9500)
    assert.equal(times, 1)
    await replicas.advance(6000)
    assert.equal(times, 2)
  })

  it('follow a changed period, and cannot be cancelled', async () => {
    const before = replicas.replica()
    before.jobs.every('tidy', DAY_MS, async () => {})
    await before.jobs.start()
    await replicas.quiet()
    assert.equal(await replicas.cancel('every:tidy'), false)
    const { jobs } = replicas.replica()
    let times = 0
    jobs.every('tidy', 3000, async () => times++)
    await jobs.start()
    before.cutOff = true
    await replicas.advance(4500)
    assert.equal(times, 1)
  })

  it('delete what finished more than 7 days ago, in batches', async () => {
    const { jobs } = replicas.replica()
    const finished = (id: string, ageMs: number) => ({
      id,
      kind: 'work',
      state: 'succeeded' as const,
      payload: 'null',
      run_at: replicas.iso(-ageMs),
      max_attempts: 1,
      timeout_ms: 1,
      created_at: replicas.iso(-ageMs),
      finished_at: replicas.iso(-ageMs)
    })
    const old = Array.from({ length: 1200 }, (_, i) => finished(`old_${i}`, 7 * DAY_MS + 1 + i))
    await replicas.metadata.transaction((tx) => tx.insertInto('jobs').values(old).execute())
    await replicas.metadata.transaction((tx) =>
      tx
        .insertInto('jobs')
        .values(finished('young', 6 * DAY_MS))
        .execute()
    )
    const waiting = await replicas.enqueue({ runAt: replicas.iso(0) })
    await jobs.start()
    await replicas.advance(500)
    assert.deepEqual((await replicas.get('every:jobs.prune')).result, { deleted: 1200 })
    const left = await replicas.metadata.db.selectFrom('jobs').select('id').orderBy('id').execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      ['every:jobs.prune', waiting, 'young']
    )
  })
})
