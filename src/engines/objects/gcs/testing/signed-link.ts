import { createHash, type KeyObject, verify } from 'node:crypto'

/** Whether a link has a valid V4 signature. Written from Google's description, independently of the code that signs. */
export function isSignedLink(method: string, link: URL, publicKey: KeyObject, now: number): boolean {
  const query = [...link.searchParams]
  const value = (name: string) => link.searchParams.get(name) ?? ''
  const canonicalQuery = query
    .filter(([name]) => name !== 'X-Goog-Signature')
    .map(([name, content]) => [encode(name), encode(content)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const request = [method, link.pathname, canonicalQuery, `host:${link.hostname}\n`, 'host', 'UNSIGNED-PAYLOAD']
  const time = value('X-Goog-Date')
  const scope = value('X-Goog-Credential').split('/').slice(1).join('/')
  const hash = createHash('sha256').update(request.join('\n')).digest('hex')
  const signed = Buffer.from(['GOOG4-RSA-SHA256', time, scope, hash].join('\n'))
  const began = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return (
    value('X-Goog-Algorithm') === 'GOOG4-RSA-SHA256' &&
    value('X-Goog-SignedHeaders') === 'host' &&
    scope === `${time.slice(0, 8)}/auto/storage/goog4_request` &&
    now < began + Number(value('X-Goog-Expires')) * 1000 &&
    verify('sha256', signed, publicKey, Buffer.from(value('X-Goog-Signature'), 'hex'))
  )
}

/** Encodes everything but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
