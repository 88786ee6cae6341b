import type { Clock } from '../../engines/clock.ts'
import type { Log } from '../../engines/log.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { StoreErrorCode } from '../../engines/objects/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { Conditions, reasonsOf } from '../../http/conditions.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import { LookupCache } from '../../http/lookup-cache.ts'
import { metricText } from '../../http/metric-text.ts'
import { oncePerPlatform } from '../../once-per-platform.ts'

const EVERY_MS = 30_000
const WAIT_MS = 2000
const LOOK_MS = 5000
const MAX_PROVIDERS = 100
const AT_ONCE = 4

/** How many providers the answer of health names. */
const MAX_NAMED = 3

const STATES = ['reachable', 'away', 'failing', 'refusing', 'full'] as const
type State = (typeof STATES)[number]
/** The ids of the providers in each state. */
export type Found = Readonly<Record<State, string[]>>

const STATE_OF: Partial<Record<StoreErrorCode, State>> = {
  // These stores answer, and nothing more is asked here.
  no_such_bucket: 'reachable',
  throttled: 'reachable',
  unknown_access_key: 'refusing',
  wrong_secret: 'refusing',
  access_denied: 'refusing',
  clock_off: 'refusing',
  store_failed: 'failing',
  store_full: 'full'
}

const WRONG: Record<Exclude<State, 'reachable'>, string> = {
  away: "that can't be reached",
  failing: 'whose address answers, but with something else than a store does',
  refusing: 'with credentials that are refused',
  full: 'without room'
}

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
  /** The provider's own name of the oldest bucket it holds. */
  firstBucket(db: Db, providerId: string): Promise<string | undefined>
  /** Sends some request to the provider; throws what is wrong. */
  look(providerId: string, bucket: string): Promise<void>
}

/**
 * Watches which remote providers answer. Only those that hold buckets are asked, every 30 s while somebody reads health or
 * metrics, and every minute by one replica for alert rules.
 */
export class ProviderWatch {
  readonly #needs: Needs
  readonly #found: LookupCache<Found>
  readonly #conditions: Conditions

  constructor(needs: Needs) {
    this.#needs = needs
    this.#conditions = new Conditions(needs.clock)
    this.#found = new LookupCache<Found>({
      clock: needs.clock,
      everyMs: EVERY_MS,
      waitMs: WAIT_MS,
      find: () => this.lookAtAll(),
      report: (error) => needs.log.warn({ err: error }, 'storage providers can’t be looked at now')
    })
  }

  /** Throws where a provider is not usable. */
  async check(): Promise<void> {
    const found = await this.#found.get()
    const wrong = Object.entries(WRONG).flatMap(([state, what]) => {
      const ids = found?.[state as State] ?? []
      return ids.length === 0
        ? []
        : [`${ids.length} storage ${ids.length === 1 ? 'provider' : 'providers'} ${what} (${named(ids)})`]
    })
    if (wrong.length === 0) return
    throw new HealthProblem(
      `${wrong.join('; ')}: POST /api/storage/providers/{id}/test says what is wrong with each; the next look is within 30 s`
    )
  }

  async render(): Promise<string> {
    const found = await this.#found.get()
    const samples = STATES.flatMap((state) =>
      found === undefined ? [] : [{ labels: { state }, value: found[state].length }]
    )
    const help = 'Storage providers elsewhere that hold buckets, looked at every 30 s'
    return metricText('millrace_storage_providers', 'gauge', help, samples)
  }

  /** Asks all of them now. */
  async lookAtAll(): Promise<Found> {
    const { metadata, firstBucket } = this.#needs
    const found: Found = { reachable: [], away: [], failing: [], refusing: [], full: [] }
    const rows = await remoteProviders(metadata.db)
    this.#conditions.keep(new Set(rows.map(({ id }) => id)))
    const next = async (): Promise<void> => {
      for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
        const bucket = await firstBucket(metadata.db, row.id)
        if (bucket !== undefined) found[await this.#stateOf(row.id, bucket)].push(row.id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    for (const ids of Object.values(found)) ids.sort()
    return found
  }

  async #stateOf(id: string, bucket: string): Promise<State> {
    const { clock, look } = this.#needs
    try {
      await within(clock, LOOK_MS, look(id, bucket), failingWith('does not answer'))
      this.#tell(id, undefined)
      return 'reachable'
    } catch (error) {
      const state = STATE_OF[(error as { code?: StoreErrorCode }).code ?? 'timed_out'] ?? 'away'
      this.#tell(id, state === 'reachable' ? undefined : { state, error })
      return state
    }
  }

  #tell(provider: string, wrong: { readonly state: State; readonly error: unknown } | undefined): void {
    const { log } = this.#needs
    const news = this.#conditions.take(provider, wrong?.state)
    if (news?.kind === 'ended') {
      const { since, lastedMs } = news
      log.info({ provider, since, lastedMs }, 'a storage provider does as it should again')
    } else if (news !== undefined) {
      const facts = { provider, state: wrong?.state, reason: reasonsOf(wrong?.error) }
      log.warn(facts, 'a storage provider does not do as it should')
    }
  }
}

export const watchOf = oncePerPlatform(
  async ({ metadata, clock, log, service }) =>
    new ProviderWatch({
      metadata,
      clock,
      log,
      firstBucket: async (db, id) => (await service('buckets')).firstBucket(db, id),
      look: async (id, bucket) => (await service('storage')).look(id, bucket)
    })
)

/** Ids are random, so they reveal nothing to readers of health. */
const named = (ids: readonly string[]): string =>
  `${ids.slice(0, MAX_NAMED).join(', ')}${ids.length > MAX_NAMED ? ' and others' : ''}`

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
