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

  it('write nothing while there is nothing to do, and go on when any replica finds work', async () => {
    let work = false
    let asked = 0
    const times: number[] = []
    const join = async () => {
      const { jobs } = replicas.replica()
      const isNeeded = async () => {
        asked++
        return work
      }
      jobs.every('tidy', 5000, async () => times.push(replicas.clock.now()), isNeeded)
      await jobs.start()
    }
    await join()
    await join()
    await replicas.advance(12_000)
    const fence = async () => (await row('every:tidy')).fence
    const resting = await fence()
    assert.ok(resting <= 2, 'each replica has to find out once')
    asked = 0
    await replicas.advance(60_000)
    assert.equal(await fence(), resting)
    assert.ok(asked >= 22 && asked <= 24, `asked ${asked} times`)
    assert.deepEqual(times, [])
    work = true
    await replicas.advance(6000)
    assert.equal(times.splice(0).length, 1)
    await replicas.advance(12_000)
    assert.ok(times.length >= 2 && times.length <= 3, `${times.length} times`)
    work = false
    await replicas.advance(12_000)
    await replicas.stopAll()
    work = true
    times.length = 0
    await join()
    await replicas.advance(5500)
    assert.ok(times.length >= 1, 'a process that starts does not rest')
  })

  it('that failed and are not needed any more are no trouble', async () => {
    const { jobs } = replicas.replica()
    let work = true
    jobs.every(
      'tidy',
      5000,
      () => Promise.reject(new Error('not today')),
      async () => work
    )
    await jobs.start()
    await replicas.advance(2000)
    assert.deepEqual((await jobs.trouble()).failing, [{ kind: 'tidy', count: 1 }])
    work = false
    await replicas.advance(12_000)
    assert.deepEqual((await jobs.trouble()).failing, [])
  })

  it('of which it can’t be told whether they are needed fail where people see it, and keep no others from running', async () => {
    const { jobs } = replicas.replica()
    let isBroken = false
    let times = 0
    jobs.every(
      'tidy',
      5000,
      async () => {},
      async () => {
        if (isBroken) throw new Error('no such table')
        return false
      }
    )
    jobs.every('other', 5000, async () => times++)
    await jobs.start()
    await replicas.advance(2000)
    isBroken = true
    await replicas.advance(12_000)
    assert.deepEqual((await jobs.trouble()).failing, [{ kind: 'tidy', count: 1 }])
    assert.ok(times >= 2)
  })

  const row = (id: string) =>
    replicas.metadata.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

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
