import { createServer, type RequestListener, type Server } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { freePort } from './free-port.ts'

type Claims = Record<string, unknown>

export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'ES512' | 'EdDSA'

export interface SigningKey {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly privateJwk: JWK
  readonly publicJwk: JWK
}

/** A certified OpenID provider on a loopback port of its own. Its time is the machine's. */
export interface TestOidcProvider {
  readonly issuer: string
  readonly audience: string
  readonly jwksUrl: string
  /** The key it signs with now. */
  key(): SigningKey
  /** An access token that the provider itself issued, with these claims (`sub`, `roles`, `exp`, ...) added or changed. */
  token(claims?: Claims): Promise<string>
  /**
   * A token that the provider would not issue: valid except for the given changes; `undefined` leaves a claim or
   * header out.
   */
  sign(claims?: Claims, header?: Claims, key?: SigningKey): Promise<string>
  /** Replaces the key. The provider fixes its keys at construction, so a new one starts on the same port. */
  rotate(key?: Partial<Pick<SigningKey, 'kid' | 'algorithm'>>): Promise<void>
  stop(): Promise<void>
  /** Starts again after `stop`, with the same key. */
  restart(): Promise<void>
  /** How many requests for the key set have arrived since the start. */
  jwksRequests(): number
}

const AUDIENCE = 'urn:millrace'
const CLIENT = { client_id: 'svc', client_secret: 'secret' }
const CLAIMS_HEADER = 'x-test-claims'
const TOKEN_TTL_S = 300

// The provider prints notices about the runtime and about development settings, which these tests use on purpose.
for (const level of ['info', 'warn'] as const) {
  const print = console[level]
  console[level] = (...data: unknown[]) => (String(data[0]).includes('oidc-provider ') ? undefined : print(...data))
}

export async function startOidcProvider(algorithm: SigningAlgorithm = 'RS256'): Promise<TestOidcProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  let key = await makeSigningKey(algorithm)
  let server: Server | undefined
  let jwksRequests = 0

  async function start(): Promise<void> {
    const answer = await configure(issuer, key)
    const listening = createServer((request, response) => {
      if (request.url === '/jwks') jwksRequests += 1
      response.shouldKeepAlive = false // otherwise clients would use connections from before a restart
      answer(request, response)
    })
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    server = listening
  }

  async function stop(): Promise<void> {
    const stopping = server
    server = undefined
    stopping?.closeAllConnections()
    await new Promise<void>((resolve) => (stopping === undefined ? resolve() : stopping.close(() => resolve())))
  }

  await start()
  return {
    issuer,
    audience: AUDIENCE,
    jwksUrl: `${issuer}/jwks`,
    key: () => key,
    token: (claims = {}) => requestToken(issuer, claims),
    sign(claims = {}, header = {}, signingKey = key) {
      const nowS = Math.floor(Date.now() / 1000)
      const good = { iss: issuer, sub: CLIENT.client_id, aud: AUDIENCE, iat: nowS, exp: nowS + TOKEN_TTL_S }
      return signToken(signingKey, { ...good, ...claims }, header)
    },
    async rotate(next = {}) {
      key = await makeSigningKey(next.algorithm ?? key.algorithm, next.kid)
      await stop()
      await start()
    },
    stop,
    restart: start,
    jwksRequests: () => jwksRequests
  }
}

let keysMade = 0

export async function makeSigningKey(algorithm: SigningAlgorithm, kid?: string): Promise<SigningKey> {
  keysMade += 1
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const described = { kid: kid ?? `key-${keysMade}`, use: 'sig', alg: algorithm }
  return {
    kid: described.kid,
    algorithm,
    privateJwk: { ...(await exportJWK(privateKey)), ...described },
    publicJwk: { ...(await exportJWK(publicKey)), ...described }
  }
}

export function signToken(key: SigningKey, claims: Claims, header: Claims = {}): Promise<string> {
  const protectedHeader = { alg: key.algorithm, typ: 'at+jwt', kid: key.kid, ...header }
  return new SignJWT(withoutUndefined(claims))
    .setProtectedHeader(withoutUndefined(protectedHeader))
    .sign(key.privateJwk)
}

function withoutUndefined<T extends Claims>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

async function requestToken(issuer: string, claims: Claims): Promise<string> {
  const credentials = Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, [CLAIMS_HEADER]: JSON.stringify(claims) },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE })
  })
  const answer = (await response.json()) as { access_token?: string }
  if (answer.access_token === undefined) throw new Error(`no token from the provider: ${JSON.stringify(answer)}`)
  return answer.access_token
}

async function configure(issuer: string, key: SigningKey): Promise<RequestListener> {
  // @ts-expect-error: the package brings no types
  const { default: Provider } = await import('oidc-provider')
  const resourceServer = {
    scope: 'read',
    audience: AUDIENCE,
    accessTokenFormat: 'jwt',
    accessTokenTTL: TOKEN_TTL_S,
    jwt: { sign: { alg: key.algorithm } }
  }
  const provider = new Provider(issuer, {
    jwks: { keys: [key.privateJwk] },
    clients: [{ ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    ttl: { ClientCredentials: TOKEN_TTL_S },
    clientDefaults: { id_token_signed_response_alg: key.algorithm },
    enabledJWA: { idTokenSigningAlgValues: [key.algorithm] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer
      }
    },
    formats: {
      customizers: {
        jwt(context: { get(header: string): string }, _token: unknown, jwt: { payload: Claims }) {
          Object.assign(jwt.payload, JSON.parse(context.get(CLAIMS_HEADER) || '{}'))
        }
      }
    }
  })
  return provider.callback()
}
