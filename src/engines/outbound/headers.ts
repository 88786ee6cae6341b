import { OutboundError } from './errors.ts'

/** These frame the message or name the host that was checked, so they follow from the URL and the body alone. */
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

/** Whether it is a header that callers can't give. */
export const refusedHeader = (name: string): boolean => OWN.has(name.toLowerCase())

/** Asks for an uncompressed answer unless the caller asks for another, so the bytes counted are the bytes there are. */
export function requestHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (refusedHeader(key)) throw new OutboundError('protocol', `The header ${key} is set by the client; leave it out`)
    headers[key] = value
  }
  return headers
}
