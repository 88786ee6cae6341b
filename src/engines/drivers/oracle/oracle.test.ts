// Once: no database. And no real server: the package is not there for tests, so a played one answers in its place.
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { listen } from '../../outbound/testing/servers.ts'
import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import { findSource, type SourceFacts } from '../index.ts'
import { missingPackage } from '../testing/missing-package.ts'
import { settingsOf } from './config.ts'
import { ORACLE } from './dialect.ts'
import { fromOracle } from './errors.ts'
import { ORACLEDB, type OraclePackage } from './package.ts'
import { Packets } from './packets.ts'
import { openRelay } from './relay.ts'
import { OracleSpeaker } from './speaker.ts'

const CONFIG = {
  host: '127.0.0.1',
  port: 1521,
  service: 'ORCLPDB1',
  user: 'reader',
  password: 's3cret-oracle',
  tls: false
}
const source = findSource('oracle') as SourceFacts
const signal = () => AbortSignal.timeout(10_000)

/** A packet of a listener: its length, its type, and what is in it. */
function packet(type: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt16BE(8 + content.length, 0)
  head[4] = type
  return Buffer.concat([head, content])
}

const PLAYED = {
  OUT_FORMAT_ARRAY: 1,
  STRING: 2,
  BUFFER: 3,
  DB_TYPE_CLOB: 4,
  DB_TYPE_NCLOB: 5,
  DB_TYPE_LONG: 6,
  DB_TYPE_BLOB: 7
}
const LISTED = [
  ['PLANT', 'READINGS', 0, 'ID', 'NUMBER 18', 0, 1, 1],
  ['PLANT', 'READINGS', 0, 'PRICE', 'NUMBER', 1, 0, 1],
  ['PLANT', 'READINGS', 0, 'AT', 'TIMESTAMP(6) WITH TIME ZONE', 1, 0, 1],
  ['PLANT', 'READINGS', 0, 'SHAPE', 'SDO_GEOMETRY', 1, 0, 1]
]

describe('Oracle without its package', () => missingPackage('oracle', ORACLEDB, CONFIG))

describe('Oracle, played', () => {
  let outbound: Outbound
  let port = 0
  const sockets = new Set<Socket>()
  let greet: (socket: Socket) => void = () => {}
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    greet(socket)
  })
  before(async () => {
    outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    port = (await listen(server, {})).port
  })
  after(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await outbound.close()
  })

  /** What the package would do, over the relay: it connects, waits for an answer, and reads rows. */
  function played(rows: unknown[][], statements: string[]): OraclePackage {
    return {
      ...PLAYED,
      async getConnection({ connectString }) {
        assert.match(connectString, /\(HOST=127\.0\.0\.1\).*\(SERVICE_NAME=ORCLPDB1\)/)
        const socket = connect({ port: Number(/PORT=(\d+)/.exec(connectString)?.[1]), host: '127.0.0.1' })
        await new Promise((resolve, reject) =>
          socket
            .once('data', resolve)
            .once('error', reject)
            .once('close', () => reject(new Error('NJS-500: cut')))
        )
        return {
          async execute(statement) {
            statements.push(statement)
            const left = statement.includes('all_tab_columns') ? LISTED.slice() : rows.slice()
            return { resultSet: { getRows: async (count) => left.splice(0, count), close: async () => {} } }
          },
          close: async () => void socket.destroy()
        }
      }
    }
  }
  const opened = (rows: unknown[][] = [], statements: string[] = []) => {
    const speaker = new OracleSpeaker(settingsOf({ ...CONFIG, port }, source), outbound, async () =>
      played(rows, statements)
    )
    return new SystemSource(new TableSystem(speaker, ORACLE), outbound)
  }

  it('asks for what loses nothing on its way', async () => {
    greet = (socket) => socket.write(packet(2, Buffer.from('accepted')))
    const statements: string[] = []
    const cursor = { column: 'AT', after: '2026-03-01' }
    const rows = [['12345678901234567', '1.5', '2026-03-01 08:00:00.123456789', null]]
    const [chunk] = await Array.fromAsync(
      opened(rows, statements).read({ stream: 'PLANT.READINGS', cursor, limit: 9, signal: signal() })
    )
    assert.deepEqual(chunk?.values, [[12_345_678_901_234_567n], ['1.5'], ['2026-03-01 08:00:00.123456789'], [null]])
    const number = (column: string) => `TO_CHAR(t."${column}", 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,''')`
    assert.equal(
      statements.at(-1),
      `SELECT ${number('ID')} AS "c0", ${number('PRICE')} AS "c1", ` +
        `TO_CHAR(SYS_EXTRACT_UTC(t."AT"), 'YYYY-MM-DD HH24:MI:SS.FF9') AS "c2", NULL AS "c3" FROM "PLANT"."READINGS" t ` +
        `WHERE t."AT" > FROM_TZ(TO_TIMESTAMP('2026-03-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.FF9'), 'UTC') ` +
        'ORDER BY t."AT" FETCH FIRST 9 ROWS WITH TIES'
    )
  })

  it('follows a listener to no other server', async () => {
    let others = 0
    const other = createServer(() => {
      others += 1
    })
    const { port: otherPort } = await listen(other, {})
    greet = (socket) =>
      socket.write(packet(5, Buffer.from(`(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=${otherPort}))`)))
    const found = opened().discover({ limit: 1, signal: signal() })
    await assert.rejects(found, { code: 'refused_by_policy', message: /sends the connection on/ })
    assert.equal(others, 0)
    other.close()
  })

  it('carries everything else both ways, and ends with its end', async () => {
    greet = (socket) => socket.pipe(socket)
    const relay = await openRelay(settingsOf({ ...CONFIG, port }, source), outbound, signal())
    const client = connect({ port: relay.port, host: '127.0.0.1' })
    const sent = Buffer.concat([packet(2, Buffer.alloc(20)), Buffer.alloc(3_000_000, 5)])
    client.write(sent)
    const parts: Buffer[] = []
    for await (const part of client) if (parts.push(part) && Buffer.concat(parts).length === sent.length) break
    assert.ok(Buffer.concat(parts).equals(sent))
    relay.close()
    const again = connect({ port: relay.port, host: '127.0.0.1' })
    await assert.rejects(new Promise((_, reject) => again.once('error', reject)), { code: 'ECONNREFUSED' })
  })

  it('goes to the address that was checked', async () => {
    const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    const relay = openRelay(settingsOf({ ...CONFIG, port }, source), guarded, signal())
    await assert.rejects(relay, { code: 'refused_by_policy' })
    await guarded.close()
  })
})

describe('packets of Oracle', () => {
  it('show a redirection however they are cut, and nothing else as one', () => {
    const content = fc.uint8Array({ maxLength: 40 })
    const type = fc.constantFrom(4, 6, 11, 12)
    const packets = fc.array(fc.tuple(type, content), { maxLength: 5 })
    fc.assert(
      fc.property(
        packets,
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (before, hasAccepted, hasRedirect, size) => {
          const bytes = Buffer.concat([
            ...before.map(([kind, inside]) => packet(kind, inside)),
            ...(hasAccepted ? [packet(2, Buffer.alloc(30))] : []),
            ...(hasRedirect ? [packet(5, Buffer.from('elsewhere'))] : [])
          ])
          const reader = new Packets()
          const cuts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size)
          )
          const found = cuts.some((cut) => reader.isRedirect(cut))
          assert.equal(found, hasRedirect && !hasAccepted)
        }
      )
    )
  })
})

describe('errors of Oracle', () => {
  it('are told apart by their codes', () => {
    const told = (code: string) =>
      (fromOracle(Object.assign(new Error(`${code}: said`), { code })) as { code: string }).code
    const codes = ['ORA-01017', 'ORA-12514', 'ORA-00942', 'ORA-01031', 'ORA-01555', 'NJS-500', 'ORA-01722', 'NJS-999']
    const expected = [
      'wrong_credentials',
      'not_found',
      'not_found',
      'missing_permission',
      'unavailable',
      'unreachable',
      'bad_request',
      'unavailable'
    ]
    assert.deepEqual(codes.map(told), expected)
  })
})
