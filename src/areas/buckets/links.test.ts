import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeBucket, objectPath, put, send } from '../../../test/support/objects/client.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'linked'
const OLD_SECRET = 'an old secret of more than 32 characters'
const NEW_SECRET = 'a new secret of more than 32 characters!'
const LARGE = pattern(2_000_000)

describe('a link', () => {
  const clock = new ManualClock()
  let test: TestApp

  const startWith = (secrets: string, database?: TestApp['database']) =>
    startTestApp({ clock: clock, env: { SECRET_KEY: secrets }, ...(database && { database }) })

  before(async () => {
    test = await startWith(OLD_SECRET)
    await makeBucket(test, BUCKET)
    await makeBucket(test, 'linked-too')
    for (const bucket of [BUCKET, 'linked-too']) {
      await put(test, bucket, 'x', 'content', { 'content-type': 'text/plain' })
      await put(test, bucket, 'y', 'other')
    }
    await put(test, BUCKET, 'large', LARGE)
  })
  after(() => test.close())

  const ask = (key: string, query = '') => send(test, 'GET', `${objectPath(BUCKET, key)}/url${query}`, { as: 'viewer' })
  const make = async (body: object) =>
    (await test.call('POST', `/api/buckets/${BUCKET}/links`, { as: { token: await test.token('e', 'editor') }, body }))
      .body
  const use = (url: string, method = 'GET', headers = {}) => send(test, method, url, { as: null, headers })
  const shown = async (id: string) =>
    (await send(test, 'GET', `/api/buckets/${BUCKET}/links/${id}`, { as: 'viewer' })).body
  const here = (url: string) => test.url + new URL(url).pathname + new URL(url).search

  it('works for an hour, or as long as was asked for, without a token', async () => {
    for (const [query, seconds] of [
      ['', 3600],
      ['?expiry=1', 1],
      ['?expiry=604800', 604_800]
    ] as const) {
      const { status, body } = await ask('x', query)
      assert.equal(status, 200)
      assert.equal(Date.parse(body.expiresAt), clock.now() + seconds * 1000)
      assert.match(body.linkId, /^lnk_/)
      const answer = await use(body.url)
      assert.deepEqual([answer.status, String(answer.bytes)], [200, 'content'])
      clock.advance(seconds * 1000 - 1)
      assert.equal((await use(body.url)).status, 200, 'to the last moment')
      clock.advance(1)
      const late = await use(body.url)
      assert.deepEqual([late.status, late.body.code], [403, 'link_expired'])
      assert.equal((await use(body.url, 'HEAD')).status, 403)
    }
  })

  it('can’t be asked for with a time that makes no sense', async () => {
    for (const expiry of ['0', '604801', '-1', '1.5', 'x', '', '99999999999999999999']) {
      const { status, body } = await ask('x', `?expiry=${expiry}`)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/query/expiry'], `${expiry} ${JSON.stringify(body)}`)
    }
    assert.equal((await ask('none')).status, 404)
    assert.equal((await ask('x', '?expires=5')).status, 400)
    assert.equal((await make({ key: 'x', maxUses: 0 })).status, 400)
  })

  it('with any character changed is refused', { timeout: 120_000 }, async () => {
    const { url } = (await ask('x')).body
    const { pathname, searchParams } = new URL(url)
    const [, , , bucket, , id, key] = pathname.split('/') as string[]
    const parts = { bucket, id, key, expires: searchParams.get('expires'), signature: searchParams.get('signature') }
    const addressOf = (all: Record<string, string | null | undefined>) =>
      `/api/buckets/${all.bucket}/links/${all.id}/${all.key}?expires=${all.expires}&signature=${all.signature}`
    assert.equal((await use(addressOf(parts))).status, 200)
    for (const [name, value] of Object.entries(parts) as [string, string][]) {
      for (let at = 0; at < value.length; at++) {
        const others = name === 'expires' ? ['9', '0', ' '] : ['A', 'b', '-', '_', '0', '%20']
        for (const other of others.filter((character) => character !== value[at]).slice(0, 3)) {
          const changed = value.slice(0, at) + other + value.slice(at + 1)
          const { status } = await use(addressOf({ ...parts, [name]: changed }))
          assert.equal(status, 403, `${name} ${value} as ${changed}`)
        }
      }
      for (const changed of [`${value}0`, value.slice(0, -1), value.slice(1), `0${value}`]) {
        if (changed === '') continue
        assert.equal((await use(addressOf({ ...parts, [name]: changed }))).status, 403, `${name} as ${changed}`)
      }
    }
    assert.equal((await use(addressOf({ ...parts, key: 'y' }))).status, 403, 'another object')
    assert.equal((await use(addressOf({ ...parts, bucket: 'linked-too' }))).status, 403, 'another bucket')
    assert.equal((await use(url.replace(/&signature=.*/, ''))).status, 403)
    assert.equal((await use(url.replace(/\?.*/, ''))).status, 403)
    assert.equal((await use(`${url}&signature=x`)).status, 403, 'said twice')
  })

  it('is for reading only', async () => {
    const { url } = (await ask('x')).body
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, body } = await use(url, method)
      assert.deepEqual([status, body.code], [403, 'link_refused'], method)
    }
    assert.equal((await use(url)).status, 200)
    const asObject = await use(url.replace(/\/links\/[^/]*\//, '/objects/'))
    assert.equal(asObject.status, 401, 'nor is it a token')
  })

  it('is counted, but not by HEAD', async () => {
    const made = await make({ key: 'x', maxUses: 3 })
    const { url, ...link } = made
    assert.deepEqual([link.uses, link.maxUses, link.lastUsedAt, link.kind], [0, 3, null, 'server'])
    assert.equal((await use(url, 'HEAD')).status, 200)
    assert.deepEqual(await shown(link.id), link, 'without the link itself')
    for (let uses = 1; uses <= 3; uses++) {
      assert.equal((await use(url)).status, 200)
      const { uses: counted, lastUsedAt } = await shown(link.id)
      assert.deepEqual([counted, lastUsedAt], [uses, clock.iso()])
    }
    for (const method of ['GET', 'HEAD']) assert.equal((await use(url, method)).status, 403, method)
    assert.equal((await shown(link.id)).uses, 3)
  })

  it('is used no more often than it may be, however many try at once', async () => {
    const { url, id } = await make({ key: 'x', maxUses: 7 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(url)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(7).fill(200), ...Array(13).fill(403)])
    assert.equal((await shown(id)).uses, 7)
  })

  it('is refused once it is revoked', async () => {
    const { url, id } = await make({ key: 'x' })
    assert.equal((await use(url)).status, 200)
    const path = `/api/buckets/${BUCKET}/links/${id}`
    assert.equal((await send(test, 'DELETE', path, { as: 'viewer' })).status, 403)
    assert.equal((await send(test, 'DELETE', path)).status, 204)
    for (const method of ['GET', 'HEAD']) assert.equal((await use(url, method)).status, 403, method)
    const { revokedAt } = await shown(id)
    assert.equal(revokedAt, clock.iso())
    clock.advance(1000)
    assert.equal((await send(test, 'DELETE', path)).status, 204)
    assert.equal((await shown(id)).revokedAt, revokedAt, 'a second time changes nothing')
    assert.equal((await send(test, 'DELETE', `/api/buckets/linked-too/links/${id}`)).status, 404)
    assert.equal((await send(test, 'DELETE', `/api/buckets/${BUCKET}/links/lnk_none`)).status, 404)
  })

  it('is listed without itself, by object too', async () => {
    await put(test, BUCKET, 'for/list', 'x')
    const ids = [(await make({ key: 'for/list' })).id, (await ask('for/list')).body.linkId]
    const { body } = await send(test, 'GET', `/api/buckets/${BUCKET}/links?key=for/list`, { as: 'viewer' })
    assert.deepEqual(body.links.map(({ id }: { id: string }) => id).sort(), ids.sort())
    assert.deepEqual([body.total, body.nextCursor], [2, null])
    assert.doesNotMatch(JSON.stringify(body), /signature/)
    const page = await send(test, 'GET', `/api/buckets/${BUCKET}/links?limit=2`, { as: 'viewer' })
    assert.deepEqual([page.body.links.length, typeof page.body.nextCursor], [2, 'string'])
    const logs = await send(test, 'GET', '/api/audit/logs?action=link.create&limit=1000', { as: 'admin' })
    assert.ok(logs.body.logs.some(({ resourceId }: { resourceId: string }) => resourceId === ids[0]))
    assert.doesNotMatch(JSON.stringify(logs.body), /signature/)
  })

  it('saves under the name that was asked for', async () => {
    for (const [name, plain, encoded] of [
      ['report.csv', 'report.csv', 'report.csv'],
      ['\u00fcber "uns".csv', '_ber _uns_.csv', '%C3%BCber%20%22uns%22.csv'],
      ["it's; (a)\\b*.csv", "it's; (a)_b*.csv", 'it%27s%3B%20%28a%29%5Cb%2a.csv'],
      ['a\r\nset-cookie: x', 'a__set-cookie: x', 'a__set-cookie%3A%20x']
    ] as const) {
      const { body } = await ask('x', `?download=${encodeURIComponent(name)}`)
      const { status, headers } = await use(body.url)
      assert.equal(status, 200)
      assert.equal(headers.get('content-disposition'), `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
      assert.equal(headers.get('set-cookie'), null)
    }
    const named = await use((await ask('for/list')).body.url)
    assert.match(named.headers.get('content-disposition') ?? '', /filename="list"/)
    assert.equal((await ask('x', '?download=')).status, 400)
    assert.equal((await ask('x', `?download=${'n'.repeat(201)}`)).status, 400)
  })

  it('takes ranges and conditions', async () => {
    const { url } = (await ask('large')).body
    const part = await use(url, 'GET', { range: 'bytes=1000000-1000009' })
    assert.equal(part.status, 206)
    assert.ok(part.bytes.equals(LARGE.subarray(1_000_000, 1_000_010)))
    assert.equal((await use(url, 'GET', { 'if-none-match': part.headers.get('etag') as string })).status, 304)
    assert.equal((await use(url, 'GET', { range: 'bytes=9000000-' })).status, 416)
    assert.ok((await use(url)).bytes.equals(LARGE))
  })

  it('to an object that is gone finds nothing, and one to a bucket that is gone is refused', async () => {
    await makeBucket(test, 'going')
    await put(test, 'going', 'x', 'x')
    const { url } = (await send(test, 'GET', `${objectPath('going', 'x')}/url`)).body
    await send(test, 'DELETE', objectPath('going', 'x'))
    assert.equal((await use(url)).status, 404)
    await send(test, 'DELETE', '/api/buckets/going')
    assert.equal((await use(url)).status, 403)
    await makeBucket(test, 'going')
    await put(test, 'going', 'x', 'somebody else’s')
    assert.equal((await use(url)).status, 403, 'also when there is another one of that name')
  })

  it('outlives a restart and a change of the secret', async () => {
    const { url } = (await ask('x', '?expiry=604800')).body
    test = await test.reopen()
    assert.equal((await use(here(url))).status, 200)
    test.app.http.server.closeAllConnections()
    await test.app.stop()
    await test.platform.close()
    test = await startWith(`${NEW_SECRET},${OLD_SECRET}`, test.database)
    assert.equal((await use(here(url))).status, 200)
    const fresh = (await ask('x')).body.url
    const signature = (address: string) => new URL(address).searchParams.get('signature')
    assert.equal((await use(here(fresh))).status, 200)
    const swapped = here(url).replace(signature(url) as string, signature(fresh) as string)
    assert.equal((await use(swapped)).status, 403)
  })
})
