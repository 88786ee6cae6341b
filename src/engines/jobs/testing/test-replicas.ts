import { after, afterEach, before } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { createMemoryBus } from '../../bus/memory.ts'
import { createIds } from '../../ids.ts'
import type { Metadata } from '../../metadata/index.ts'
import { createJobs, type FailedAttempt, type Job, type Jobs, jobMigrations, type NewJob } from '../index.ts'

const QUIET_TURNS = 4
const STEP_MS = 500

export interface Replica {
  readonly jobs: Jobs
  readonly errors: unknown[]
  readonly failures: FailedAttempt[]
  /** While cut off, every transaction of this replica fails, as if the network were down or the process frozen. */
  cutOff: boolean
}

/** Several replicas over one real database and one clock, all of which a test moves by hand. */
export class TestReplicas {
  readonly clock = new ManualClock()
  readonly bus = createMemoryBus((error) => {
    throw error
  })
  readonly metadata: Metadata
  readonly #drop: () => Promise<void>
  readonly #makeId = createIds(this.clock)
  #replicas: Replica[] = []
  #pending = 0

  private constructor(metadata: Metadata, drop: () => Promise<void>) {
    this.metadata = metadata
    this.#drop = drop
  }

  static async open(): Promise<TestReplicas> {
    const database = await createTestDatabase()
    const metadata = await database.open()
    await metadata.migrate(jobMigrations)
    return new TestReplicas(metadata, () => database.drop())
  }

  replica(): Replica {
    const errors: unknown[] = []
    const failures: FailedAttempt[] = []
    const counted: Metadata['transaction'] = async (work) => {
      if (replica.cutOff) throw new Error('cut off')
      this.#pending++
      try {
        return await this.metadata.transaction(work)
      } finally {
        this.#pending--
      }
    }
    const jobs = createJobs({
      metadata: { ...this.metadata, transaction: counted },
      bus: this.bus,
      clock: this.clock,
      makeId: this.#makeId,
      onError: (error) => errors.push(error),
      onFailure: (failure) => failures.push(failure)
    })
    const replica: Replica = { jobs, errors, failures, cutOff: false }
    this.#replicas.push(replica)
    return replica
  }

  async enqueue(job: Partial<NewJob> = {}): Promise<string> {
    const { jobs } = this.#replicas[0] ?? this.replica()
    const id = await this.metadata.transaction((tx) => jobs.enqueue(tx, { kind: 'work', payload: null, ...job }))
    jobs.wake()
    await this.quiet()
    return id
  }

  async cancel(id: string): Promise<boolean> {
    const { jobs } = this.#replicas[0] ?? this.replica()
    return this.metadata.transaction((tx) => jobs.cancel(tx, id))
  }

  async get(id: string): Promise<Job> {
    const { jobs } = this.#replicas[0] ?? this.replica()
    const job = await jobs.get(this.metadata.db, id)
    if (job === undefined) throw new Error(`there is no job ${id}`)
    return job
  }

  /** Resolves once no replica waits for the database, and none has begun to for a few turns. */
  quiet(): Promise<void> {
    return this.quietBut(0)
  }

  /** Does the same while the test itself holds some transactions open. */
  async quietBut(open: number): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      await turn()
      if (this.#pending > open) turns = 0
    }
  }

  /** Moves time in steps small enough for every loop to keep up, as in real time. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.clock.advance(Math.min(left, STEP_MS))
      await this.quiet()
    }
  }

  iso(fromNowMs: number): string {
    return new Date(this.clock.now() + fromNowMs).toISOString()
  }

  /** Stops every replica and forgets it. */
  async stopAll(): Promise<void> {
    const stopping = Promise.all(this.#replicas.map(({ jobs }) => jobs.stop(0)))
    let stopped = false
    void stopping.then(() => {
      stopped = true
    })
    while (!stopped) await this.advance(STEP_MS)
    this.#replicas = []
  }

  async close(): Promise<void> {
    await this.stopAll()
    await this.bus.close()
    await this.metadata.close()
    await this.#drop()
  }
}

/** Gives the tests of a suite one `TestReplicas`; each test begins without jobs and running replicas. */
export function useReplicas(opened: (replicas: TestReplicas) => void): void {
  let replicas: TestReplicas
  before(async () => {
    replicas = await TestReplicas.open()
    opened(replicas)
  })
  afterEach(async () => {
    await replicas.stopAll()
    await replicas.metadata.transaction((tx) => tx.deleteFrom('jobs').execute())
  })
  after(() => replicas.close())
}
