import { importPKCS8, SignJWT } from 'jose'
import { systemClock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { HttpApi } from '../common/http-api.ts'
import { SourceError } from '../errors.ts'
import { badKey, type GoogleServers, type ServiceAccount } from './config.ts'

const SCOPE = 'https://www.googleapis.com/auth/bigquery.readonly'
const AUDIENCE = 'https://oauth2.googleapis.com/token'
const LIFE_S = 3600
/** A token is not used in its last minutes. */
const SPARE_MS = 5 * 60_000

/** Tokens for an account, each used until it ends. */
export class Tokens {
  readonly #account: () => ServiceAccount
  readonly #api: HttpApi
  #known: { readonly token: string; readonly endsMs: number } | undefined

  constructor(account: () => ServiceAccount, outbound: Outbound, { token }: GoogleServers) {
    this.#account = account
    this.#api = new HttpApi({ ...token, outbound, headers: () => ({}), secretPointer: '/key', refusalOf })
  }

  async take(signal: AbortSignal): Promise<string> {
    const nowMs = systemClock.now()
    if (this.#known !== undefined && nowMs < this.#known.endsMs - SPARE_MS) return this.#known.token
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signed(this.#account(), Math.floor(nowMs / 1000))
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await this.#api.call({ method: 'POST', path: '/token', headers, body, signal })
    const { access_token: token, expires_in: lifeS = LIFE_S } = (answer.body ?? {}) as {
      access_token?: string
      expires_in?: number
    }
    if (typeof token !== 'string') throw new SourceError('unavailable', 'Google gave no token; try again')
    this.#known = { token, endsMs: nowMs + lifeS * 1000 }
    return token
  }

  close(): void {
    this.#api.close()
  }
}

async function signed({ email, privateKey }: ServiceAccount, nowS: number): Promise<string> {
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw badKey('has a private_key that is none')
  })
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(AUDIENCE)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + LIFE_S)
    .sign(key)
}

/** A key that was taken back, or of an account that is gone. */
function refusalOf({ status }: { readonly status: number }): SourceError | undefined {
  return status === 400 || status === 401 ? badKey('is not accepted by Google') : undefined
}
