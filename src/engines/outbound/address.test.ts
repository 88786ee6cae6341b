import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judge, type Reach } from './address.ts'
import { parseHost } from './host.ts'

/** What a user may write as a host; `name` has to be looked up first, `invalid` is no host at all. */
const VERDICTS: Record<Reach | 'name' | 'invalid', readonly string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '134744072',
    '0x08080808',
    '010.8.8.8',
    '2606:4700:4700::1111',
    '[2606:4700:4700::1111]',
    '2001:200::1',
    '2a00:1450:4001:82a::200e',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:0:808:808::f7f7:f7f7'
  ],
  private: [
    '127.0.0.1',
    '127.255.255.254',
    '127.0.0.1.',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '10.0.0.0',
    '10.255.255.255',
    '012.0.0.1',
    '100.64.0.0',
    '100.127.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.65535',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.255',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2002:c0a8:101::5',
    '2001:0:a00:1::f7f7:f7f7',
    '2001:0:808:808::80ff:fffe',
    '2001:2::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fdff:ffff::1',
    'fec0::2'
  ],
  never: [
    '0.0.0.0',
    '0',
    '0.255.255.255',
    '169.254.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
    '4294967295',
    '::',
    '[::]',
    '::2',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:0.0.0.0',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::100.100.100.200',
    '64:ff9b:1::8.8.8.8',
    '2002:a9fe:a9fe::1',
    '2001:0:808:808::5601:5601',
    '2001:0:a9fe:a9fe::f7f7:f7f7',
    'fe80::1',
    'febf::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    'ff02::1',
    '100::1',
    '2001:10::1',
    '4000::1',
    '5f00::1'
  ],
  name: ['localhost', 'LOCALHOST.', 'db', 'my_db.internal', 'example.com.', 'xn--bcher-kva.example', 'bücher.example'],
  invalid: [
    '',
    '.',
    '..',
    'example.com..',
    'a..b',
    '256.0.0.1',
    '1.2.3.4.5',
    '0x100000000',
    '127.0.0.1..',
    'host.0x1',
    'fe80::1%eth0',
    '[fe80::1%25eth0]',
    '::1]',
    '[127.0.0.1',
    ':::1',
    'user@host',
    'host:80',
    'host/path',
    'host?x',
    'host#x',
    'ho\\st',
    'ho st',
    'local\thost',
    '%31%32%37.0.0.1',
    'a,b',
    `${'a'.repeat(254)}`
  ]
}

function verdictOn(text: string): string {
  const host = parseHost(text)
  if (host === undefined) return 'invalid'
  return host.address === undefined ? 'name' : judge(host.address)
}

for (const [verdict, hosts] of Object.entries(VERDICTS)) {
  test(`${hosts.length} hosts are ${verdict}`, () => {
    for (const host of hosts) assert.equal(verdictOn(host), verdict, host)
  })
}

test('names come out in one spelling', () => {
  assert.equal(parseHost('LocalHost.')?.text, 'localhost')
  assert.equal(parseHost('loc\u00ADalhost')?.text, 'localhost')
  assert.equal(parseHost('BÜCHER.example')?.text, 'xn--bcher-kva.example')
})

test('an address that is mapped into IPv6 is the IPv4 address', () => {
  assert.equal(parseHost('[::ffff:7f00:1]')?.text, '127.0.0.1')
  assert.equal(parseHost('::127.0.0.1')?.text, '::7f00:1')
})

const RANGES: readonly (readonly [from: string, bits: number, verdict: Reach])[] = [
  ['0.0.0.0', 8, 'never'],
  ['169.254.0.0', 16, 'never'],
  ['224.0.0.0', 4, 'never'],
  ['240.0.0.0', 4, 'never'],
  ['100.100.100.200', 32, 'never'],
  ['10.0.0.0', 8, 'private'],
  ['127.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['100.64.0.0', 11, 'private']
]

const refused = fc
  .constantFrom(...RANGES)
  .chain(([from, bits, verdict]) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => ({ value: toNumber(from) + offset, verdict }))
  )

test('an IPv4 address is refused alike in every spelling', () => {
  fc.assert(
    fc.property(refused, ({ value, verdict }) => {
      for (const spelling of spellings(value)) assert.equal(verdictOn(spelling), verdict, spelling)
    }),
    { numRuns: 2000 }
  )
})

function toNumber(dotted: string): number {
  return dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function spellings(value: number): string[] {
  const octets = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff)
  const [first, second, third, fourth] = octets as [number, number, number, number]
  const dotted = octets.join('.')
  const high = (first * 256 + second).toString(16)
  const low = (third * 256 + fourth).toString(16)
  return [
    dotted,
    `${dotted}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    `${first}.${value % 2 ** 24}`,
    `${first}.${second}.${value % 2 ** 16}`,
    `::ffff:${dotted}`,
    `[::FFFF:${high}:${low}]`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${dotted}`,
    `2002:${high}:${low}::1`
  ]
}
