import { isIPv6 } from 'node:net'

/** Where a viewer was: enough to see that a link has got out of the house, and too little to tell who it was. */
export function addressClass(address: string): 'this machine' | 'private network' | 'internet' {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase()
  if (plain === '::1' || plain.startsWith('127.')) return 'this machine'
  if (isIPv6(plain)) return /^(f[cd]|fe[89ab])/.test(plain) ? 'private network' : 'internet'
  return /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(plain)
    ? 'private network'
    : 'internet'
}
