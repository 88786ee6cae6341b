import { createHash, createHmac } from 'node:crypto'
import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import type { SignNeeds } from './needs.ts'
import { bodyText, plainlySpelt, withContentType } from './request.ts'
import { headerText, optional, required } from './values.ts'

type SigV4 = Extract<Authentication, { kind: 'sigv4' }>

/** The signature of AWS, version 4. */
export const sigv4Signer = (sigv4: SigV4, scope: Scope, { clock }: Pick<SignNeeds, 'clock'>): Signer =>
  fixedSigner((request) => signed(request, sigv4, scope, new Date(clock.now())))

async function signed(given: Outgoing, sigv4: SigV4, scope: Scope, signingDate: Date): Promise<Outgoing> {
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const { service } = sigv4
  const sessionToken = optional(sigv4.sessionToken, scope)
  const signer = new SignatureV4({
    service,
    region: headerText(sigv4.region, scope),
    credentials: {
      accessKeyId: headerText(sigv4.accessKey, scope),
      secretAccessKey: required(sigv4.secretKey, scope).trim(),
      ...(sessionToken !== undefined && { sessionToken })
    },
    sha256: Sha256,
    // S3 alone signs the path as it is sent, and wants to be told the hash of the body.
    uriEscapePath: service !== 's3',
    applyChecksum: service === 's3'
  })
  const request = withContentType({ ...given, url: plainlySpelt(given.url) })
  const { url, method, headers } = request
  const { headers: all } = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...headers, host: url.host },
      body: bodyText(request.body)
    },
    { signingDate }
  )
  // The client names the host by itself.
  const { host: _host, ...sent } = all
  return { ...request, headers: sent }
}

function queryOf({ searchParams }: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const name of new Set(searchParams.keys())) query[name] = searchParams.getAll(name)
  return query
}

/** SHA-256, or with a secret its HMAC, as the library wants it. */
class Sha256 {
  readonly #hash

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {}
}

type SourceData = string | ArrayBuffer | ArrayBufferView

function bytesOf(data: SourceData): Uint8Array | string {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
