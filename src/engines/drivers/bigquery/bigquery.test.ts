// Once: no database. And no real project: none can be had here, so a server answers that is made after the documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Driver } from '../index.ts'
import { claimsOf, isSigned, KEY, STRANGER } from '../testing/google-account.ts'
import { type Asked, type Reply, ToldServer } from '../testing/http-server.ts'
import { collect, httpSuite } from '../testing/http-suite.ts'
import { answerOf, numbered } from '../testing/told-tables.ts'
import { accountOf } from './config.ts'
import { bigQuery } from './dialect.ts'
import { bigQueryDriver } from './driver.ts'

const tables = {
  listed: [
    ...[
      ['id', 'INT64'],
      ['batch', 'INT64'],
      ['label', 'STRING(20)']
    ].map(([name, type]) => ['plant', 'readings', '0', name, type, '1', '0', '1']),
    ...[
      ['flag', 'BOOL'],
      ['price', 'NUMERIC(12, 2)'],
      ['at', 'TIMESTAMP'],
      ['tags', 'ARRAY<STRING>'],
      ['raw', 'BYTES']
    ].map(([name, type]) => [...['plant', 'odd', '1', name, type], ...['1', '0', '1']])
  ],
  readings: numbered(String),
  odd: [
    ['true', '1.50', '2026-03-01 08:00:00.123456', '["a"]', 'AQI='],
    ['x', 'x', null, null, null]
  ]
}

/** A job runs on first, is complete when it is asked after, and has its rows page by page. */
function bigQueryServer(): ToldServer {
  const running = new Map<string, readonly (readonly unknown[])[]>()
  const page = (jobId: string, from: number, size: number): Reply => {
    const all = running.get(jobId) ?? []
    const rows = all.slice(from, from + size).map((row) => ({ f: row.map((v) => ({ v })) }))
    const pageToken = from + size < all.length ? String(from + size) : undefined
    return { body: { jobComplete: true, jobReference: { jobId, location: 'EU' }, rows, pageToken } }
  }
  return new ToldServer(({ method, path, query, text, body, headers }: Asked): Reply => {
    if (path === '/token') {
      if (!isSigned({ text })) return { status: 400, body: { error: 'invalid_grant' } }
      return { body: { access_token: 'token-1', expires_in: 3600 } }
    }
    if (headers.authorization !== 'Bearer token-1') return { status: 401, body: {} }
    if (path.endsWith('/datasets')) return { body: { datasets: [] } }
    if (method === 'POST') {
      const { query: statement = '', maxResults } = body as { query?: string; maxResults: number }
      const jobId = `j${running.size}`
      running.set(jobId, answerOf(statement.replace(/c\.table_name = "([^"]*)"/, "table_name = '$1'"), tables))
      if (running.size === 1) return { body: { jobComplete: false, jobReference: { jobId, location: 'EU' } } }
      return page(jobId, 0, maxResults)
    }
    assert.equal(query.get('location'), 'EU')
    return page(path.split('/').at(-1) ?? '', Number(query.get('pageToken') ?? 0), Number(query.get('maxResults')))
  })
}

const server = bigQueryServer()
/** At the port of the test, and not encrypted. */
const driver: Driver = {
  ...bigQueryDriver(),
  open({ port, ...config }, source, needs) {
    const local = { host: '127.0.0.1', port: Number(port), tls: false }
    return bigQueryDriver({ api: local, token: local }).open(config, source, needs)
  }
}

httpSuite(
  'BigQuery, as documented',
  {
    sourceId: 'bigquery',
    driver,
    server,
    config: (port) => ({ port, key: KEY, dataset: 'plant' }),
    stranger: { key: STRANGER },
    secretPointer: '/key',
    secrets: [accountOf({ key: KEY, dataset: '' }).privateKey, 'token-1'],
    stream: 'plant.readings',
    columns: ['id bigint', 'batch bigint', 'label text'],
    keys: [],
    cursors: ['id', 'batch'],
    cursor: 'batch',
    counted: 'id'
  },
  (using) => {
    it('reads each type, and what does not fit as null without touching its neighbours', async () => {
      const [chunk] = await using((opened) => collect(opened, { stream: 'plant.odd' }))
      assert.deepEqual(chunk?.values, [
        [true, null],
        ['1.50', null],
        ['2026-03-01 08:00:00.123456', null],
        ['["a"]', null],
        [Uint8Array.of(1, 2), null]
      ])
    })

    it('signs for a token to read with, once for many calls', async () => {
      await using((opened) => collect(opened, { stream: 'plant.readings' }))
      const asked = server.asked.filter(({ path }) => path === '/token')
      assert.equal(asked.length, 1)
      assert.deepEqual(await claimsOf(asked[0] as Asked), [
        'reader@plant.example',
        'https://www.googleapis.com/auth/bigquery.readonly'
      ])
    })

    it('tells a quota from a right', async () => {
      server.instead = ({ path }) =>
        path === '/token' ? undefined : { status: 403, body: { error: { errors: [{ reason: 'rateLimitExceeded' }] } } }
      await assert.rejects(
        using((opened) => collect(opened, { stream: 'plant.readings' })),
        { code: 'rate_limited' }
      )
    })

    it('says what is wrong with a key, and nothing of it', async () => {
      for (const key of [
        '{',
        '{}',
        JSON.stringify({ client_email: 'a', private_key: 's3cret-key', project_id: 'p' })
      ]) {
        const read = using((opened) => collect(opened, { stream: 'plant.readings' }), { key })
        await assert.rejects(read, ({ code, message }) => code === 'wrong_credentials' && !message.includes('s3cret'))
      }
    })
  }
)

it('BigQuery takes no position and no name for a part of a statement', () => {
  const { quote, form } = bigQuery('plant')
  assert.equal(quote('a`b\\'), '`a\\`b\\\\`')
  assert.equal(form('STRING').literal('"\\\n'), '"\\"\\\\\\n"')
})
