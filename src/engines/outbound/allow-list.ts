import ipaddr from 'ipaddr.js'
import { type Address, parseAddress, within } from './address.ts'
import { type Host, parseHost } from './host.ts'

/** Whether an entry permits calling `host` on `port` at this private address. */
export type AllowList = (host: Host, port: number, address: Address) => boolean

/** Entries are `host`, `*.suffix`, an address or a CIDR range; all but a range may end in `:port`. */
export function createAllowList(entries: readonly string[]): AllowList {
  const rules = entries.map((entry) => {
    const rule = parseRule(entry)
    if (rule === undefined) throw new Error(wrongEntry(entry))
    return rule
  })
  return (host, port, address) => rules.some((rule) => rule(host, port, address))
}

/** What is wrong with entries that could never match. */
export function allowListProblems(entries: readonly string[]): string[] {
  return entries.filter((entry) => parseRule(entry) === undefined).map(wrongEntry)
}

const parseRule = (entry: string): AllowList | undefined => parseRange(entry) ?? parseHostRule(entry)

const wrongEntry = (entry: string): string =>
  `ALLOWED_HOSTS has "${entry}", which is none of host, *.suffix, host:port and a CIDR range such as 10.0.0.0/8`

function parseRange(entry: string): AllowList | undefined {
  const [, start = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? []
  const address = parseAddress(start)
  if (address === undefined) return undefined
  // A mapped range was read as IPv4, so its length loses the 96 bits in front.
  const bits = Number(length) - (start.includes(':') && address.kind() === 'ipv4' ? 96 : 0)
  if (bits < 0 || bits > address.toByteArray().length * 8) return undefined
  return (_host, _port, candidate) => within(candidate, [[address, bits]])
}

function parseHostRule(entry: string): AllowList | undefined {
  const whole = parseAddress(entry)
  if (whole !== undefined) return addressRule(whole, undefined)

  const [, prefix, hostText = '', portText] = /^(\*\.)?(\[[^\]]*\]|[^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const host = parseHost(hostText)
  const port = portText === undefined ? undefined : Number(portText)
  if (host === undefined || port === 0 || (port ?? 0) > 65_535) return undefined
  if (host.address !== undefined) return prefix === undefined ? addressRule(host.address, port) : undefined

  const samePort = (candidate: number) => port === undefined || port === candidate
  if (prefix === undefined) return ({ text }, candidate) => samePort(candidate) && text === host.text
  return ({ text }, candidate) => samePort(candidate) && text.endsWith(`.${host.text}`)
}

/** An address counts however it was reached, by its own spelling or through a name. */
function addressRule(address: Address, port: number | undefined): AllowList {
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128
  return (_host, candidatePort, candidate) =>
    (port === undefined || port === candidatePort) && within(candidate, [[address, bits]])
}
