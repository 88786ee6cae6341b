import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { missingSnmpd, type Snmpd, startSnmpd } from '../../../../test/support/servers/snmpd.ts'
import { createOutbound } from '../../outbound/index.ts'
import { driverOf, findSource, type SourceConfig, type SourceFacts } from '../index.ts'
import { driverContract, type RunningSource } from '../testing/contract.ts'

const OWN = '1.3.6.1.4.1.99999'
const TABLE = `${OWN}.2.1`
const ROWS = 300
const indexes = Array.from({ length: ROWS }, (_, at) => `${at + 1}`)

/** A table of 300 rows whose third column has a value in every tenth row only. */
const values = [
  `${OWN}.1.1.0 integer -5`,
  `${OWN}.1.2.0 octet_str "Press 7"`,
  `${OWN}.1.3.0 object_id .1.3.6.1`,
  `${OWN}.1.4.0 timeticks 100`,
  `${OWN}.1.5.0 uinteger 4294967295`,
  `${OWN}.1.6.0 counter 4294967295`,
  `${OWN}.1.7.0 octet_str 0x001b44113ab7`,
  `${OWN}.1.8.0 octet_str "21.5"`,
  ...indexes.flatMap((index) => [
    `${TABLE}.2.${index} integer ${index}`,
    `${TABLE}.3.${index} octet_str "port ${index}"`,
    ...(Number(index) % 10 === 0 ? [`${TABLE}.4.${index} uinteger ${index}`] : [])
  ])
]
const columns = [
  { table: 'ports', name: 'number', oid: `.${TABLE}.2`, type: 'integer' },
  { table: 'ports', name: 'label', oid: `${TABLE}.3` },
  { table: 'ports', name: 'speed', oid: `${TABLE}.4`, type: 'number' }
]
const missing = missingSnmpd()
const secret = ({ community, user }: Snmpd) => [community, user.password, user.privacyPassword]

const fault = (
  changes: SourceConfig,
  step: 'resolve' | 'connect' | 'authenticate' | 'read',
  code: string,
  pointer: string
) => ({
  changes,
  step,
  code,
  pointer
})

function underTest(server: Snmpd, access: SourceConfig, wrong: RunningSource['wrong']): RunningSource {
  const { host, port, stop, restart } = server
  return {
    config: { host, port, ...access, columns },
    secrets: secret(server),
    steps: ['resolve', 'policy', 'connect', 'authenticate', 'read'],
    wrong: {
      'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
      'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/host'),
      ...wrong
    },
    stream: {
      name: 'ports',
      kind: 'table',
      columns: ['index text', 'number bigint', 'label text', 'speed double'],
      keys: ['index'],
      cursors: [],
      column: 'number',
      values: indexes.map(BigInt)
    },
    stop,
    restart
  }
}

driverContract('SNMP 2c as a source', {
  sourceId: 'snmp',
  missing,
  async start() {
    const server = await startSnmpd(makeFolder('drivers-snmp'), values)
    const twice = [
      { name: 'a', oid: `${OWN}.1.1.0` },
      { name: 'A', oid: `${OWN}.1.2.0` }
    ]
    return underTest(
      server,
      { community: server.community },
      {
        'a wrong community': fault({ community: 'wrong' }, 'connect', 'unreachable', '/host'),
        'nothing to read': fault({ columns: [] }, 'read', 'bad_request', '/values'),
        'a name for two values': fault({ values: twice }, 'read', 'bad_request', '/values'),
        'a value that is not there': fault(
          { values: [{ name: 'a', oid: `${OWN}.9.0` }] },
          'read',
          'not_found',
          '/values'
        ),
        'a table that is not there': fault(
          { columns: [{ table: 'a', name: 'b', oid: `${OWN}.9` }] },
          'read',
          'not_found',
          '/columns'
        )
      }
    )
  }
})

driverContract('SNMP 3 as a source', {
  sourceId: 'snmp',
  missing,
  async start() {
    const server = await startSnmpd(makeFolder('drivers-snmp3'), values)
    const { name, password, privacyPassword } = server.user
    const refused = 'wrong_credentials'
    return underTest(
      server,
      { version: '3', user: name, password, privacyPassword },
      {
        'a user that is not there': fault({ user: 'nobody' }, 'authenticate', refused, '/user'),
        'a wrong password': fault({ password: 'wrong-pass-12' }, 'authenticate', refused, '/password'),
        'a wrong privacy password': fault(
          { privacyPassword: 'wrong-pass-12' },
          'authenticate',
          refused,
          '/privacyPassword'
        )
      }
    )
  }
})

describe('an agent of SNMP', { skip: missing ?? false }, () => {
  let server: Snmpd
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  before(async () => {
    server = await startSnmpd(makeFolder('agent-snmp'), values)
  })
  after(async () => {
    await server.stop()
    await outbound.close()
  })

  async function readAll(config: SourceConfig, stream: string, signal = AbortSignal.timeout(20_000)) {
    const source = findSource('snmp') as SourceFacts
    const { host, port, community } = server
    const whole = { host, port, community, ...config }
    const opened = await (await driverOf(source)).open(whole, source, { outbound, packagesFolder: '/nowhere' })
    const records: Record<string, unknown>[] = []
    try {
      for await (const chunk of opened.read({ stream, signal }))
        for (let row = 0; row < chunk.rows; row++)
          records.push(Object.fromEntries(chunk.columns.map(({ name }, at) => [name, chunk.values[at]?.[row]])))
      return records
    } finally {
      await opened.close()
    }
  }

  it('has values of every type, which come as columns are declared, and nothing where they do not fit', async () => {
    const named = (name: string, oid: string, type?: string) => ({ name, oid, ...(type && { type }) })
    const [record = {}] = await readAll(
      {
        values: [
          named('integer', `${OWN}.1.1.0`, 'integer'),
          named('text', `${OWN}.1.2.0`),
          named('oid', `${OWN}.1.3.0`),
          named('ticks', `${OWN}.1.4.0`, 'number'),
          named('gauge', `${OWN}.1.5.0`, 'integer'),
          named('counter', `${OWN}.1.6.0`, 'integer'),
          named('card', `${OWN}.1.7.0`),
          named('decimal', `${OWN}.1.8.0`, 'number'),
          named('decimal as integer', `${OWN}.1.8.0`, 'integer'),
          named('text as number', `${OWN}.1.2.0`, 'number'),
          named('absent', `${OWN}.1.99.0`),
          named('address', '1.3.6.1.2.1.4.20.1.1.127.0.0.1'),
          named('location', '.1.3.6.1.2.1.1.6.0')
        ]
      },
      'values'
    )
    const { time, ...rest } = record
    assert.match(String(time), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/)
    assert.deepEqual(rest, {
      integer: -5n,
      text: 'Press 7',
      oid: '1.3.6.1',
      ticks: 100,
      gauge: 4_294_967_295n,
      counter: 4_294_967_295n,
      card: '00:1b:44:11:3a:b7',
      decimal: 21.5,
      'decimal as integer': null,
      'text as number': null,
      absent: null,
      address: '127.0.0.1',
      location: 'hall 3'
    })
  })

  it('has large counters and broken numbers', async () => {
    const counters = [{ table: 'links', name: 'in', oid: '1.3.6.1.2.1.31.1.1.1.6', type: 'integer' }]
    const links = await readAll({ columns: counters }, 'links')
    assert.ok(links.length > 0 && links.every(({ in: bytes }) => typeof bytes === 'bigint'))
    const [load] = await readAll(
      { values: [{ name: 'load', oid: '1.3.6.1.4.1.2021.10.1.6.1', type: 'number' }] },
      'values'
    )
    assert.ok(typeof load?.load === 'number' && load.load >= 0 && load.load < 1000)
  })

  it('has tables with gaps, whose rows stay together', async () => {
    const records = await readAll({ columns }, 'ports')
    assert.deepEqual(
      records,
      indexes.map((index) => ({
        index,
        number: BigInt(index),
        label: `port ${index}`,
        speed: Number(index) % 10 === 0 ? Number(index) : null
      }))
    )
  })

  it('is walked by parts of it, and of all that it has nothing is missing', async () => {
    const own = await readAll({ subtrees: [`${OWN}.1`, `${OWN}.2`] }, 'walk')
    assert.equal(own.length, values.length)
    assert.deepEqual(own[0], { oid: `${OWN}.1.1.0`, type: 'Integer', value: '-5' })
    const all = await readAll({ subtrees: ['1.3.6.1.2.1', OWN] }, 'walk')
    assert.equal(new Set(all.map(({ oid }) => oid)).size, all.length)
    assert.ok(all.length > own.length)
  })

  it('is left alone once the signal says so', async () => {
    const reason = new Error('enough')
    await assert.rejects(readAll({ columns }, 'ports', AbortSignal.abort(reason)), reason)
    const ending = new AbortController()
    const reading = readAll({ subtrees: ['1.3.6'] }, 'walk', ending.signal)
    setImmediate(() => ending.abort(reason))
    await assert.rejects(reading, reason)
  })
})
