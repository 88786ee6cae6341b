import type { Clock } from '../clock.ts'
import { discoverKeysUrl, discoveryUrl } from './discovery.ts'
import { type Fetch, getJson } from './get-json.ts'
import type { Identity } from './index.ts'
import { readKeySet } from './key-set.ts'
import { createProviderKeys } from './provider-keys.ts'
import { createVerifier } from './verifier.ts'

/**
 * An issuer to discover, or the address of its keys; with the address, issuer and audience are only compared where
 * they are given.
 */
export type OidcOptions = {
  /** The claim that holds the roles, by name or dotted path; the usual places are tried where none is given. */
  readonly rolesClaim?: string | undefined
  readonly clock: Clock
  readonly fetch?: Fetch
} & (
  | { readonly issuer: string; readonly audience: string; readonly jwksUrl?: undefined }
  | { readonly jwksUrl: string; readonly issuer?: string | undefined; readonly audience?: string | undefined }
)

export interface OidcIdentity extends Identity {
  /** Fetches the keys ahead of the first token. Resolves either way: a provider that is down stops no start. */
  warm(): Promise<void>
}

/** Trusts the tokens of an outside provider. Throws where an address is no URL, and asks the provider for nothing yet. */
export function createOidcIdentity(options: OidcOptions): OidcIdentity {
  const { issuer, audience, rolesClaim, clock, fetch = globalThis.fetch } = options
  const configuredUrl = options.jwksUrl === undefined ? undefined : new URL(options.jwksUrl)
  if (options.jwksUrl === undefined) discoveryUrl(options.issuer)
  let keysUrl = configuredUrl

  const keys = createProviderKeys({
    async load(signal) {
      try {
        keysUrl ??= await discoverKeysUrl(fetch, issuer as string, signal)
        return await readKeySet(await getJson(fetch, keysUrl, signal))
      } catch (error) {
        keysUrl = configuredUrl // the keys may have moved: discover them again next time
        throw error
      }
    },
    onWithdrawn: () => verifier.forget(),
    clock
  })
  const verifier = createVerifier({ keys, expected: { issuer, audience }, rolesClaim, clock })

  return {
    known: verifier.known,
    verify: verifier.verify,
    explain: verifier.explain,
    check: keys.check,
    warm: () => keys.check().catch(() => undefined),
    async close() {
      await keys.close()
      verifier.forget()
    }
  }
}
