const BUCKETS = '/api/buckets/'
const OBJECTS = 'objects/'
const LINKS = 'links/'
const URL_OPERATION = '/url'

/**
 * Encodes the slashes of a key that came with plain ones, so that the key is one segment of the address. A key that
 * itself ends in `/url` has to be sent with its last slash encoded.
 */
export function encodeKeyInAddress(url: string): string {
  if (!url.startsWith(BUCKETS)) return url
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  const start = keyStart(url, end)
  const slash = url.indexOf('/', start)
  if (start >= end || slash === -1 || slash >= end) return url
  const isOperation = url.endsWith(URL_OPERATION, end) && url.startsWith(OBJECTS, start - OBJECTS.length)
  const keyEnd = isOperation && end - URL_OPERATION.length > start ? end - URL_OPERATION.length : end
  return url.slice(0, start) + url.slice(start, keyEnd).replaceAll('/', '%2F') + url.slice(keyEnd)
}

/**
 * The index at which the key begins: after `objects/`, or after `links/` and the link; the end where there is no key.
 */
function keyStart(url: string, end: number): number {
  const afterName = url.indexOf('/', BUCKETS.length) + 1
  if (afterName === 0 || afterName > end) return end
  if (url.startsWith(OBJECTS, afterName)) return afterName + OBJECTS.length
  if (!url.startsWith(LINKS, afterName)) return end
  const afterLink = url.indexOf('/', afterName + LINKS.length) + 1
  return afterLink === 0 ? end : afterLink
}
