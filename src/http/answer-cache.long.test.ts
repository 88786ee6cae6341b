import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { postgresUrl } from '../../test/support/database.ts'
import type { Metadata } from '../engines/metadata/index.ts'
import { createAnswerCache } from './answer-cache.ts'
import type { Actor } from './permissions.ts'

const RUNS = postgresUrl === undefined ? 20 : 8

const actor: Actor = { id: 'usr_1', name: 'x', role: 'viewer', scopes: undefined, apiKeyId: undefined }

describe('the answer cache', () => {
  const changes = { users: 0, api_keys: 0 }
  const watched = { changesOf: (table: keyof typeof changes) => changes[table] } as unknown as Metadata
  const entry = (body: string, stamp = '0') => ({ body, stamp, etag: undefined })

  it('keeps nothing where changes can’t be seen', () => {
    assert.equal(createAnswerCache({} as Metadata).stampOf(['users']), undefined)
  })

  it('gives an answer only for the state it was made from', () => {
    const cache = createAnswerCache(watched)
    const before = cache.stampOf(['users', 'api_keys']) as string
    cache.put(actor, '/x', entry('old', before))
    assert.equal(cache.get(actor, '/x', before)?.body, 'old')
    changes.api_keys++
    const now = cache.stampOf(['users', 'api_keys']) as string
    assert.equal(cache.get(actor, '/x', now), undefined)
    assert.equal(cache.stampOf(['users']), cache.stampOf(['users']))
    cache.put(actor, '/x', entry('new', now))
    assert.equal(cache.get(actor, '/x', now)?.body, 'new')
  })

  it('tells states of several tables apart', () => {
    const cache = createAnswerCache(watched)
    Object.assign(changes, { users: 1, api_keys: 11 })
    const one = cache.stampOf(['users', 'api_keys'])
    Object.assign(changes, { users: 11, api_keys: 1 })
    assert.notEqual(cache.stampOf(['users', 'api_keys']), one)
  })

  it('keeps callers, their roles, their keys and addresses apart', () => {
    const cache = createAnswerCache(watched)
    cache.put(actor, '/x', entry('mine'))
    for (const other of [
      { ...actor, id: 'usr_2' },
      { ...actor, role: 'admin' as const },
      { ...actor, role: undefined },
      { ...actor, apiKeyId: 'key_1' }
    ]) {
      assert.equal(cache.get(other, '/x', '0'), undefined)
    }
    assert.equal(cache.get(actor, '/x?limit=1', '0'), undefined)
    assert.equal(cache.get(actor, '/x', '0')?.body, 'mine')
  })

  it('is bounded in entries and in characters', () => {
    const cache = createAnswerCache(watched)
    const kept = (urls: string[]) => urls.filter((url) => cache.get(actor, url, '0') !== undefined)
    const many = Array.from({ length: 3000 }, (_, index) => `/many/${index}`)
    for (const url of many) cache.put(actor, url, entry('x'))
    assert.deepEqual(kept(many), many.slice(-1000))

    const megabyte = 'x'.repeat(2 ** 20)
    const large = Array.from({ length: 100 }, (_, index) => `/large/${index}`)
    // The same address again and again counts once.
    for (const url of large) for (let time = 0; time < 3; time++) cache.put(actor, url, entry(megabyte))
    assert.deepEqual(kept(large), large.slice(-32))
    assert.deepEqual(kept(many), [])

    cache.put(actor, '/huge', entry(megabyte.repeat(33)))
    assert.deepEqual(kept([...large, '/huge']), [])
    cache.put(actor, '/small', entry('x'))
    assert.deepEqual(kept(['/small']), ['/small'])
  })
})

const READS = [
  ['listClassificationLevels', '/api/classification/levels', ''],
  ['listClassificationLevels', '/api/classification/levels', 'sort=-name&limit=2'],
  ['listClassifiedResources', '/api/classification/resources', ''],
  ['listClassifiedResources', '/api/classification/resources', 'level=internal'],
  ['listApiKeys', '/api/api-keys', ''],
  ['listApiKeys', '/api/api-keys', 'sort=-name&limit=3'],
  ['listUsers', '/api/users', ''],
  ['getUser', '/api/users/', '']
] as const

const CALLERS = ['admin', 'editor', 'viewer', 'narrow', 'wide'] as const
type Caller = (typeof CALLERS)[number]

const small = fc.nat(3)
const write = fc.record({
  do: fc.constantFrom('level', 'rerank', 'dropLevel', 'tag', 'untag', 'key', 'revoke', 'user', 'meet'),
  which: small,
  value: small
})
const reads = fc.array(fc.tuple(fc.constantFrom(...CALLERS), fc.nat(READS.length - 1)), { minLength: 1, maxLength: 6 })
const steps = fc.array(fc.tuple(fc.array(write, { maxLength: 3 }), reads), { minLength: 2, maxLength: 6 })

describe('answers through the cache', () => {
  let test: TestApp
  const callers = {} as Record<Caller, { token: string; actor: Actor }>
  let userId: string
  let made = 0

  before(async () => {
    test = await startTestApp()
    for (const role of ['admin', 'editor', 'viewer'] as const) await meet(role, await test.token(role, role))
    // Two keys of one user, one of which may see everybody's keys.
    for (const [name, scopes] of [
      ['narrow', ['api-keys:self', 'classification:read', 'users:*']],
      ['wide', ['*:*']]
    ] as const) {
      const { body } = await send('POST', '/api/api-keys', { name, scopes })
      await meet(name, body.key)
    }
    userId = (await test.call('GET', '/api/users/me', { as: 'viewer' })).body.user.id
  })
  after(() => test.close())

  async function meet(name: Caller, token: string) {
    const { user, role, apiKeyId } = (await test.call('GET', '/api/users/me', { as: { token } })).body
    const scopes = apiKeyId === null ? undefined : (await send('GET', `/api/api-keys/${apiKeyId}`)).body.scopes
    callers[name] = { token, actor: { id: user.id, name: user.name, role, scopes, apiKeyId: apiKeyId ?? undefined } }
  }
  const send = (method: string, path: string, body?: unknown) => test.call(method, path, { as: 'admin', body })
  const first = async (path: string, plural: string, which: number) =>
    (await send('GET', `/api${path}?limit=1000`)).body[plural].at(-1 - which)?.id ?? 'none'

  const writes: Record<string, (which: number, value: number) => Promise<unknown>> = {
    level: (_which, value) =>
      send('POST', '/api/classification/levels', { name: `l${made}`, rank: 100 + made++ + value }),
    rerank: (which, value) =>
      which % 2 === 0
        ? send('PUT', '/api/classification/levels/lvl_public', { rank: value })
        : send('PUT', '/api/classification/levels/lvl_confidential', { rank: 30 + value }),
    dropLevel: async (which) =>
      send('DELETE', `/api/classification/levels/${await first('/classification/levels', 'levels', which)}`),
    tag: (which, value) =>
      send('POST', '/api/classification/resources', {
        resource: `object://b/${which}`,
        level: ['public', 'internal', 'confidential'][value % 3]
      }),
    untag: async (which) =>
      send('DELETE', `/api/classification/resources/${await first('/classification/resources', 'resources', which)}`),
    key: (_which, value) => send('POST', '/api/api-keys', { name: `k${value}` }),
    revoke: async (which) => {
      const { apiKeys } = (await send('GET', '/api/api-keys?limit=1000')).body
      const old = apiKeys.filter(({ name }: { name: string }) => name.startsWith('k'))
      return send('DELETE', `/api/api-keys/${old[which]?.id ?? 'none'}`)
    },
    user: () => send('PUT', `/api/users/${userId}`, { disabled: false }),
    meet: async (which) =>
      test.call('GET', '/api/users/me', { as: { token: await test.token(`guest-${made++}-${which}`, 'viewer') } })
  }

  /** What the operation answers when asked directly, past the cache. */
  async function uncached(operationId: string, caller: Caller, query: string): Promise<unknown> {
    const route = (await test.app.load())
      .flatMap(({ routes }) => routes)
      .find((other) => other.operationId === operationId)
    const { limit, ...rest } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>
    const context = {
      actor: callers[caller].actor,
      params: { id: userId },
      query: { ...rest, ...(limit && { limit: Number(limit) }) }
    }
    return JSON.parse(JSON.stringify(await route?.read?.(context as never)))
  }

  function fetch(caller: Caller, read: number) {
    const [operationId, path, query] = READS[read] as (typeof READS)[number]
    return test.call('GET', `${path}${operationId === 'getUser' ? userId : ''}?${query}`, { as: callers[caller] })
  }

  async function compare(caller: Caller, read: number): Promise<void> {
    const [operationId, , query] = READS[read] as (typeof READS)[number]
    const answer = await fetch(caller, read)
    if (answer.status === 403) return assert.match(operationId, /Users?$/)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, await uncached(operationId, caller, query), `${operationId} for ${caller}`)
  }

  it('are those that an uncached read gives at that moment, for each caller its own', async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      for (const [changes, asked] of all) {
        // Reads go on while the changes are made; what they leave in the cache must not outlive them.
        const meanwhile = asked.map(([caller, read]) => fetch(caller, read))
        for (const { do: what, which, value } of changes) await writes[what]?.(which, value)
        for (const [caller, read] of asked) await compare(caller, read)
        await Promise.all(meanwhile)
        for (const [caller, read] of asked) await compare(caller, read)
      }
    })
    await fc.assert(property, { numRuns: RUNS })
  })
})
