import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** `never` is refused whatever the settings say; `private` is refused unless a setting permits it. */
export type Reach = 'public' | 'private' | 'never'

type Range = [Address, number]

const NEVER = ranges(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // The position of the IPv4 address inside these depends on the network that uses them, so they can't be judged.
  '64:ff9b:1::/48',
  // Metadata services of cloud providers that are not link-local.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:42::42/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128'
)

const PRIVATE = ranges(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '2001:2::/48',
  '2001:db8::/32',
  '3fff::/20',
  'fc00::/7',
  'fec0::/10'
)

/** Compatible, translated and NAT64: the last four bytes are an IPv4 address. */
const ENDING_IN_IPV4 = ranges('::/96', '::ffff:0:0:0/96', '64:ff9b::/96')
const SIX_TO_FOUR = ranges('2002::/16')
const TEREDO = ranges('2001::/32')
const GLOBAL_UNICAST = ranges('2000::/3')
const PROTOCOL_ASSIGNMENTS = ranges('2001::/23')

/** Reads the plain spelling of an address; one that is IPv4 mapped into IPv6 is that IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  // A zone names a network interface of this machine, which users must not choose.
  if (text.includes('%')) return undefined
  const family = isIP(text)
  if (family === 4) return ipaddr.IPv4.parse(text)
  if (family === 0) return undefined
  const hexadecimal = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  return ipaddr.process(hexadecimal)
}

export function judge(address: Address): Reach {
  if (within(address, NEVER)) return 'never'
  if (within(address, PRIVATE)) return 'private'
  if (address.kind() === 'ipv4') return 'public'
  const carried = carriedIPv4(address).map(judge)
  if (carried.length > 0) return strictest(carried)
  return within(address, GLOBAL_UNICAST) && !within(address, PROTOCOL_ASSIGNMENTS) ? 'public' : 'never'
}

export function within(address: Address, list: readonly Range[]): boolean {
  return list.some((range) => range[0].kind() === address.kind() && address.match(range))
}

/** The IPv4 addresses that a translator or tunnel would turn this one into. */
function carriedIPv4(address: Address): Address[] {
  const bytes = address.toByteArray()
  if (within(address, ENDING_IN_IPV4)) return [new ipaddr.IPv4(bytes.slice(12))]
  if (within(address, SIX_TO_FOUR)) return [new ipaddr.IPv4(bytes.slice(2, 6))]
  if (!within(address, TEREDO)) return []
  const client = bytes.slice(12).map((byte) => byte ^ 0xff)
  return [new ipaddr.IPv4(bytes.slice(4, 8)), new ipaddr.IPv4(client)]
}

function strictest(reaches: readonly Reach[]): Reach {
  if (reaches.includes('never')) return 'never'
  return reaches.includes('private') ? 'private' : 'public'
}

function ranges(...texts: string[]): Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text))
}
