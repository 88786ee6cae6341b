import { Storage } from '@google-cloud/storage'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import { textOf } from '../remote/answer.ts'
import { exchange, originOf } from '../remote/exchange.ts'
import { fromNetwork } from '../remote/network-errors.ts'
import type { Credentials } from './credentials.ts'
import { fromGrant } from './errors.ts'

type StorageOptions = NonNullable<ConstructorParameters<typeof Storage>[0]>

/** A service account in the vendor's client: tokens for requests, and signatures for links. */
export interface Account {
  /** The value of the `Authorization` header. */
  authorization(): Promise<string>
  signedUrl(address: { bucket: string; key: string }, link: LinkOptions): Promise<string>
}

export interface LinkOptions {
  readonly endpoint: string
  readonly expiresInSeconds: number
  readonly contentDisposition: string | undefined
}

/**
 * The client's own requests for objects take no agent and use proxies of the environment, so only its code for
 * accounts is used; its requests go through `exchange`.
 */
export function openAccount(credentials: Credentials, agents: GuardedAgents): Account {
  const { email, privateKey, projectId, tokenUri } = credentials
  const storage = new Storage({
    ...(projectId === undefined ? {} : { projectId }),
    clientOptions: {
      // The interceptors that this leaves out would log headers and tokens if the environment asks for it.
      useAuthRequestParameters: false,
      transporterOptions: { adapter: tokenAdapter(tokenUri, agents), retryConfig: { retry: 0, noResponseRetries: 0 } },
      ...(tokenUri === undefined ? {} : { additionalClaims: { aud: tokenUri } })
    } as object as NonNullable<StorageOptions['clientOptions']>
  })
  // With this set, the client does not search files, the environment or metadata servers; the official option for it
  // prints a warning.
  storage.authClient.jsonContent = { client_email: email, private_key: privateKey }

  return {
    async authorization() {
      try {
        const client = await storage.authClient.getClient()
        const header = (await client.getRequestHeaders()).get('authorization')
        if (header !== null) return header
      } catch (error) {
        throw reasonOf(error)
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

/** Sends the token requests of the client. */
function tokenAdapter(tokenUri: string | undefined, agents: GuardedAgents) {
  return async (options: { readonly url: URL; readonly data?: unknown }) => {
    const url = tokenUri === undefined ? options.url : URL.parse(tokenUri)
    if (url === null) throw new StoreError('wrong_secret', 'The token_uri of the key file is not a URL; correct it')
    const message = {
      method: 'POST',
      path: url.pathname + url.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: [String(options.data)]
    }
    const answer = await exchange(originOf(url), message, { agents }).catch((error) => {
      throw fromNetwork(error) ?? error
    })
    const content = await textOf(answer)
    const status = answer.statusCode ?? 0
    if (status !== 200) throw fromGrant(status, content)
    return Object.assign(new Response(null, { status }), { config: options, data: JSON.parse(content) })
  }
}

/** The error of the adapter, which the client wraps. */
function reasonOf(error: unknown): unknown {
  for (let link = error; link instanceof Error; link = link.cause) if (link instanceof StoreError) return link
  return error
}
