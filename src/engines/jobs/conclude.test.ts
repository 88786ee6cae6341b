// Both: leases are made of transactions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CONCLUDED, type Lease } from './index.ts'
import { type TestReplicas, useReplicas } from './testing/test-replicas.ts'

describe('jobs that are concluded together', () => {
  let replicas: TestReplicas
  useReplicas((opened) => {
    replicas = opened
  })

  /** Workers of a replica wait here until a test lets them go. */
  function held(replica: ReturnType<TestReplicas['replica']>) {
    const leases: Lease[] = []
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    replica.jobs.handle('work', async ({ lease }) => {
      leases.push(lease)
      await promise
      return CONCLUDED
    })
    return { leases, resolve, reject }
  }

  it('end in the transaction of what they have done, and are not written again', async () => {
    const replica = replicas.replica()
    const { leases, resolve } = held(replica)
    await replica.jobs.start()
    const ids = [await replicas.enqueue(), await replicas.enqueue(), await replicas.enqueue()]
    const concluded = await replicas.metadata.transaction((tx) => replica.jobs.conclude(tx, leases))
    assert.deepEqual([...concluded].sort(), ids.toSorted())
    const ended = await Promise.all(ids.map((id) => replicas.get(id)))
    replicas.clock.advance(1)
    resolve()
    await replicas.quiet()
    for (const [at, id] of ids.entries()) {
      assert.deepEqual(await replicas.get(id), ended[at])
      assert.equal(ended[at]?.state, 'succeeded')
    }
    assert.deepEqual(replica.errors, [])
    assert.equal((await replica.jobs.stats()).running, 0)
  })

  it('have not ended where the transaction was rolled back, and are tried again', async () => {
    const replica = replicas.replica()
    const { leases, reject } = held(replica)
    await replica.jobs.start()
    const id = await replicas.enqueue()
    const failed = replicas.metadata.transaction(async (tx) => {
      assert.equal((await replica.jobs.conclude(tx, leases)).size, 1)
      throw new Error('undo')
    })
    await assert.rejects(failed, /undo/)
    assert.equal((await replicas.get(id)).state, 'running')
    reject(new Error('not written'))
    await replicas.quiet()
    const { state, error } = await replicas.get(id)
    assert.deepEqual([state, error?.message], ['queued', 'not written'])
  })

  it('leave alone what another run has taken over', async () => {
    const [first, second] = [replicas.replica(), replicas.replica()]
    const early = held(first)
    const late = held(second)
    await first.jobs.start()
    const id = await replicas.enqueue()
    first.cutOff = true
    await second.jobs.start()
    await replicas.advance(20_000)
    assert.equal(late.leases.length, 1)
    const conclude = (leases: readonly Lease[]) =>
      replicas.metadata.transaction((tx) => first.jobs.conclude(tx, leases))
    assert.equal((await conclude(early.leases)).size, 0)
    assert.equal((await replicas.get(id)).state, 'running')
    // Nor does an older run of the same process end a newer one.
    const [{ fence, ...lease }] = late.leases as [Lease]
    assert.equal((await conclude([{ ...lease, fence: fence - 1 }])).size, 0)
    assert.equal((await conclude(late.leases)).size, 1)
    early.resolve()
    late.resolve()
    first.cutOff = false
  })
})
