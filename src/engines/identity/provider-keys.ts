import { type Clock, toIso } from '../clock.ts'
import { TokenRefused } from './index.ts'
import { isWithin, type KeySet } from './key-set.ts'
import type { KeySource } from './verifier.ts'

const MAX_AGE_MS = 10 * 60_000
const COOLDOWN_MS = 30_000
const TIMEOUT_MS = 5_000

export interface ProviderKeys extends KeySource {
  check(): Promise<void>
  close(): Promise<void>
}

export interface ProviderKeysOptions {
  /** Asks the provider; rejects when the signal aborts. */
  load(signal: AbortSignal): Promise<KeySet>
  /** Called when a key was removed or has changed. */
  onWithdrawn(): void
  readonly clock: Clock
}

/**
 * Keeps the keys of a provider: for ten minutes, then renews them while the old ones serve on, for as long as the
 * provider is down if need be. After a failure, and after new keys were asked for on account of some token, the
 * provider is left alone for 30 s, so that neither an outage nor a flood of forged tokens becomes a flood of requests.
 */
export function createProviderKeys({ load, onWithdrawn, clock }: ProviderKeysOptions): ProviderKeys {
  const closing = new AbortController()
  let set: KeySet | undefined
  let fetchedAtMs = Number.NEGATIVE_INFINITY
  let restingSinceMs = Number.NEGATIVE_INFINITY
  let failure: Error | undefined
  let running: Promise<void> | undefined

  const sinceMs = (thenMs: number) => clock.elapsed() - thenMs
  const isAged = () => sinceMs(fetchedAtMs) >= MAX_AGE_MS
  const mayAsk = () => running !== undefined || sinceMs(restingSinceMs) >= COOLDOWN_MS

  /** Never rejects; callers during a request share it. */
  function refresh(thenRest = false): Promise<void> {
    running ??= attempt(thenRest).finally(() => {
      running = undefined
    })
    return running
  }

  async function attempt(thenRest: boolean): Promise<void> {
    const late = new AbortController()
    const cancel = clock.after(TIMEOUT_MS, () => late.abort(new Error(`it did not answer within ${TIMEOUT_MS} ms`)))
    try {
      accept(await load(AbortSignal.any([late.signal, closing.signal])))
      failure = undefined
    } catch (error) {
      failure = error as Error
    }
    cancel()
    if (thenRest || failure !== undefined) restingSinceMs = clock.elapsed()
  }

  function accept(next: KeySet): void {
    fetchedAtMs = clock.elapsed()
    const before = set
    const isKept = before !== undefined && isWithin(before, next)
    if (isKept && isWithin(next, before)) return
    set = next
    if (before !== undefined && !isKept) onWithdrawn()
  }

  return {
    held() {
      if (set !== undefined && isAged() && mayAsk()) void refresh()
      return set
    },
    async fetch() {
      if (set === undefined && mayAsk()) await refresh()
      if (set !== undefined) return set
      const message = 'The keys of the identity provider cannot be had right now; try again in half a minute.'
      throw new TokenRefused('provider', message, { cause: failure })
    },
    async newer(than) {
      if (set === than && mayAsk()) await refresh(true)
      return set === than ? undefined : set
    },
    async check() {
      if ((set === undefined || isAged() || failure !== undefined) && mayAsk()) await refresh()
      if (failure === undefined) return
      const serving = set === undefined ? 'No token can be verified' : `Keys of ${toIso(fetchedAtMs)} serve on`
      throw new Error(`${failure.message} ${serving}; check the configured address and the provider.`)
    },
    async close() {
      closing.abort(new Error('the platform is shutting down'))
      await running
    }
  }
}
