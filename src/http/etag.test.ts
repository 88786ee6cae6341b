import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { etagOf, isFresh, requireMatch } from './etag.ts'

const LEVELS = '/api/classification/levels'
const RESOURCES = '/api/classification/resources'

describe('an entity tag', () => {
  it('is the version, where there is one', () => {
    assert.equal(etagOf({ version: 7 }), '"v7"')
    for (const without of [null, undefined, {}, [], { version: '7' }, { version: 1.5 }, 'text', 3]) {
      assert.equal(etagOf(without), undefined)
    }
  })

  for (const [header, fresh] of [
    [undefined, false],
    ['"v2"', true],
    ['W/"v2"', true],
    ['*', true],
    ['"v1", "v2"', true],
    ['"v1","x" , W/"v2"', true],
    ['"v1"', false],
    ['v2', false],
    ['"V2"', false],
    ['', false]
  ] as const) {
    it(`${fresh ? 'matches' : 'does not match'} ${header ?? 'no header'}`, () => {
      assert.equal(isFresh(header, '"v2"'), fresh)
      const require = () => requireMatch(header, { version: 2 })
      if (fresh || header === undefined) assert.doesNotThrow(require)
      else assert.throws(require, { code: 'stale_version', members: { currentEtag: '"v2"' } })
    })
  }

  it('matches nothing where nothing was, and only * where the resource has no version', () => {
    assert.throws(() => requireMatch('*', undefined), { code: 'stale_version', members: { currentEtag: null } })
    assert.doesNotThrow(() => requireMatch('*', {}))
    assert.throws(() => requireMatch('"v1"', {}), { code: 'stale_version' })
    assert.doesNotThrow(() => requireMatch(undefined, undefined))
  })
})

describe('If-Match and If-None-Match', () => {
  let test: TestApp
  let rank = 100
  let number = 0

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const send = (method: string, path: string, match: string | undefined, body?: unknown) =>
    test.call(method, path, { as: 'admin', body, headers: match === undefined ? {} : { 'if-match': match } })

  async function makeLevel(): Promise<string> {
    const body = { name: `level-${number++}`, rank: rank++ }
    return (await test.call('POST', LEVELS, { as: 'admin', body })).headers.get('location') as string
  }
  async function tag(resource: string, reason: string) {
    const answer = await test.call('POST', RESOURCES, { as: 'admin', body: { resource, level: 'internal', reason } })
    return { path: `${RESOURCES}/${answer.body.id}`, etag: answer.headers.get('etag') as string }
  }
  const find = async (path: string) =>
    (await test.call('GET', `${LEVELS}?limit=1000`, { as: 'admin' })).body.levels.find(({ id }: { id: string }) =>
      path.endsWith(`/${id}`)
    )

  it('change only what the caller has seen', async () => {
    const path = await makeLevel()
    const first = await send('PUT', path, '"v1"', { description: 'one' })
    assert.deepEqual([first.status, first.headers.get('etag'), first.body.version], [200, '"v2"', 2])

    const stale = await send('PUT', path, '"v1"', { description: 'two' })
    assert.equal(stale.status, 412)
    assert.equal(stale.body.code, 'stale_version')
    assert.equal(stale.body.currentEtag, '"v2"')
    assert.equal((await find(path)).description, 'one')

    assert.equal((await send('DELETE', path, '"v1"')).status, 412)
    assert.equal((await find(path)).version, 2)
    assert.equal((await send('PUT', path, 'W/"v2"', { description: 'three' })).status, 200)
    assert.equal((await send('PUT', path, '"v1", "v3"', { description: 'four' })).status, 200)
    assert.equal((await send('PUT', path, '*', { description: 'five' })).status, 200)
    assert.equal((await send('PUT', path, undefined, { description: 'six' })).status, 200)
    assert.equal((await send('DELETE', path, '"v6"')).status, 204)
    assert.equal(await find(path), undefined)
    assert.equal((await send('DELETE', path, '*')).status, 404)
  })

  it('refuse a create that expects something to be there', async () => {
    const answer = await send('POST', LEVELS, '*', { name: 'expected', rank: rank++ })
    assert.equal(answer.status, 412)
  })

  it('answer 304 to a caller who has the current state', async () => {
    const { path, etag } = await tag('object://b/fresh', 'first')
    const get = (match: string) => test.call('GET', path, { as: 'viewer', headers: { 'if-none-match': match } })
    for (const match of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      // Asked twice: the first answer is made anew, the second comes from the cache.
      for (const answer of [await get(match), await get(match)]) {
        assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', etag])
      }
    }
    assert.equal((await get('"v9"')).status, 200)
    await tag('object://b/fresh', 'second')
    const changed = await get(etag)
    assert.deepEqual([changed.status, changed.body.reason, changed.headers.get('etag')], [200, 'second', '"v2"'])
  })

  it('let exactly one of many changes to the same state through', async () => {
    for (let round = 0; round < 3; round++) {
      const path = await makeLevel()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => send('PUT', path, '"v1"', { description: `by ${index}` }))
      )
      const done = answers.filter(({ status }) => status === 200)
      assert.equal(done.length, 1, answers.map(({ text }) => text).join('\n'))
      assert.equal(answers.filter(({ status }) => status === 412).length, 7)
      assert.deepEqual(await find(path), done[0]?.body)
    }
  })

  it('let a user be changed once from the same state', async () => {
    const { body } = await test.call('GET', '/api/users/me', { as: 'viewer' })
    const path = `/api/users/${body.user.id}`
    const etag = `"v${body.user.version}"`
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('PUT', path, etag, { disabled: false })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
  })

  it('remove only the state that was seen, whoever changes it at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const resource = `object://race/${round}`
      const { path, etag } = await tag(resource, 'first')
      const [removed, ...retagged] = await Promise.all([
        send('DELETE', path, etag),
        tag(resource, 'second'),
        tag(resource, 'third')
      ])
      const left = await test.call('GET', path, { as: 'viewer' })
      if (removed.status === 204) assert.equal(left.status, 404)
      else assert.deepEqual([removed.status, left.status, left.body.version], [412, 200, 3])
      // Both re-tags found the same resource, old or new, and each made a state of its own.
      assert.notEqual(retagged[0]?.etag, retagged[1]?.etag)
    }
  })

  it('remove once', async () => {
    const { path, etag } = await tag('object://race/once', 'first')
    const answers = await Promise.all(Array.from({ length: 6 }, () => send('DELETE', path, etag)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [204, 404, 404, 404, 404, 404])
  })
})
