import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'

const KEYS = '/api/api-keys'
const LEVELS = '/api/classification/levels'
const DAY_MS = 24 * 3600_000

const isRunning = (answer: Answer) => answer.status === 409 && answer.body.code === 'idempotency_key_running'

describe('a POST with an Idempotency-Key', () => {
  const clock = new ManualClock()
  let test: TestApp
  let rank = 100

  before(async () => {
    test = await startTestApp({ clock })
    await test.call('GET', '/api/users/me', { as: 'admin' })
  })
  after(() => test.close())

  const post = (path: string, key: string, body: unknown, as: Parameters<TestApp['call']>[2] = {}) =>
    test.call('POST', path, { as: 'admin', ...as, body, headers: { 'idempotency-key': key } })
  const level = (name: string) => ({ name, rank: rank++ })
  const named = async (path: string, plural: string, name: string): Promise<unknown[]> =>
    (await test.call('GET', `${path}?q=${name}`, { as: 'admin' })).body[plural]

  it('is answered again only for whoever may still do all that the first caller might', async () => {
    const roles = ['viewer', 'editor', 'admin', undefined] as const
    for (const [first, role] of ['viewer', 'editor', 'admin'].entries()) {
      for (const [later, then] of roles.entries()) {
        const name = `${role}-${then}`
        const asRole = async (one: (typeof roles)[number]) => ({ as: { token: await test.token(name, one) } })
        const made = await post(KEYS, name, { name }, await asRole(role as 'viewer'))
        assert.equal(made.status, 201, name)
        const again = await post(KEYS, name, { name }, await asRole(then))
        const mayHave = then !== undefined && later >= first
        const { status, body, text } = again
        assert.deepEqual([status, body.code], mayHave ? [201, undefined] : [403, 'permission_denied'], name)
        assert.equal(text.includes(made.body.key), mayHave, name)
      }
    }
  })

  it('is answered again to a key only while its owner has the rights that it had', async () => {
    const asEditor = { as: { token: await test.token('owner', 'editor') } }
    const { body: made } = await test.call('POST', KEYS, { ...asEditor, body: { name: 'k' } })
    const asKey = { as: { token: made.key } }
    const first = await post(KEYS, 'of-key', { name: 'made-with-key' }, asKey)
    assert.equal(first.status, 201)
    assert.equal((await post(KEYS, 'of-key', { name: 'made-with-key' }, asKey)).text, first.text)
    await test.call('GET', '/api/users/me', { as: { token: await test.token('owner', 'viewer') } })
    clock.advance(1000) // what is known of an API key is looked up again after a second
    const later = await post(KEYS, 'of-key', { name: 'made-with-key' }, asKey)
    assert.deepEqual([later.status, later.body.code], [403, 'permission_denied'])
    // Another user, and another key of the same one, has claims of its own.
    const other = await post(KEYS, 'of-key', { name: 'made-with-key' }, asEditor)
    assert.deepEqual([other.status, other.headers.get('idempotency-replayed')], [201, null])
    assert.notEqual(other.body.key, first.body.key)
  })

  it('is never one that needs no caller: all of those would share their keys', async () => {
    const open = (await test.app.load())
      .flatMap(({ routes }) => routes)
      .filter(({ permission }) => permission === 'public')
    assert.ok(open.length > 0)
    for (const { method, path, read } of open) assert.ok(method !== 'POST' || read !== undefined, `${method} ${path}`)
  })

  for (const { path, plural, body } of [
    { path: KEYS, plural: 'apiKeys', body: { name: 'again-and-again' } },
    { path: LEVELS, plural: 'levels', body: level('again-and-again') }
  ]) {
    it(`gets the first answer again, byte for byte, and does nothing twice: ${path}`, async () => {
      const first = await post(path, `again-${plural}`, body)
      const second = await post(path, `again-${plural}`, body)
      assert.equal(first.status, 201)
      assert.equal(first.headers.get('idempotency-replayed'), null)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      assert.equal(second.status, first.status)
      assert.equal(second.text, first.text)
      for (const header of ['location', 'etag', 'content-type', 'content-length']) {
        assert.equal(second.headers.get(header), first.headers.get(header), header)
      }
      assert.equal(first.headers.get('location'), `${path}/${first.body.id}`)
      assert.equal(first.headers.get('etag'), path === LEVELS ? '"v1"' : null)
      assert.equal((await named(path, plural, 'again-and-again')).length, 1)
    })
  }

  it('refuses the key for another body or another address', async () => {
    const body = { name: 'reused' }
    assert.equal((await post(KEYS, 'reused', body)).status, 201)
    for (const answer of [
      await post(KEYS, 'reused', { name: 'reused-2' }),
      await post(KEYS, 'reused', { ...body, role: 'viewer' }),
      await post(LEVELS, 'reused', level('reused'))
    ]) {
      assert.equal(answer.status, 422)
      assert.equal(answer.body.code, 'idempotency_key_reused')
    }
    assert.equal((await post(KEYS, 'reused', body)).headers.get('idempotency-replayed'), 'true')
    assert.equal((await named(KEYS, 'apiKeys', 'reused')).length, 1)
  })

  it('keeps callers apart, and API keys from the user who made them', async () => {
    const body = { name: 'apart', role: 'viewer' }
    const mine = await post(KEYS, 'apart', body)
    const theirs = await post(KEYS, 'apart', body, { as: 'viewer' })
    const program = await post(KEYS, 'apart', body, { as: { token: mine.body.key } })
    assert.deepEqual([mine.status, theirs.status, program.status], [201, 201, 201])
    assert.equal(new Set([mine, theirs, program].map((answer) => answer.body.key)).size, 3)
    assert.equal((await post(KEYS, 'apart', body, { as: 'viewer' })).text, theirs.text)
    assert.equal((await post(KEYS, 'apart', body, { as: { token: mine.body.key } })).text, program.text)
  })

  it('makes one thing of twenty requests at once', async () => {
    for (let round = 0; round < 5; round++) {
      const body = { name: `at-once-${round}` }
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(KEYS, `at-once-${round}`, body)))
      const done = answers.filter(({ status }) => status === 201)
      for (const answer of answers) assert.ok(answer.status === 201 || isRunning(answer), answer.text)
      assert.equal(done.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1)
      assert.equal(new Set(done.map(({ text }) => text)).size, 1)
      assert.equal((await named(KEYS, 'apiKeys', body.name)).length, 1)
      assert.equal((await post(KEYS, `at-once-${round}`, body)).text, done[0]?.text)
    }
  })

  it('is told to wait while the first one runs', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(LEVELS, 'wait', level('wait'))))
    for (const answer of answers.filter(isRunning)) assert.equal(answer.headers.get('retry-after'), '1')
  })

  it('gives the key back when it fails, whatever arrives meanwhile', async () => {
    await post(LEVELS, 'first', level('taken'))
    for (let round = 0; round < 10; round++) {
      const refused = { name: 'taken', rank: 900 }
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(LEVELS, 'refused', refused)))
      for (const answer of answers) assert.equal(answer.status, 409, answer.text)
      assert.ok(answers.some(({ body }) => body.code === 'name_taken'))
    }
    const past = await post(KEYS, 'refused', { name: 'late', expiresAt: '2020-01-01T00:00:00Z' })
    assert.equal(past.status, 400)
    const invalid = await post(KEYS, 'refused', { name: '' })
    assert.equal(invalid.status, 400)
    const fixed = await post(LEVELS, 'refused', level('free'))
    assert.equal(fixed.status, 201)
  })

  it('keeps the answer sealed', async () => {
    const { body } = await post(KEYS, 'sealed', { name: 'sealed' })
    const rows = await test.platform.metadata.db.selectFrom('idempotency_keys').selectAll().execute()
    const row = rows.find(({ key }) => key === 'sealed')
    assert.equal(row?.status, 201)
    const secret = body.key.slice(10)
    assert.ok(!JSON.stringify(rows).includes(secret))
    if (test.platform.metadata.dialect !== 'sqlite') return
    for (const file of [test.database.file, `${test.database.file}-wal`]) {
      assert.ok(!readFileSync(file).includes(secret), file)
    }
  })

  it('takes the key bare or in quotes', async () => {
    const bare = await post(KEYS, 'quoted', { name: 'quoted' })
    assert.equal((await post(KEYS, '"quoted"', { name: 'quoted' })).text, bare.text)
  })

  for (const key of ['', '""', 'a b', 'ä', 'x'.repeat(256)]) {
    it(`refuses the key '${key.slice(0, 10)}'`, async () => {
      const answer = await post(KEYS, key, { name: 'bad-key' })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].pointer, '/headers/idempotency-key')
      assert.equal((await named(KEYS, 'apiKeys', 'bad-key')).length, 0)
    })
  }

  it('takes a key of 255 characters, and does not look at one on a PUT', async () => {
    assert.equal((await post(KEYS, 'x'.repeat(255), { name: 'long-key' })).status, 201)
    const put = { as: 'admin', body: { description: 'x' }, headers: { 'idempotency-key': 'a b' } } as const
    assert.equal((await test.call('PUT', `${LEVELS}/lvl_public`, put)).status, 200)
  })

  it('is a new request after 24 hours', async () => {
    const body = { name: 'daily' }
    const first = await post(KEYS, 'daily', body)
    clock.advance(DAY_MS - 1)
    const as = { token: await test.token('admin', 'admin') }
    assert.equal((await post(KEYS, 'daily', body, { as })).text, first.text)
    clock.advance(1)
    const next = await post(KEYS, 'daily', { ...body, role: 'viewer' }, { as })
    assert.equal(next.status, 201)
    assert.notEqual(next.body.id, first.body.id)
  })
})
