import type { OidcConfig } from '../../config.ts'
import { discoverKeysUrl } from '../../engines/identity/discovery.ts'
import { type Fetch, getJson } from '../../engines/identity/get-json.ts'
import { readKeySet } from '../../engines/identity/key-set.ts'
import { type Finding, fail, type Installation, ok, reasonOf, shownUrl, warn } from '../../finding.ts'

const TIMEOUT_MS = 5000
const SUBJECT = 'identity'
/** How long the server itself keeps using old keys. */
const OLD_KEYS_S = 600

export interface IdentityFindings {
  readonly findings: Finding[]
  /** The time by the provider's clock, for comparison. */
  readonly providerDate: string | undefined
}

export async function checkIdentity({ config }: Installation): Promise<IdentityFindings> {
  const { oidc } = config
  if (oidc === undefined) {
    return { findings: [ok(SUBJECT, "built-in issuer; 'millrace token' makes tokens")], providerDate: undefined }
  }
  const findings = oidc.issuer === undefined ? [withoutIssuer()] : []
  let headers: Headers | undefined
  const watched: Fetch = async (...request) => {
    const response = await fetch(...request)
    headers = response.headers
    return response
  }
  try {
    const { count, url } = await fetchKeys(oidc, watched)
    findings.push(describe(count, url, Number(headers?.get('age') ?? 0)))
  } catch (error) {
    findings.push(fail(SUBJECT, `${reasonOf(error)} Check OIDC_ISSUER or JWKS_URL, and that this machine can reach it`))
  }
  return { findings, providerDate: headers?.get('date') ?? undefined }
}

async function fetchKeys(oidc: OidcConfig, watched: Fetch): Promise<{ count: number; url: URL }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const url =
    oidc.jwksUrl === undefined ? await discoverKeysUrl(watched, oidc.issuer as string, signal) : new URL(oidc.jwksUrl)
  const set = await readKeySet(await getJson(watched, url, signal))
  return { count: set.length, url }
}

function describe(count: number, url: URL, ageS: number): Finding {
  const found = `${count} signing key(s) at ${shownUrl(url.href)}`
  if (ageS <= OLD_KEYS_S) return ok(SUBJECT, found)
  return warn(SUBJECT, `${found}, but a cache on the way keeps them for ${ageS} s: new keys will be seen late`)
}

function withoutIssuer(): Finding {
  return warn(
    SUBJECT,
    'JWKS_URL without OIDC_ISSUER: tokens of any issuer that these keys sign for are taken; set both'
  )
}
