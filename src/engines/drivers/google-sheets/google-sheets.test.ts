// Once: no database. And no real spreadsheet: none can be had here, so a server answers that is made after the documentation.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import {
  findSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  type SourceFacts,
  type StreamRead
} from '../index.ts'
import { claimsOf, isSigned, KEY, STRANGER } from '../testing/google-account.ts'
import { type Asked, type Reply, ToldServer } from '../testing/http-server.ts'
import { runTold } from '../testing/http-suite.ts'
import { sheetsDriver } from './driver.ts'
import type { Cell } from './sheets.ts'

const ROWS = 12_000
const API_KEY = 'AIza-secret'

const SHEETS: Record<string, Cell[][]> = {
  readings: [['id', 'label'], ...Array.from({ length: ROWS }, (_, i) => [i, `row ${i}`])],
  "odd 'name'!": [['a', '', 'a', '_row', 1], [1.5, 'lost', true, '', 0], [], ['', 'lost'], ['2026-01-01', '', 'ü']],
  empty: []
}

function serve({ path, query, headers, text }: Asked): Reply {
  if (path === '/token') {
    if (!isSigned({ text })) return { status: 400, body: { error: 'invalid_grant' } }
    return { body: { access_token: 'token-1', expires_in: 3600 } }
  }
  if (headers['x-goog-api-key'] !== undefined && headers['x-goog-api-key'] !== API_KEY) {
    return { status: 400, body: { error: { message: 'API key not valid. Please pass a valid API key.' } } }
  }
  if (headers['x-goog-api-key'] === undefined && headers.authorization !== 'Bearer token-1')
    return { status: 401, body: {} }
  if (!path.startsWith('/v4/spreadsheets/book')) return { status: 404, body: {} }
  if (!path.endsWith('/values:batchGet')) {
    const sheets = Object.entries(SHEETS).map(([title, cells]) => ({
      properties: {
        title,
        sheetType: 'GRID',
        gridProperties: { rowCount: Math.max(cells.length, 100), columnCount: 26 }
      }
    }))
    return { body: { sheets: [...sheets, { properties: { title: 'chart', sheetType: 'OBJECT' } }] } }
  }
  assert.equal(query.get('valueRenderOption'), 'UNFORMATTED_VALUE')
  return { body: { valueRanges: query.getAll('ranges').map(rangeOf) } }
}

/** Rows that are empty at the end are left out, as Google does. */
function rangeOf(range: string) {
  const [, title = '', first, last] = /^'(.*)'!(\d+):(\d+)$/s.exec(range) ?? []
  const cells = SHEETS[title.replaceAll("''", "'")] ?? []
  const values = cells.slice(Number(first) - 1, Number(last))
  return { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) }
}

describe('Google Sheets, as documented', () => {
  const source = findSource('google-sheets') as SourceFacts
  const server = new ToldServer(serve)
  const running = runTold(server)
  const signal = () => AbortSignal.timeout(20_000)

  async function using<T>(
    work: (opened: OpenSource) => Promise<T>,
    config: SourceConfig = {},
    by = running.outbound
  ): Promise<T> {
    const local = { host: '127.0.0.1', port: running.port, tls: false }
    const given = { spreadsheet: 'book', key: KEY, ...config }
    const opened = await sheetsDriver({ api: local, token: local }).open(given, source, {
      outbound: by,
      packagesFolder: ''
    })
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }
  const recordsOf = (stream: string, more: Partial<StreamRead> = {}, config: SourceConfig = {}) =>
    using(async (opened) => {
      const rows: unknown[][] = []
      for await (const { values, rows: count } of opened.read({ stream, signal: signal(), ...more })) {
        for (let row = 0; row < count; row++) rows.push(values.map((column) => column[row]))
      }
      return rows
    }, config)
  const failing = async (config: SourceConfig, by = running.outbound) => {
    const { checks } = await using(({ steps }) => runSteps(steps, 20_000), config, by)
    const failed = checks.find(({ ok }) => !ok)
    assert.ok(!JSON.stringify(checks).includes(API_KEY))
    return [failed?.name, failed?.code, failed?.pointer]
  }

  it('passes every step with either kind of key, and is not called proven', async () => {
    assert.equal(source.isProven, false)
    for (const config of [
      {},
      { key: '', apiKey: API_KEY },
      { spreadsheet: 'https://docs.google.com/spreadsheets/d/book/edit#gid=0' }
    ]) {
      const { success, message } = await using(({ steps }) => runSteps(steps, 20_000), config)
      assert.ok(success, message)
    }
  })

  it('signs for a token to read with, once for many calls', async () => {
    await recordsOf('readings')
    const asked = server.asked.filter(({ path }) => path === '/token')
    assert.equal(asked.length, 1)
    assert.deepEqual(await claimsOf(asked[0] as Asked), [
      'reader@plant.example',
      'https://www.googleapis.com/auth/spreadsheets.readonly'
    ])
  })

  it('tells apart what is wrong', async () => {
    assert.deepEqual(await failing({ key: STRANGER }), ['authenticate', 'wrong_credentials', '/key'])
    assert.deepEqual(await failing({ key: '{' }), ['authenticate', 'wrong_credentials', '/key'])
    assert.deepEqual(await failing({ key: '' }), ['authenticate', 'wrong_credentials', '/key'])
    assert.deepEqual(await failing({ key: '', apiKey: 'wrong' }), ['authenticate', 'wrong_credentials', '/apiKey'])
    assert.deepEqual(await failing({ spreadsheet: 'absent' }), ['authenticate', 'not_found', '/spreadsheet'])
    server.instead = ({ path }) => (path === '/token' ? undefined : { status: 403, body: { error: { message: 'no' } } })
    assert.deepEqual(await failing({}), ['authenticate', 'missing_permission', '/spreadsheet'])
    await assert.rejects(recordsOf('readings'), /share it with reader@plant\.example/)
    server.instead = () => ({ status: 429, body: {} })
    assert.deepEqual((await failing({})).slice(0, 2), ['authenticate', 'rate_limited'])
  })

  it('connects to nothing that the policy refuses', async () => {
    const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    const seen = server.connections
    assert.equal((await failing({}, guarded))[1], 'refused_by_policy')
    assert.equal(server.connections, seen)
    await guarded.close()
  })

  it('finds sheets with the columns that their first rows name', async () => {
    const { streams, isWhole } = await using((opened) => opened.discover({ limit: 10, signal: signal() }))
    assert.ok(isWhole)
    assert.deepEqual(
      streams.map(({ name, columns }) => [name, columns.map((column) => `${column.name} ${column.type}`)]),
      [
        ['readings', ['_row bigint', 'id text', 'label text']],
        ["odd 'name'!", ['_row bigint', 'a text', 'a_2 text', '_row_2 text', '1 text']],
        ['empty', ['_row bigint']]
      ]
    )
    const first = await using((opened) => opened.discover({ limit: 1, signal: signal() }))
    assert.deepEqual([first.streams.length, first.isWhole], [1, false])
  })

  it('reads whatever cells hold as text, and leaves out rows that hold nothing', async () => {
    assert.deepEqual(await recordsOf("odd 'name'!"), [
      [2n, '1.5', 'true', null, '0'],
      [5n, '2026-01-01', 'ü', null, null]
    ])
    assert.deepEqual(await recordsOf('empty'), [])
    for (const name of ['absent', 'chart']) await assert.rejects(recordsOf(name), { code: 'not_found' })
  })

  it('goes on by the row after the server was gone, with nothing twice and nothing missing', async () => {
    const seen: unknown[] = []
    let [position, deaths]: [string | null, number] = [null, 0]
    for (let answers = 3; seen.length < ROWS; answers += 1) {
      server.reset()
      server.diesAfter = answers
      await using(async (opened) => {
        const cursor = { column: '_row', after: position }
        for await (const chunk of opened.read({ stream: 'readings', cursor, signal: signal() })) {
          seen.push(...(chunk.values[1] ?? []).map(Number))
          position = chunk.position ?? position
        }
      }).catch((error) => {
        assert.ok(error.isTransient, String(error))
        deaths += 1
      })
    }
    assert.ok(deaths > 0)
    server.reset()
    assert.deepEqual(
      seen,
      Array.from({ length: ROWS }, (_, i) => i)
    )
    await assert.rejects(recordsOf('readings', { cursor: { column: 'id', after: null } }), { code: 'bad_request' })
    await assert.rejects(recordsOf('readings', { cursor: { column: '_row', after: 'x' } }), { code: 'bad_request' })
  })

  it('says that columns were changed while they were read', async () => {
    let pages = 0
    server.instead = ({ path, query }) => {
      if (!path.endsWith('batchGet')) return undefined
      pages += 1
      const [header, cells] = query.getAll('ranges').map(rangeOf)
      return pages < 2 ? undefined : { body: { valueRanges: [{ ...header, values: [['id', 'other']] }, cells] } }
    }
    await assert.rejects(recordsOf('readings'), { code: 'unavailable', message: /were changed/ })
  })
})
