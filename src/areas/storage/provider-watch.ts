import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { StoreErrorCode } from '../../engines/objects/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { metricText } from '../../http/metric-text.ts'
import { Remembered } from '../../http/remembered.ts'

const EVERY_MS = 30_000
const WAIT_MS = 2000
const LOOK_MS = 5000
const MAX_PROVIDERS = 100
const AT_ONCE = 4

const STATES = ['reachable', 'away', 'refusing', 'full'] as const
type State = (typeof STATES)[number]
type Counts = Readonly<Record<State, number>>

const STATE_OF: Partial<Record<StoreErrorCode, State>> = {
  // It answers, which is all that is asked here.
  no_such_bucket: 'reachable',
  throttled: 'reachable',
  unknown_access_key: 'refusing',
  wrong_secret: 'refusing',
  access_denied: 'refusing',
  clock_off: 'refusing',
  store_full: 'full'
}

const WRONG: Record<Exclude<State, 'reachable'>, string> = {
  away: "that can't be reached",
  refusing: 'with credentials that are refused',
  full: 'without room'
}

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: { warn(facts: object, message: string): void }
  /** What the provider calls the oldest bucket it holds. */
  firstBucket(db: Db, providerId: string): Promise<string | undefined>
  /** Asks the provider for anything; throws what is wrong. */
  look(providerId: string, bucket: string): Promise<void>
}

/** Which providers elsewhere answer. Only those that hold buckets are asked, every 30 s and only while somebody watches. */
export class ProviderWatch {
  readonly #needs: Needs
  readonly #counts: Remembered<Counts>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#counts = new Remembered<Counts>({
      clock: needs.clock,
      everyMs: EVERY_MS,
      waitMs: WAIT_MS,
      find: () => this.#lookAtAll(),
      report: (error) => needs.log.warn({ err: error }, 'storage providers can’t be looked at now')
    })
  }

  /** Throws where one does not do what it is there for. */
  async check(): Promise<void> {
    const counts = await this.#counts.get()
    const wrong = Object.entries(WRONG).flatMap(([state, what]) => {
      const count = counts?.[state as State] ?? 0
      return count === 0 ? [] : [`${count} storage ${count === 1 ? 'provider' : 'providers'} ${what}`]
    })
    if (wrong.length === 0) return
    throw new HealthProblem(
      `${wrong.join('; ')}: POST /api/storage/providers/{id}/test says what is wrong with each; the next look is within 30 s`
    )
  }

  async render(): Promise<string> {
    const counts = await this.#counts.get()
    const samples = STATES.flatMap((state) =>
      counts === undefined ? [] : [{ labels: { state }, value: counts[state] }]
    )
    const help = 'Storage providers elsewhere that hold buckets, looked at every 30 s'
    return metricText('millrace_storage_providers', 'gauge', help, samples)
  }

  async #lookAtAll(): Promise<Counts> {
    const { metadata, firstBucket } = this.#needs
    const counts = { reachable: 0, away: 0, refusing: 0, full: 0 }
    const rows = await remoteProviders(metadata.db)
    const next = async (): Promise<void> => {
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        const bucket = await firstBucket(metadata.db, row.id)
        if (bucket !== undefined) counts[await this.#stateOf(row.id, bucket)]++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    return counts
  }

  async #stateOf(id: string, bucket: string): Promise<State> {
    const { clock, log, look } = this.#needs
    try {
      await within(clock, LOOK_MS, look(id, bucket), failingWith('does not answer'))
      return 'reachable'
    } catch (error) {
      const state = STATE_OF[(error as { code?: StoreErrorCode }).code ?? 'timed_out'] ?? 'away'
      if (state !== 'reachable') log.warn({ err: error, provider: id }, 'a storage provider does not do as it should')
      return state
    }
  }
}

function remoteProviders(db: Db) {
  return db
    .selectFrom('storage_providers')
    .select('id')
    .where('built_in', '=', 0)
    .where((row) => row.or([row('type', '!=', 'store-local'), row('endpoint', 'is not', null)]))
    .orderBy('id')
    .limit(MAX_PROVIDERS)
    .execute()
}
