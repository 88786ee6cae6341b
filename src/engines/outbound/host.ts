import { type Address, parseAddress } from './address.ts'

/** A host in the one spelling it is judged by: an address, or a lower-case ASCII name without a trailing dot. */
export interface Host {
  readonly text: string
  /** Present where the host is an address, in whatever spelling it came. */
  readonly address?: Address
}

const MAX_NAME_LENGTH = 253
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
/** With one of these the text is more than a host, and the URL parser would take it apart or drop it. */
const NOT_A_HOST = /[\s/?#@:\\%[\]]/

export function parseHost(text: string): Host | undefined {
  const bracketed = /^\[(.*)\]$/.exec(text)
  const address = parseAddress(bracketed?.[1] ?? text)
  if (address !== undefined) return { text: address.toString(), address }
  if (text === '' || NOT_A_HOST.test(text)) return undefined

  // The URL parser reads every spelling of IPv4 that the system's resolver would: decimal, hex, octal, shortened.
  const canonical = URL.parse(`http://${text}/`)?.hostname
  if (canonical === undefined) return undefined
  const number = parseAddress(canonical)
  if (number !== undefined) return { text: number.toString(), address: number }
  const name = canonical.replace(/\.$/, '')
  return name.length <= MAX_NAME_LENGTH && NAME.test(name) ? { text: name } : undefined
}
