// Once: no database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { runSteps } from '../check.ts'
import { declaredDriver } from './driver.ts'
import type { Entry, StreamEntry } from './entry.ts'
import { HastyClock } from './testing/hasty-clock.ts'
import { Simulator } from './testing/simulator.ts'
import { entryOf } from './testing/world.ts'

const TOKEN = 's3cret-token'
const things: StreamEntry = { path: '/things', records: 'data', key: 'id', cursor: { field: 'at' } }
const parts: StreamEntry = {
  path: '/things/{parent.thing}/parts',
  records: '',
  each: { stream: 'things', as: { thing: 'id' } }
}
const entry = {
  ...entryOf({
    things,
    parts,
    odd: { ...things, path: '/odd' },
    told: { ...things, columns: { id: 'bigint' } },
    off: { ...things, unreadable: 'it needs a report' }
  }),
  base: 'https://{region}.example.com/v1',
  settings: { token: { secret: true }, region: {} }
} as Entry

describe('the driver of declared sources', () => {
  const simulator = new Simulator(
    [
      { stream: things, records: [{ id: 1, at: '2026-01-01T00:00:00Z', tags: ['a'] }] },
      { stream: parts, records: [{ size: 1.5 }] }
    ],
    {
      instead({ headers, url }) {
        if (headers.authorization !== `Bearer ${TOKEN}`)
          return { status: 401, body: { message: `not ${headers.authorization}` } }
        return url.pathname === '/odd' ? { status: 403, body: {} } : undefined
      }
    }
  )
  let base_url = ''
  let outbound: Outbound
  before(async () => {
    base_url = await simulator.start()
    outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  })
  after(async () => {
    simulator.stop()
    await outbound.close()
  })
  const driver = declaredDriver(entry)
  const open = (more: object = {}, by = outbound) =>
    driver.open({ token: TOKEN, region: 'eu', base_url, ...more }, {} as never, {
      outbound: by,
      packagesFolder: '',
      clock: new HastyClock()
    })

  it('tests step by step', async () => {
    const source = await open()
    const outcome = await runSteps(source.steps, 20_000)
    assert.deepEqual(
      outcome.checks.map(({ name, ok }) => [name, ok]),
      ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'].map((name) => [name, true])
    )
    assert.match(outcome.message, /things can be read/)
    await source.close()
  })

  it('says which setting is wrong, without its value', async () => {
    const source = await open({ token: 'wrong-s3cret' })
    const { checks } = await runSteps(source.steps, 20_000)
    const failed = checks.find(({ ok }) => !ok)
    assert.deepEqual([failed?.name, failed?.code, failed?.pointer], ['authenticate', 'wrong_credentials', '/token'])
    assert.ok(!JSON.stringify(checks).includes('wrong-s3cret'))
  })

  it('says what is not there as such, and not as if the credentials were wrong', async () => {
    const lost = declaredDriver({ ...entry, check: { path: '/nowhere' } })
    const needs = { outbound, packagesFolder: '', clock: new HastyClock() }
    const source = await lost.open({ token: TOKEN, region: 'eu', base_url }, {} as never, needs)
    const { checks } = await runSteps(source.steps, 20_000)
    const failed = checks.find(({ ok }) => !ok)
    assert.deepEqual([failed?.name, failed?.code], ['read', 'not_found'])
    assert.match(failed?.message ?? '', /nothing at \/nowhere/)
  })

  it('discovers all streams, and the columns of those that can be read', async () => {
    const source = await open()
    const { streams, isWhole } = await source.discover({ limit: 100, signal: AbortSignal.timeout(20_000) })
    assert.equal(isWhole, true)
    assert.deepEqual(
      streams.map(({ name, isReadable, columns }) => [
        name,
        isReadable,
        columns.map((column) => `${column.name} ${column.type}`).join(', ')
      ]),
      [
        ['things', true, 'id bigint, at text, tags json, _rest json'],
        ['parts', true, 'size double, thing bigint, _rest json'],
        ['odd', true, 'id json, at text, _rest json'],
        ['told', true, 'id bigint, at text, _rest json'],
        ['off', false, 'id json, at text, _rest json']
      ]
    )
    assert.deepEqual(streams[0]?.cursors, ['at'])
    const notes = Object.fromEntries(streams.map(({ name, note }) => [name, note]))
    assert.deepEqual([notes.things, notes.parts, notes.told, notes.off], [...Array(3), 'it needs a report'])
    assert.match(notes.odd ?? '', /columns are not known: A right is missing/)
    await assert.rejects(Array.fromAsync(source.read({ stream: 'off', signal: AbortSignal.timeout(5000) })), {
      message: /needs a report/
    })
  })

  it('takes another address only where private networks may be called, and binds secrets to it', async () => {
    const strict = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    await assert.rejects(open({}, strict), { code: 'refused_by_policy', pointer: '/base_url' })
    await assert.rejects(open({ base_url: 'ftp://x' }), { code: 'bad_request', pointer: '/base_url' })
    const config = { token: TOKEN, region: 'eu' }
    const { token } = driver.placesOf({ ...config, base_url }, {} as never)
    assert.notDeepEqual(token, driver.placesOf(config, {} as never).token)
    assert.ok(JSON.stringify(token).includes('127.0.0.1'))
    await strict.close()
  })

  it('lets no setting lead to another host', async () => {
    for (const region of [
      'evil.example/',
      'a@evil.example',
      'evil.example#',
      'evil.example?',
      'x\\y',
      'a:b@c/',
      '..%2f'
    ]) {
      await assert.rejects(open({ region, base_url: undefined }), { code: 'bad_request', pointer: '/region' }, region)
    }
  })
})
