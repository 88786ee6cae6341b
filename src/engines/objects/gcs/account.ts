import { Storage } from '@google-cloud/storage'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import type { Credentials } from './credentials.ts'
import { fromGrant, fromNetwork } from './errors.ts'
import { type Origin, send, textOf } from './send.ts'

type StorageOptions = NonNullable<ConstructorParameters<typeof Storage>[0]>

/** A service account in the vendor's client: tokens for requests, and signatures for links. */
export interface Account {
  /** The value of the header. */
  authorization(): Promise<string>
  signedUrl(address: { bucket: string; key: string }, link: LinkOptions): Promise<string>
}

export interface LinkOptions {
  readonly endpoint: string
  readonly expiresInSeconds: number
  readonly contentDisposition: string | undefined
}

/**
 * The client's own requests for objects can't be given an agent and take proxies from the environment, so only its
 * parts for accounts are used; what those send goes through `send`.
 */
export function openAccount(credentials: Credentials, agents: GuardedAgents): Account {
  const { email, privateKey, projectId, tokenUri } = credentials
  const storage = new Storage({
    ...(projectId === undefined ? {} : { projectId }),
    clientOptions: {
      // The interceptors that this leaves out write headers and tokens to the log if the environment asks for it.
      useAuthRequestParameters: false,
      transporterOptions: { adapter: tokenAdapter(tokenUri, agents), retryConfig: { retry: 0, noResponseRetries: 0 } },
      ...(tokenUri === undefined ? {} : { additionalClaims: { aud: tokenUri } })
    } as object as NonNullable<StorageOptions['clientOptions']>
  })
  // With this set, nothing is searched for in files, the environment or metadata servers; the option that would set it
  // writes a warning to the console.
  storage.authClient.jsonContent = { client_email: email, private_key: privateKey }

  return {
    async authorization() {
      try {
        const client = await storage.authClient.getClient()
        const header = (await client.getRequestHeaders()).get('authorization')
        if (header !== null) return header
      } catch (error) {
        throw fromNetwork(error)
      }
      throw new StoreError('store_failed', 'The token service gave no token; try again later')
    },

    async signedUrl({ bucket, key }, link) {
      const now = Date.now()
      const [url] = await storage
        .bucket(bucket)
        .file(key)
        .getSignedUrl({
          version: 'v4',
          action: 'read',
          host: link.endpoint,
          accessibleAt: now,
          expires: now + link.expiresInSeconds * 1000,
          ...(link.contentDisposition === undefined ? {} : { responseDisposition: link.contentDisposition })
        })
      return url
    }
  }
}

/** Sends what the client would send. */
function tokenAdapter(tokenUri: string | undefined, agents: GuardedAgents) {
  return async (options: { readonly url: URL; readonly data?: unknown }) => {
    const url = tokenUri === undefined ? options.url : URL.parse(tokenUri)
    if (url === null) throw new StoreError('wrong_secret', 'The token_uri of the key file is not a URL; correct it')
    const answer = await send(
      originOf(url),
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: [Buffer.from(String(options.data))]
      },
      agents
    )
    const content = await textOf(answer)
    const status = answer.statusCode ?? 0
    if (status !== 200) throw fromGrant(status, content)
    return Object.assign(new Response(null, { status }), { config: options, data: JSON.parse(content) })
  }
}

function originOf({ protocol, hostname, port }: URL): Origin {
  const secure = protocol === 'https:'
  return { secure, host: hostname, port: port === '' ? (secure ? 443 : 80) : Number(port) }
}
