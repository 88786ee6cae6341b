import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import type { Role } from '../../engines/identity/index.ts'

const DAY_MS = 86_400_000
const clock = new ManualClock('2026-03-01T12:00:00.000Z')
let test: TestApp
let ada: string

interface Log {
  id: string
  time: string
  user: { id: string; name: string } | null
  action: string
  hash: string
}

const as = async (user: string, role: Role) => ({ token: await test.token(user, role) })

/** Three days: on each, Ada makes one key more than on the day before, and somebody is refused. */
before(async () => {
  test = await startTestApp({ clock })
  for (const day of [1, 2, 3]) {
    for (let n = 0; n < day; n++) {
      clock.advance(1000)
      const made = await test.call('POST', '/api/api-keys', { as: await as('ada', 'editor'), body: { name: `k${n}` } })
      ada = made.body.ownerId
    }
    const headers = { 'user-agent': `=cmd("x"),${day}` }
    await test.call('DELETE', '/api/api-keys/key_x', { as: await as('=Eve, "the" \u00e9ditor', 'viewer'), headers })
    await test.call('GET', '/api/users', { as: await as('ada', 'editor') })
    clock.advance(DAY_MS)
  }
  await list('')
})
after(() => test.close())

const get = async (path: string, headers = {}) => test.call('GET', path, { as: await as('root', 'admin'), headers })

async function list(query: string): Promise<{ logs: Log[]; total: number; nextCursor: string | null }> {
  const { status, body } = await get(`/api/audit/logs?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const actions = async (query: string) => (await list(query)).logs.map(({ action }) => action)

describe('GET /api/audit/logs', () => {
  it('is for administrators', async () => {
    for (const path of ['logs', `users/${ada}/activity`, 'verify', 'checkpoints']) {
      for (const role of ['viewer', 'editor'] as const) {
        const { status, body } = await test.call('GET', `/api/audit/${path}`, { as: await as(role, role) })
        assert.deepEqual([status, body.permission], [403, 'audit:admin'], path)
      }
    }
  })

  it('lists the newest first, and the oldest first when asked', async () => {
    const { logs } = await list('')
    const times = logs.map(({ time }) => time)
    assert.deepEqual(times, times.toSorted().reverse())
    const oldest = await list('sort=time')
    assert.deepEqual(oldest.logs, logs.toReversed())
  })

  it('filters by user, action, resource and outcome, and by all at once', async () => {
    assert.equal((await list(`user=${ada}&action=api-key.create`)).total, 6)
    assert.deepEqual(new Set((await list(`user=${ada}`)).logs.map(({ user }) => user?.name)), new Set(['ada']))
    assert.equal((await list('resourceId=key_x')).total, 3)
    assert.deepEqual(new Set(await actions('outcome=success&resourceType=user')), new Set(['user.create']))
    assert.deepEqual(new Set(await actions('outcome=refused&resourceType=user')), new Set(['getUserActivity']))
    assert.deepEqual(new Set(await actions('outcome=refused&resourceType=api-key')), new Set(['api-key.revoke']))
    assert.deepEqual(await actions('outcome=failed'), [])
    assert.equal((await list(`user=${ada}&outcome=refused&action=listUsers&resourceType=users`)).total, 3)
    assert.equal((await list('user=usr_nobody')).total, 0)
  })

  it('takes the beginning of an action with a star, and every other character for itself', async () => {
    assert.deepEqual(new Set(await actions('action=api-key.*')), new Set(['api-key.create', 'api-key.revoke']))
    assert.equal((await list('action=*')).total, (await list('')).total)
    for (const none of ['api-key', 'api_key.*', '%25', 'api-key.%25*', 'API-KEY.*', '*.create', 'api-key.create\\*']) {
      assert.deepEqual(await actions(`action=${none}`), [], none)
    }
  })

  it('refuses from after to, in whatever form they are, and says so', async () => {
    const [early, late] = ['2026-03-01T13:00:00+01:00', '2026-03-01T12:00:00.001Z'].map(encodeURIComponent)
    for (const path of ['/api/audit/logs', `/api/audit/users/${ada}/activity`]) {
      const { status, body } = await get(`${path}?from=${late}&to=${early}`)
      assert.deepEqual([status, body.errors[0].pointer], [400, '/query/from'], path)
      assert.match(body.errors[0].message, /^is after to/)
      assert.equal((await get(`${path}?from=${early}&to=${late}`)).status, 200)
      assert.equal((await get(`${path}?from=${early}&to=${early}`)).status, 200, 'is an empty time, but in order')
    }
    const headers = { accept: 'text/csv' }
    const exported = await test.call('GET', `/api/audit/logs?from=${late}&to=${early}`, { as: 'admin', headers })
    assert.equal(exported.status, 400)
  })

  it('takes any form of an instant, includes from and leaves out to', async () => {
    const creations = async (from: string, to: string) =>
      (await list(new URLSearchParams({ action: 'api-key.create', from, to }).toString())).total
    const all = (await list('action=api-key.create&sort=time')).logs
    const [first, second] = all.map(({ time }) => time) as [string, string]
    assert.equal(first, '2026-03-01T12:00:01.000Z')
    assert.equal(await creations(first, second), 1)
    assert.equal(await creations('2026-03-01T12:00:01Z', '2026-03-02T12:00:02Z'), 1)
    assert.equal(await creations('2026-03-01T13:00:01+01:00', '2026-03-02T07:00:02.001-05:00'), 2)
    assert.equal(await creations('2026-03-01t12:00:01.000001z', '2027-01-01T00:00:00Z'), 6, 'to the millisecond')
    for (const bad of [
      'yesterday',
      '2026-03-01',
      '2026-03-01T12:00:00',
      '2026-02-30T00:00:00Z',
      '2026-06-30T23:59:60Z'
    ]) {
      const { status, body } = await get(`/api/audit/logs?from=${bad}`)
      assert.deepEqual([status, body.errors[0].pointer], [400, '/query/from'], bad)
    }
  })

  it('pages through all of it once, while rows are added', async () => {
    const all = (await list('outcome=success')).logs.map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`outcome=success&limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.logs.map(({ id }) => id))
      assert.equal(page.total, all.length)
      cursor = page.nextCursor
      await test.call('POST', '/api/api-keys', { as: await as('busy', 'viewer'), body: { name: 'more' } })
    }
    assert.deepEqual(seen, all)
  })
})

describe('the export of the audit trail', () => {
  it('has as NDJSON what the list has, and can be checked with nothing but the documented hash', async () => {
    const admin = await as('root', 'admin')
    const { key } = (await test.call('POST', '/api/api-keys', { as: admin, body: { name: 'nightly' } })).body
    await test.call('POST', '/api/classification/levels', { as: { token: key }, body: { name: 'by key', rank: 77 } })
    const { headers, text } = await get('/api/audit/logs', { accept: 'application/x-ndjson' })
    assert.match(headers.get('content-type') ?? '', /^application\/x-ndjson/)
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { logs } = await list('sort=time&limit=1000')
    assert.deepEqual(
      rows.map(({ id, hash }) => [id, hash]),
      logs.map(({ id, hash }) => [id, hash])
    )
    const columns =
      'lane seq id time user_id user_name action resource_type resource_id outcome status code ip user_agent request_id changes'
    assert.ok(rows.some(({ api_key_id }) => api_key_id !== null))
    for (const row of rows.toSorted((a, b) => a.lane - b.lane || a.seq - b.seq)) {
      const before = rows.find(({ lane, seq }) => lane === row.lane && seq === row.seq - 1)?.hash ?? 'genesis'
      const hashed = row.api_key_id === null ? columns : `${columns} api_key_id api_key_name`
      const values = JSON.stringify(hashed.split(' ').map((column) => row[column]))
      assert.equal(row.previous_hash, before)
      assert.equal(row.hash, createHash('sha256').update(`${before}\n${values}`).digest('base64url'))
    }
  })

  it('honours the filters', async () => {
    const { text } = await get(`/api/audit/logs?user=${ada}&action=api-key.*`, { accept: 'application/x-ndjson' })
    assert.equal(text.split('\n').length, 6 + 1)
    const nothing = await get('/api/audit/logs?user=usr_nobody', { accept: 'text/csv' })
    assert.equal(nothing.text.split('\r\n').length, 2, 'the heading alone')
  })

  it('is as CSV what RFC 4180 says, and holds nothing that a spreadsheet would run', async () => {
    const { headers, text } = await get('/api/audit/logs?resourceId=key_x', { accept: 'text/csv' })
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    const [heading, ...rows] = parseCsv(text)
    assert.ok(heading)
    assert.equal(rows.length, 3)
    for (const [index, row] of rows.entries()) {
      assert.equal(row.length, heading.length)
      const cell = (column: string): string | undefined => row[heading.indexOf(column)]
      assert.equal(cell('user_name'), `'=Eve, "the" \u00e9ditor`)
      assert.equal(cell('user_agent'), `'=cmd("x"),${index + 1}`)
      assert.equal(cell('status'), '404')
      assert.equal(cell('changes'), '')
    }
    for (const cell of rows.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
  })

  it('refuses other forms', async () => {
    const { status, body } = await get('/api/audit/logs', { accept: 'application/xml' })
    assert.deepEqual([status, body.code, body.supported.length], [406, 'not_acceptable', 3])
  })
})

describe('GET /api/audit/users/:id/activity', () => {
  it('counts by day and by action beside the rows themselves', async () => {
    const { body } = await get(`/api/audit/users/${ada}/activity`)
    assert.deepEqual(body.perDay, [
      { day: '2026-03-01', count: 3 },
      { day: '2026-03-02', count: 3 },
      { day: '2026-03-03', count: 4 }
    ])
    assert.deepEqual(body.perAction, [
      { action: 'api-key.create', count: 6 },
      { action: 'listUsers', count: 3 },
      { action: 'user.create', count: 1 }
    ])
    assert.deepEqual([body.userId, body.total, body.logs.length], [ada, 10, 10])
    assert.ok(body.logs.every(({ user }: Log) => user?.id === ada))
  })

  it('counts the days that are asked for, 30 unless told, and pages', async () => {
    const range = 'from=2026-03-02T01:00:00%2B01:00&to=2026-03-03T00:00:00Z'
    const { body } = await get(`/api/audit/users/${ada}/activity?${range}&limit=1`)
    assert.deepEqual(body.perDay, [{ day: '2026-03-02', count: 3 }])
    assert.deepEqual([body.total, body.logs.length], [3, 1])
    const next = await get(`/api/audit/users/${ada}/activity?${range}&limit=1&cursor=${body.nextCursor}`)
    assert.ok(next.body.logs[0].id < body.logs[0].id)
    clock.advance(27 * DAY_MS)
    const later = (await get(`/api/audit/users/${ada}/activity`)).body
    assert.deepEqual(
      later.perDay.map(({ day }: { day: string }) => day),
      ['2026-03-02', '2026-03-03']
    )
    assert.equal((await get('/api/audit/users/usr_nobody/activity')).status, 404)
  })
})

/** Reads CSV by RFC 4180; anything that does not fit is an error. */
function parseCsv(text: string): string[][] {
  assert.ok(text.endsWith('\r\n'))
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((line) => {
      const cells = line.match(/(?<=^|,)("([^"]|"")*"|[^",]*)(?=,|$)/g) ?? []
      assert.equal(cells.join(','), line)
      return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    })
}
