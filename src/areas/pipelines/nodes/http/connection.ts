import { originText } from '../../../../engines/places/index.ts'
import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../http/type.ts'
import type { ConfigFault } from '../../contract/node-type.ts'
import { outsideData } from '../../contract/outside-data.ts'
import type { GoesTo } from '../../contract/secret-place.ts'

/** Parts of the configuration of nodes that speak HTTP. */

export const HttpUrl = (description: string) => Type.String({ minLength: 8, maxLength: 2000, description })

export const HttpHeaders = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: 200 },
  additionalProperties: { type: 'string', maxLength: 10_000, description: 'The value of the header; kept as a secret' },
  description: 'Headers to send, such as `authorization`; their values are never shown again'
})

/** Headers are for a server; which of its addresses is asked does not matter to them. */
const goesTo: GoesTo<{ readonly url: string }> = { url: ({ url }) => originText(url) }

export const HTTP_SECRETS = { headers: goesTo }

export const HttpMethod = <const M extends readonly string[]>(methods: M) =>
  OneOf(methods, `The method; ${methods[0]} unless said`)

export function urlFaults(url: string): ConfigFault[] {
  const parsed = URL.parse(url)
  const isGood = parsed !== null && /^https?:$/.test(parsed.protocol)
  if (!isGood) return [{ pointer: '/url', message: 'must be an address that begins with http:// or https://' }]
  if (parsed.username === '' && parsed.password === '') return []
  return [{ pointer: '/url', message: 'must be without user and password; give them in the header authorization' }]
}

/** What lies at an address, without what is asked of it: that may hold a key. */
export function httpData(url: string): string[] {
  const parsed = URL.parse(url)
  return parsed === null ? [] : [outsideData(parsed.origin, parsed.pathname.slice(1) || '/')]
}
