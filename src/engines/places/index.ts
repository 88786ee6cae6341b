import { parseHost } from '../outbound/host.ts'

/**
 * Where a secret is sent to: texts by field, with one spelling for each place. A field with several places has a text
 * for each.
 */
export type Place = Readonly<Record<string, readonly string[]>>

/**
 * The fields in which `wanted` differs from the place that a secret was given for; none where the secret may be sent
 * there. Of several places some may be left out.
 */
export function strangeFields(given: Place, wanted: Place): string[] {
  const fields = new Set([...Object.keys(given), ...Object.keys(wanted)])
  return [...fields].filter((field) => {
    const known = given[field] ?? []
    const asked = wanted[field] ?? []
    return asked.length === 0 || asked.some((text) => !known.includes(text))
  })
}

/** The server that a URL names, in one spelling; text that is no such URL equals only itself. */
export function originText(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return url
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port)
  return `${parsed.protocol}//${endpointText(parsed.hostname, port)}`
}

/** A host, by name or address, and a port, in one spelling. */
export const endpointText = (host: string, port: number): string => `${hostText(host)} ${port}`

/** A host in one spelling; text that is no host equals only itself. */
export const hostText = (host: string): string => parseHost(host)?.text ?? host
