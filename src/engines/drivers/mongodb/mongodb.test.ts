// Once: no database. And no real server: the package is not there for tests, so a played one answers in its place.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { SystemSource } from '../common/source.ts'
import { findSource, runSteps, type SourceFacts, type StreamChunk } from '../index.ts'
import { missingPackage } from '../testing/missing-package.ts'
import { filterOf, kindsIn } from './columns.ts'
import { settingsOf } from './config.ts'
import { fromMongo } from './errors.ts'
import { MONGODB, type MongoPackage } from './package.ts'
import { MongoSystem } from './system.ts'
import { LONG_MAX, playedMongo, wrapped } from './testing/played.ts'
import { cellOf, joined, type Kind } from './values.ts'

const CONFIG = {
  host: '127.0.0.1',
  port: 27_017,
  database: 'plant',
  user: 'reader',
  password: 's3cret-mongo',
  tls: false
}
const source = findSource('mongodb') as SourceFacts
const ID = 'a'.repeat(24)

describe('MongoDB without its package', () => missingPackage('mongodb', MONGODB, CONFIG))

describe('values of MongoDB', () => {
  it('are told apart by their BSON type, and joined to what holds both', () => {
    const documents = [
      {
        _id: wrapped('ObjectId', ID),
        a: wrapped('Int32', 1),
        b: 'x',
        c: true,
        d: { e: 1 },
        f: wrapped('Int32', 1),
        none: null
      },
      {
        _id: wrapped('ObjectId', ID),
        a: wrapped('Double', 1.5),
        b: wrapped('ObjectId', ID),
        c: 'no',
        d: [1],
        f: wrapped('Long', LONG_MAX)
      }
    ]
    assert.deepEqual(Object.fromEntries(kindsIn(documents)), {
      _id: 'id',
      a: 'double',
      b: 'text',
      c: 'json',
      d: 'json',
      f: 'bigint'
    })
    const kinds: Kind[] = [
      'id',
      'integer',
      'bigint',
      'double',
      'decimal',
      'text',
      'boolean',
      'json',
      'blob',
      'timestamptz'
    ]
    for (const a of kinds) for (const b of kinds) assert.equal(joined(a, b), joined(b, a))
  })

  it('are read as they are, and null where they do not fit', () => {
    assert.equal(cellOf('bigint', wrapped('Long', LONG_MAX)), 9_223_372_036_854_775_807n)
    assert.equal(cellOf('bigint', wrapped('Int32', 7)), 7n)
    assert.equal(cellOf('integer', wrapped('Double', 1.5)), null)
    assert.equal(cellOf('decimal', wrapped('Decimal128', '1.50')), '1.50')
    assert.equal(cellOf('timestamptz', new Date(0)), '1970-01-01 00:00:00.000000')
    assert.equal(cellOf('timestamptz', 'soon'), null)
    assert.deepEqual(
      cellOf('blob', { _bsontype: 'Binary', buffer: Uint8Array.of(1, 2, 3, 0), position: 3 }),
      Uint8Array.of(1, 2, 3)
    )
    const nested = {
      id: wrapped('ObjectId', ID),
      n: [wrapped('Long', LONG_MAX), wrapped('Double', Number.NaN)],
      at: new Date(0),
      nil: null
    }
    assert.equal(
      cellOf('json', nested),
      `{"id":"${ID}","n":[${LONG_MAX},"NaN"],"at":"1970-01-01 00:00:00.000000","nil":null}`
    )
  })

  it('are compared as what they are', () => {
    const mongo = playedMongo({}) as MongoPackage
    assert.deepEqual(filterOf('id', '_id', null, mongo), { _id: { $type: 'objectId' } })
    assert.deepEqual(filterOf('timestamptz', 'at', '2026-03-01 08:00:00.5', mongo), {
      at: { $type: 'date', $gt: new Date('2026-03-01T08:00:00.500Z') }
    })
    assert.throws(() => filterOf('id', '_id', 'nonsense', mongo), { code: 'bad_request' })
    assert.throws(() => filterOf(undefined, 'absent', null, mongo), { code: 'not_found' })
    assert.throws(() => filterOf('json', 'inner', null, mongo), { code: 'bad_request' })
  })
})

describe('MongoDB, played', () => {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const documents = Array.from({ length: 25_000 }, (_, n) => ({
    _id: wrapped('ObjectId', n.toString(16).padStart(24, '0')),
    n: wrapped('Int32', n),
    batch: wrapped('Long', String(Math.floor(n / 7)))
  }))
  const open = (data = { readings: documents, 'system.views': [] }) => {
    const mongo = playedMongo(data)
    const system = new MongoSystem(settingsOf(CONFIG, source), outbound, async () => mongo)
    return { opened: new SystemSource(system, outbound), mongo, system }
  }
  const signal = () => AbortSignal.timeout(10_000)
  const numbers = (chunks: readonly StreamChunk[]) => chunks.flatMap(({ values }) => values[1] ?? [])

  it('finds collections with what is in their documents', async () => {
    const { opened } = open()
    const { streams, isWhole } = await opened.discover({ limit: 10, signal: signal() })
    assert.ok(isWhole)
    assert.deepEqual(streams, [
      {
        name: 'readings',
        kind: 'table',
        isReadable: true,
        columns: [
          { name: '_id', type: 'text', nullable: false },
          { name: 'n', type: 'integer', nullable: true },
          { name: 'batch', type: 'bigint', nullable: true }
        ],
        keys: ['_id'],
        cursors: ['_id', 'n', 'batch']
      }
    ])
  })

  it('reads by a cursor, and goes on after the server was gone', async () => {
    const { opened, mongo } = open()
    const seen: unknown[] = []
    let position: string | null = null
    mongo.diesAfter = 12_000
    for (let tries = 0; tries < 5 && seen.length < documents.length; tries++) {
      try {
        const cursor: { column: string; after: string | null } = { column: 'batch', after: position }
        for await (const chunk of opened.read({ stream: 'readings', cursor, signal: signal() })) {
          seen.push(...numbers([chunk]))
          position = chunk.position ?? null
        }
      } catch (error) {
        assert.deepEqual([(error as { code?: string }).code], ['unreachable'])
      }
    }
    assert.deepEqual(
      seen,
      Array.from({ length: documents.length }, (_, n) => n)
    )
    assert.ok(mongo.deaths > 0 && mongo.openCursors === 0)
  })

  it('reads an id as text, and goes on by it', async () => {
    const { opened } = open()
    const cursor = { column: '_id', after: (24_997).toString(16).padStart(24, '0') }
    const chunks = await Array.fromAsync(opened.read({ stream: 'readings', cursor, signal: signal() }))
    assert.deepEqual(numbers(chunks), [24_998, 24_999])
    await assert.rejects(Array.fromAsync(opened.read({ stream: 'absent', signal: signal() })), { code: 'not_found' })
  })

  it('keeps to one server, at an address that was checked', async () => {
    const { mongo, opened } = open()
    await opened.discover({ limit: 1, signal: signal() })
    assert.equal(mongo.options?.directConnection, true)
    const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    const refused = new MongoSystem(settingsOf(CONFIG, source), guarded, async () => mongo)
    const before = mongo.connections
    await assert.rejects(refused.enter(), { code: 'refused_by_policy' })
    assert.equal(mongo.connections, before)
    const looked = Promise.withResolvers<unknown>()
    mongo.options?.lookup('other.example', { all: true }, (_, addresses) => looked.resolve(addresses))
    assert.deepEqual(await looked.promise, [{ address: '127.0.0.1', family: 4 }])
  })

  it('tells errors apart by their documented numbers', async () => {
    const told = (code: number) => fromMongo(Object.assign(new Error('said'), { name: 'MongoServerError', code }))
    const codes = [18, 13, 50, 11600, 2].map((code) => (told(code) as { code: string }).code)
    assert.deepEqual(codes, ['wrong_credentials', 'missing_permission', 'timeout', 'unavailable', 'bad_request'])
    const expired = Object.assign(new Error('x'), {
      name: 'MongoServerSelectionError',
      cause: { cause: { code: 'CERT_HAS_EXPIRED' } }
    })
    assert.deepEqual([(fromMongo(expired) as { code: string }).code], ['tls_failed'])
    const { opened, mongo } = open()
    mongo.failsWith = Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 })
    const { grants, checks } = await runSteps(
      opened.steps.filter(({ name }) => name === 'list'),
      5000
    )
    assert.equal(checks[0]?.code, 'missing_permission')
    assert.deepEqual(grants, ['db.getSiblingDB("admin").grantRolesToUser("reader", [{"role":"read","db":"plant"}])'])
  })
})
