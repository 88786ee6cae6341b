import { SignJWT } from 'jose/jwt/sign'
import { importPKCS8 } from 'jose/key/import'
import { systemClock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { HttpApi } from './http-api.ts'

const AUDIENCE = 'https://oauth2.googleapis.com/token'
const LIFE_S = 3600
/** A token is not used in its last minutes. */
const SPARE_MS = 5 * 60_000

export interface GoogleServer {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

/** A server of Google's interfaces, which a configuration has no say in; a test has its own. */
export interface GoogleServers {
  readonly api: GoogleServer
  readonly token: GoogleServer
}

export const googleServers = (api: string): GoogleServers => ({
  api: { host: api, port: 443, tls: true },
  token: { host: 'oauth2.googleapis.com', port: 443, tls: true }
})

/** What is used of the key file of a service account. */
export interface ServiceAccount {
  readonly email: string
  readonly privateKey: string
  readonly project: string | undefined
}

export function accountIn(key: string): ServiceAccount {
  const { client_email: email, private_key: privateKey, project_id: project } = parsed(key)
  if (typeof email !== 'string' || typeof privateKey !== 'string') throw badKey('has no client_email or no private_key')
  return { email, privateKey, project: typeof project === 'string' ? project : undefined }
}

function parsed(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(key))
  } catch {
    throw badKey('is no JSON')
  }
}

const badKey = (why: string) =>
  new SourceError('wrong_credentials', `The key of the service account ${why}; give the file whole`, '/key')

/** Tokens for an account, each used until it ends, for what `scope` names. */
export class Tokens {
  readonly #account: () => ServiceAccount
  readonly #scope: string
  readonly #api: HttpApi
  #known: { readonly token: string; readonly endsMs: number } | undefined

  constructor(account: () => ServiceAccount, scope: string, outbound: Outbound, token: GoogleServer) {
    this.#account = account
    this.#scope = scope
    this.#api = new HttpApi({ ...token, outbound, headers: () => ({}), secretPointer: '/key', refusalOf })
  }

  async take(signal: AbortSignal): Promise<string> {
    const nowMs = systemClock.now()
    if (this.#known !== undefined && nowMs < this.#known.endsMs - SPARE_MS) return this.#known.token
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signed(this.#account(), this.#scope, Math.floor(nowMs / 1000))
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

async function signed({ email, privateKey }: ServiceAccount, scope: string, nowS: number): Promise<string> {
  const key = await importPKCS8(privateKey, 'RS256').catch(() => {
    throw badKey('has a private_key that is none')
  })
  return new SignJWT({ scope })
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
