import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request as it arrived: what a service judges a signature by. */
export interface Arrived {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const RESERVED = /[^A-Za-z0-9\-._~]/gu

/** Byte by byte, as RFC 3986 has it; another way to it than that of the signers. */
const spelt = (text: string) =>
  text.replace(RESERVED, (sign) =>
    [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  )

const plain = (text: string) => decodeURIComponent(text.replaceAll('+', '%20'))

function partsOf(target: string) {
  const [path = '', query = ''] = target.split('?')
  const pairs = query.split('&').flatMap((pair) => {
    if (pair === '') return []
    const at = pair.indexOf('=')
    return [at < 0 ? [plain(pair), ''] : [plain(pair.slice(0, at)), plain(pair.slice(at + 1))]]
  }) as [string, string][]
  return { path, pairs }
}

const inOrder = (pairs: readonly (readonly [string, string])[]) =>
  pairs
    .map(([name, value]) => [spelt(name), spelt(value)] as const)
    .sort(
      (a, b) =>
        Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0])) || Buffer.compare(Buffer.from(a[1]), Buffer.from(b[1]))
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Whether the signature of AWS, version 4, is right, as its documentation has it worked out. */
export function isSigV4Right(
  { method, target, headers, body }: Arrived,
  accessKey: string,
  secretKey: string
): boolean {
  const told =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? ''
    )
  if (told === null) return false
  const [, who, day = '', region = '', service = '', names = '', signature] = told
  const time = String(headers['x-amz-date'])
  if (who !== accessKey || !time.startsWith(day) || !names.split(';').includes('host')) return false
  const { path, pairs } = partsOf(target)
  const canonical = [
    method,
    // All services but one take slashes that follow one another for one.
    service === 's3' ? path : path.replace(/\/+/g, '/').split('/').map(spelt).join('/'),
    inOrder(pairs),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(body)
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = ['aws4_request'].reduce(hmac, [region, service].reduce(hmac, hmac(`AWS4${secretKey}`, day)))
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex') === signature
}

export interface OAuth1Secrets {
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly token: string
  readonly tokenSecret: string
}

/** Whether a signature of OAuth 1.0a is right, worked out as RFC 5849, section 3.4, says. */
export function isOAuth1Right({ method, target, headers, body }: Arrived, secrets: OAuth1Secrets): boolean {
  const told = [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const
  )
  const known = Object.fromEntries(told)
  if (known.oauth_consumer_key !== secrets.consumerKey || known.oauth_token !== secrets.token) return false
  const { path, pairs } = partsOf(target)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const own = told.filter(([name]) => name !== 'realm' && name !== 'oauth_signature')
  const parameters = inOrder([...own, ...pairs, ...(isForm ? partsOf(`?${body}`).pairs : [])])
  const base = [method, `http://${headers.host}${path}`, parameters].map(spelt).join('&')
  const algorithm = known.oauth_signature_method === 'HMAC-SHA1' ? 'sha1' : 'sha256'
  const key = `${spelt(secrets.consumerSecret)}&${spelt(secrets.tokenSecret)}`
  return createHmac(algorithm, key).update(base).digest('base64') === known.oauth_signature
}

/** Whether the key of a storage account signed a request for a table, as the documentation of Azure says. */
export function isAzureTableRight({ method, target, headers }: Arrived, account: string, key: string): boolean {
  const lines = [method, headers['content-md5'] ?? '', headers['content-type'] ?? '', headers['x-ms-date']]
  const text = [...lines, `/${account}${partsOf(target).path}`].join('\n')
  const signature = hmac(Buffer.from(key, 'base64'), text).toString('base64')
  return headers.authorization === `SharedKey ${account}:${signature}`
}
