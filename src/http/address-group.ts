const MAX_CHARS = 64
const GROUPS = 8
const NETWORK_GROUPS = 4

/** What is counted as one address: of IPv6 the network, since each of its hosts has more addresses than could be counted. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address.slice(0, MAX_CHARS)
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  const [before = '', after] = (address.split('%', 1)[0] as string).toLowerCase().split('::', 2)
  const first = before === '' ? [] : before.split(':')
  const last = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : Math.max(0, GROUPS - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':').slice(0, MAX_CHARS)}::/64`
}
