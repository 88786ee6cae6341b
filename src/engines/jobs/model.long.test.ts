// Both: claims and leases are made of transactions.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { postgresUrl } from '../../../test/support/database.ts'
import type { RunningJob } from './index.ts'
import { History } from './testing/history.ts'
import { type Replica, TestReplicas } from './testing/test-replicas.ts'

const RUNS = postgresUrl === undefined ? 100 : 12
const REPLICAS = 2

type Step =
  | { do: 'enqueue'; key: string | undefined; maxAttempts: number }
  | { do: 'advance'; ms: number }
  | { do: 'succeed' | 'fail' | 'cancel'; which: number }
  | { do: 'cut' | 'heal' | 'restart'; replica: number }

const which = fc.nat({ max: 20 })
const replica = fc.nat({ max: REPLICAS - 1 })
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('enqueue' as const), key: key(), maxAttempts: fc.nat(3) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(500, 2500, 9500) }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('succeed' as const, 'fail' as const, 'cancel'), which }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'heal' as const, 'restart'), replica }) }
  ),
  { minLength: 5, maxLength: 30 }
) as fc.Arbitrary<Step[]>

function key(): fc.Arbitrary<string | undefined> {
  return fc.constantFrom(undefined, undefined, 'a', 'b')
}

interface Attempt {
  readonly job: RunningJob<null>
  readonly decide: (how: 'succeed' | 'fail') => void
}

/** Replicas whose workers wait until the test says how they end, even after they have lost their job. */
class World {
  readonly attempts: Attempt[] = []
  readonly ids: string[] = []
  readonly replicas: Replica[] = []
  readonly installation: TestReplicas
  readonly history: History

  constructor(installation: TestReplicas) {
    this.installation = installation
    this.history = new History(installation.metadata)
  }

  async boot(index: number): Promise<void> {
    const replica = this.installation.replica()
    this.replicas[index] = replica
    replica.jobs.handle<null>('work', async (job) => {
      const { promise, resolve } = Promise.withResolvers<'succeed' | 'fail'>()
      this.attempts.push({ job, decide: resolve })
      if ((await promise) === 'fail') throw new Error('as decided')
      await job.commit(async (tx) => this.history.commit(tx, job.id))
    })
    await replica.jobs.start()
    await this.installation.quiet()
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'enqueue') {
      const { key, maxAttempts } = step
      const id = await this.installation.enqueue({ ...(key && { key }), maxAttempts: maxAttempts + 1 })
      if (!this.ids.includes(id)) this.ids.push(id)
    } else if (step.do === 'advance') {
      await this.installation.advance(step.ms)
    } else if ('which' in step) {
      await this.#direct(step.do, step.which)
    } else {
      const replica = this.replicas[step.replica] as Replica
      replica.cutOff = step.do !== 'heal'
      if (step.do === 'restart') await this.boot(step.replica)
    }
    await this.installation.quiet()
  }

  async #direct(how: 'succeed' | 'fail' | 'cancel', which: number): Promise<void> {
    if (how !== 'cancel') {
      this.attempts[which % Math.max(this.attempts.length, 1)]?.decide(how)
      return
    }
    const id = this.ids[which % Math.max(this.ids.length, 1)]
    if (id !== undefined) await this.installation.cancel(id)
  }

  /** Lets everything end, with all replicas well and every worker successful. */
  async drain(): Promise<void> {
    for (const replica of this.replicas) replica.cutOff = false
    for (let round = 0; round < 30; round++) {
      for (const { decide } of this.attempts) decide('succeed')
      await this.installation.quiet()
      if (await this.history.allFinished(this.ids)) return
      await this.installation.advance(2000)
    }
    assert.fail('some jobs never end')
  }
}

describe('jobs, whatever happens', () => {
  let installation: TestReplicas
  before(async () => {
    installation = await TestReplicas.open()
    await History.createTable(installation.metadata)
  })
  after(() => installation.close())

  it('commit at most once, are never lost, and never go back to an older run', async () => {
    await fc.assert(
      fc
        .asyncProperty(steps, async (sequence) => {
          const world = new World(installation)
          for (let i = 0; i < REPLICAS; i++) await world.boot(i)
          for (const step of sequence) {
            await world.take(step)
            await world.history.check(world.ids)
          }
          await world.drain()
          await world.history.check(world.ids)
        })
        .afterEach(async () => {
          await installation.stopAll()
          await installation.metadata.transaction((tx) => tx.deleteFrom('jobs').execute())
        }),
      { numRuns: RUNS }
    )
  })
})
