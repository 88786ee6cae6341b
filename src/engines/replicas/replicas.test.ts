// Both: replicas find each other in the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import type { Metadata } from '../metadata/index.ts'
import { countReplicas, DiskHomes, forgetDisk, type Kept, ReplicaWatch, replicaMigrations } from './index.ts'

const BEAT_MS = 2000
const SILENT_MS = 8000

/** A clock that counts how often it was asked to wait for the next beat. */
class BeatClock extends ManualClock {
  beats = 0

  override after(ms: number, callback: () => void): () => void {
    if (ms === BEAT_MS) this.beats++
    return super.after(ms, callback)
  }
}

describe('replicas of one database', () => {
  let database: TestDatabase
  let metadata: Metadata

  before(async () => {
    database = await createTestDatabase()
    metadata = await database.open()
    await metadata.migrate(replicaMigrations)
  })
  after(async () => {
    await metadata.close()
    await database.drop()
  })

  /** Replicas on different machines: each has a clock of its own, which may be wrong. */
  class Replica {
    readonly clock: BeatClock
    readonly told: boolean[] = []
    readonly watch: ReplicaWatch
    /** The kinds of data on its disk. */
    readonly disk = new Set<Kept>()

    constructor(id: string, startsAt = '2026-01-01T00:00:00.000Z', its: Metadata = metadata) {
      this.clock = new BeatClock(startsAt)
      const onChange = (isAlone: boolean) => void this.told.push(isAlone)
      const own = { id: `disk of ${id}`, host: 'here', folder: `/data/${id}` }
      const homes = new DiskHomes({ metadata: its, own, holds: (kept) => this.disk.has(kept) })
      this.watch = new ReplicaWatch({ metadata: its, clock: this.clock, id, homes, onChange })
    }

    /** Stores something, unless it is refused. */
    async keep(kept: Kept): Promise<boolean> {
      const isRefused = (await this.watch.claim(kept)) !== undefined
      if (!isRefused) this.disk.add(kept)
      return !isRefused
    }

    /** Lets its time pass, and waits until it has looked and set its timer again. */
    async beat(): Promise<void> {
      const { beats } = this.clock
      this.clock.advance(BEAT_MS)
      await eventually(() => this.clock.beats > beats)
    }
  }

  it('see each other come and go', async () => {
    const [a, b] = [new Replica('a'), new Replica('b', '2031-05-05T00:00:00.000Z')]
    await a.watch.start()
    assert.equal(await a.watch.isAlone(), true)
    await b.watch.start()
    assert.equal(await b.watch.isAlone(), false, 'at once, at the start')
    await becomes(a, false)
    await b.watch.close()
    await becomes(a, true)
    assert.deepEqual([a.told, b.told], [[false, true], [false]])
    await a.watch.close()
    assert.equal(await countReplicas(metadata.db, a.clock), 0)
  })

  it('do not take what they said themselves, and waited too long for, for somebody else', async () => {
    let held: Promise<void> | undefined
    const transaction: Metadata['transaction'] = async (work) => {
      const done = await metadata.transaction(work)
      await held
      return done
    }
    const slow = new Replica('slow', undefined, { db: metadata.db, transaction } as Metadata)
    await slow.watch.start()
    const hold = Promise.withResolvers<void>()
    held = hold.promise
    slow.clock.advance(100 * SILENT_MS)
    await new Promise(setImmediate)
    const isAlone = slow.watch.isAlone()
    await new Promise(setImmediate)
    hold.resolve()
    assert.equal(await isAlone, true)
    await slow.watch.close()
  })

  it('take for gone who is silent, and notice when it speaks again', async () => {
    const [a, b] = [new Replica('a'), new Replica('b')]
    await a.watch.start()
    await b.watch.start()
    await becomes(a, false)
    const silentFromMs = a.clock.elapsed()
    await becomes(a, true)
    assert.ok(a.clock.elapsed() - silentFromMs >= SILENT_MS - BEAT_MS, 'not for a pause')
    // It has stood still: what it knew is too old, so it looks before it answers.
    b.clock.advance(SILENT_MS + 1)
    assert.equal(await b.watch.isAlone(), false)
    await becomes(a, false)
    await b.watch.close()
    await a.watch.close()
  })

  it('notice one whose folder is a copy, and which has the same id', async () => {
    const [a, b] = [new Replica('same'), new Replica('same', '2026-01-01T00:00:00.700Z')]
    await a.watch.start()
    await b.watch.start()
    await becomes(a, false)
    await becomes(b, false)
    await b.watch.close()
    await becomes(a, true)
    await a.watch.close()
  })

  it('take nobody for gone while the database is away', async () => {
    let isAway = false
    const sometimes = new Proxy(metadata, {
      get: (target, name, receiver) =>
        isAway && name === 'transaction'
          ? () => Promise.reject(new Error('away'))
          : (Reflect.get(target, name, receiver).bind?.(target) ?? Reflect.get(target, name, receiver))
    })
    const [a, b] = [new Replica('a', undefined, sometimes), new Replica('b')]
    await a.watch.start()
    await b.watch.start()
    await becomes(a, false)
    isAway = true
    for (let i = 0; i < 10; i++) await a.beat()
    await assert.rejects(async () => a.watch.isAlone(), /away/)
    isAway = false
    assert.equal(await a.watch.isAlone(), false)
    assert.deepEqual(a.told, [false])
    await b.watch.close()
    await a.watch.close()
  })

  it('agree on who is alone, whatever comes and goes in which order', async () => {
    const step = fc.record({ who: fc.integer({ min: 0, max: 2 }), what: fc.constantFrom('start', 'close', 'kill') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const running = new Map<number, Replica>()
        for (const { who, what } of steps) {
          if (what === 'start' && !running.has(who)) {
            const replica = new Replica(`r${who}`)
            running.set(who, replica)
            await replica.watch.start()
          } else if (what !== 'start') {
            if (what === 'close') await running.get(who)?.watch.close()
            running.delete(who)
          }
        }
        for (let round = 0; round < SILENT_MS / BEAT_MS + 2; round++) {
          for (const replica of running.values()) await replica.beat()
        }
        for (const { watch } of running.values()) assert.equal(await watch.isAlone(), running.size === 1)
        for (const { watch } of running.values()) await watch.close()
        await metadata.transaction((tx) => tx.deleteFrom('replicas').execute())
      }),
      { numRuns: 25 }
    )
  })

  it('keep what is on the disk of one that was killed for that one, until its disk is given up', async () => {
    const [a, b] = [new Replica('a'), new Replica('b')]
    await a.watch.start()
    assert.equal(await a.keep('points'), true)
    await b.watch.start() // a is never heard of again
    await becomes(b, true)
    assert.deepEqual(await b.watch.obstacleTo('points'), { id: 'disk of a', host: 'here', folder: '/data/a' })
    assert.deepEqual([await b.keep('points'), await b.keep('objects')], [false, true])
    assert.equal(await metadata.transaction((tx) => forgetDisk(tx, 'disk of a')), true)
    await b.beat()
    assert.equal(await b.keep('points'), true)
    await b.watch.close()
    const again = new Replica('a')
    again.disk.add('points')
    await again.watch.start()
    assert.equal(await again.keep('points'), false, 'though it has some: another one is their home now')
    await again.watch.close()
    await metadata.transaction((tx) => tx.deleteFrom('disk_homes').execute())
  })

  it('know of what was on a disk before the database knew of disks', async () => {
    const [a, b] = [new Replica('a'), new Replica('b')]
    a.disk.add('objects')
    await b.watch.start()
    await a.watch.start()
    await becomes(b, true)
    assert.deepEqual([await b.keep('objects'), await b.keep('points')], [false, true])
    await b.watch.close()
    await metadata.transaction((tx) => tx.deleteFrom('disk_homes').execute())
  })

  it('never keep anything on two disks, whoever comes, keeps and is killed', async () => {
    const what = fc.constantFrom('start', 'close', 'kill', 'keep', 'silence')
    const step = fc.record({ who: fc.integer({ min: 0, max: 2 }), what })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const disks = [new Set<Kept>(), new Set<Kept>(), new Set<Kept>()]
        const running = new Map<number, Replica>()
        for (const { who, what } of steps) {
          const replica = running.get(who)
          if (what === 'start' && replica === undefined) {
            const started = new Replica(`r${who}`)
            for (const kept of disks[who] as Set<Kept>) started.disk.add(kept)
            running.set(who, started)
            await started.watch.start()
          } else if (what === 'keep' && (await replica?.keep('points'))) disks[who]?.add('points')
          else if (what === 'silence') {
            for (let round = 0; round < 6; round++) for (const each of running.values()) await each.beat()
          } else if (what === 'close' || what === 'kill') {
            if (what === 'close') await replica?.watch.close()
            running.delete(who)
          }
        }
        assert.ok(disks.filter((disk) => disk.has('points')).length <= 1)
        for (const { watch } of running.values()) await watch.close()
        await metadata.transaction(async (tx) => {
          await tx.deleteFrom('replicas').execute()
          await tx.deleteFrom('disk_homes').execute()
        })
      }),
      { numRuns: 40 }
    )
  })

  async function becomes(replica: Replica, expected: boolean): Promise<void> {
    for (let beats = 0; beats < 8; beats++) {
      if ((await replica.watch.isAlone()) === expected) return
      await replica.beat()
    }
    assert.equal(await replica.watch.isAlone(), expected)
  }
})
