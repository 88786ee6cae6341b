import { type Fetch, getJson } from './get-json.ts'

/** Where the provider keeps its keys, by its own description (OpenID Connect Discovery 1.0). */
export async function discoverKeysUrl(fetch: Fetch, issuer: string, signal: AbortSignal): Promise<URL> {
  const document = (await getJson(fetch, discoveryUrl(issuer), signal)) as Record<string, unknown> | null
  const named = document?.issuer
  // Tokens are compared with the configured name, so a provider of another name is either a wrong one or misspelt.
  if (named !== issuer) {
    const hint = typeof named === 'string' ? `calls itself '${named}'; configure exactly that` : 'does not name itself'
    throw new Error(`The identity provider configured as '${issuer}' ${hint}.`)
  }
  const url = typeof document?.jwks_uri === 'string' ? URL.parse(document.jwks_uri) : null
  if (url === null) throw new Error(`The identity provider '${issuer}' does not say where its keys are (jwks_uri).`)
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol) {
    throw new Error(`The identity provider '${issuer}' offers its keys at an address that is not https.`)
  }
  return url
}

/** Throws `TypeError` where the issuer is no URL. */
export function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}
