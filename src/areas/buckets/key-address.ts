/** Where a key stands in an address; what follows it there, if anything, is an operation on it. */
const KEYS: readonly { readonly before: RegExp; readonly operations: readonly string[] }[] = [
  { before: /^\/api\/buckets\/[^/?]*\/objects\//, operations: ['/url'] },
  { before: /^\/api\/buckets\/[^/?]*\/links\/[^/?]*\//, operations: [] }
]

/**
 * Encodes the slashes of a key that came with plain ones, so that it is one segment of the address like every other
 * parameter. A key that itself ends in `/url` is meant when its last slash is encoded.
 */
export function encodeKeyInAddress(url: string): string {
  if (!url.startsWith('/api/buckets/')) return url
  for (const { before, operations } of KEYS) {
    const start = before.exec(url)?.[0].length
    if (start === undefined) continue
    const query = url.indexOf('?', start)
    const end = query === -1 ? url.length : query
    const rest = url.slice(start, end)
    const operation = operations.find((name) => rest.length > name.length && rest.endsWith(name)) ?? ''
    const key = rest.slice(0, rest.length - operation.length).replaceAll('/', '%2F')
    return url.slice(0, start) + key + operation + url.slice(end)
  }
  return url
}
