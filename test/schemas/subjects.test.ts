import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Registry, record, startRegistry, V1_JSON } from './registry.ts'

describe('subjects in the registry', () => {
  let registry: Registry
  before(async () => {
    registry = await startRegistry()
  })
  after(() => registry.test.close())

  const text = (schema: unknown) => JSON.stringify(schema)

  it('gives a schema an id that is the same under every subject, and each subject versions from 1', async () => {
    const { ok, register } = registry
    const first = await register('orders-value', record('Order', 'a'))
    const second = await register('orders-value', record('Order', 'a', 'b?'))
    assert.equal(await register('orders-value', record('Order', 'a')), first)
    assert.equal(await register('copies-value', record('Order', 'a', 'b?')), second)
    assert.deepEqual(await ok('GET', '/subjects/orders-value/versions'), [1, 2])
    assert.deepEqual(await ok('GET', '/subjects/copies-value/versions'), [1])
    assert.deepEqual(await ok('GET', `/schemas/ids/${second}/subjects`), ['copies-value', 'orders-value'])
    assert.deepEqual(await ok('GET', `/schemas/ids/${second}/versions`), [
      { subject: 'copies-value', version: 1 },
      { subject: 'orders-value', version: 2 }
    ])
  })

  it('shows a version by its number, as latest and as -1', async () => {
    const { ok, register } = registry
    const id = await register('shown', record('Shown', 'a'))
    const shown = { subject: 'shown', version: 1, id, schema: text(record('Shown', 'a')) }
    for (const version of ['1', 'latest', 'LATEST', '-1', '%201%20'])
      assert.deepEqual(await ok('GET', `/subjects/shown/versions/${version}`), shown)
    const raw = await registry.call('GET', '/subjects/shown/versions/1/schema')
    assert.deepEqual([raw.text, raw.headers.get('content-type')], [shown.schema, V1_JSON])
    assert.deepEqual(await ok('GET', `/schemas/ids/${id}`), { schema: shown.schema })
    assert.equal((await registry.call('GET', `/schemas/ids/${id}/schema`)).text, shown.schema)
    const { maxId } = await ok('GET', `/schemas/ids/${id}?fetchMaxId=true&subject=shown&format=resolved`)
    assert.ok(maxId >= id)
  })

  it('says the type of what is not Avro', async () => {
    const { ok, register } = registry
    const json = '{"type":"object","properties":{"a":{"type":"integer"}}}'
    const proto = 'syntax = "proto3";\nmessage Typed {\n  int32 a = 1;\n}\n'
    const jsonId = await register('typed-json', json, { schemaType: 'JSON' })
    const protoId = await register('typed-proto', proto, { schemaType: 'PROTOBUF' })
    assert.deepEqual(await ok('GET', `/schemas/ids/${jsonId}`), { schemaType: 'JSON', schema: json })
    assert.deepEqual(await ok('GET', `/schemas/ids/${protoId}`), { schemaType: 'PROTOBUF', schema: proto })
    const token = await registry.test.token('reader', 'viewer')
    const raw = await fetch(`${registry.url}/schemas/ids/${protoId}/schema`, {
      headers: { authorization: `Bearer ${token}` }
    })
    assert.equal(await raw.text(), proto)
    assert.equal((await ok('GET', '/subjects/typed-json/versions/1')).schemaType, 'JSON')
    assert.deepEqual(await ok('GET', '/schemas/types'), ['JSON', 'PROTOBUF', 'AVRO'])
  })

  it('finds a schema under a subject however it is written', async () => {
    const { ok, refused, register } = registry
    const id = await register('found', record('Found', 'a'))
    const spaced = JSON.stringify(record('Found', 'a'), null, 4)
    for (const query of ['', '?normalize=true', '?normalize=false&nobody=knows']) {
      const found = await ok('POST', `/subjects/found${query}`, { schema: spaced })
      assert.deepEqual([found.subject, found.version, found.id], ['found', 1, id])
    }
    assert.equal(await register('found', spaced), id)
    const other = { schema: text(record('Found', 'a', 'other?')) }
    assert.deepEqual(await refused('POST', '/subjects/found', other), [404, 40403])
    assert.deepEqual(await refused('POST', '/subjects/nowhere', other), [404, 40401])
    assert.deepEqual(await refused('POST', '/subjects/found', { schema: '{' }), [422, 42201])
  })

  it('takes names of any characters', async () => {
    const { ok, register } = registry
    for (const subject of ['a/b', 'ä ö?', '100%', 'key:value', '日本', '#1', "it's"]) {
      const id = await register(subject, record('Named', 'a'))
      const path = `/subjects/${encodeURIComponent(subject)}/versions`
      assert.equal((await ok('GET', `${path}/1`)).subject, subject)
      assert.ok((await ok('GET', `/schemas/ids/${id}/subjects`)).includes(subject))
    }
    const long = 'x'.repeat(256)
    assert.deepEqual(await registry.refused('GET', `/subjects/${long}/versions`), [422, 42208])
    const body = { schema: '"int"' }
    assert.deepEqual(await registry.refused('POST', '/subjects/a%01b/versions', body), [422, 42208])
  })

  it('has one context, which may be named', async () => {
    const { ok, refused, register } = registry
    const id = await register(':.:contextual', record('Contextual', 'a'))
    assert.equal((await ok('GET', '/subjects/contextual/versions/1')).id, id)
    assert.equal((await ok('GET', '/subjects/:.:contextual/versions/1')).subject, 'contextual')
    assert.deepEqual(await ok('GET', '/contexts'), ['.'])
    for (const path of ['/subjects/:.other:x/versions', '/config/:.other:x', '/mode/:.other:x'])
      assert.deepEqual(await refused('GET', path), [422, 42208])
    const body = { schema: '"int"' }
    assert.deepEqual(await refused('POST', '/subjects/:.other:x/versions', body), [422, 42208])
  })

  it('lists subjects and schemas by what they begin with, piece by piece', async () => {
    const { ok, register } = registry
    for (const name of ['a', 'b', 'c']) await register(`list-${name}`, record('Listed', name))
    await register('list-a', record('Listed', 'a', 'd?'))
    await register('LIST-z', record('Listed', 'z'))
    const names = (query: string) => ok('GET', `/subjects?subjectPrefix=list-${query}`)
    assert.deepEqual(await names(''), ['list-a', 'list-b', 'list-c'])
    assert.deepEqual(await names('b'), ['list-b'])
    assert.deepEqual(await names('&limit=2'), ['list-a', 'list-b'])
    assert.deepEqual(await names('&limit=2&offset=2'), ['list-c'])
    assert.deepEqual(await names('&limit=0'), [])
    assert.deepEqual(await names('&limit=-1'), ['list-a', 'list-b', 'list-c'])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=:.:list-a'), ['list-a'])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=:*:list-a'), ['list-a'])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=:.other:'), [])
    assert.ok((await ok('GET', '/subjects')).length > 3)

    type Listed = { subject: string; version: number; id: number; schema: string }
    const schemas = async (query: string) =>
      ((await ok('GET', `/schemas?subjectPrefix=list-${query}`)) as Listed[]).map((s) => `${s.subject} ${s.version}`)
    assert.deepEqual(await schemas(''), ['list-a 1', 'list-a 2', 'list-b 1', 'list-c 1'])
    assert.deepEqual(await schemas('&latestOnly=true'), ['list-a 2', 'list-b 1', 'list-c 1'])
    assert.deepEqual(await schemas('&offset=1&limit=2'), ['list-a 2', 'list-b 1'])
    const [first] = await ok('GET', '/schemas?subjectPrefix=list-b')
    assert.deepEqual(Object.keys(first), ['subject', 'version', 'id', 'schema'])
  })

  it('lists more than it reads at once', async () => {
    const { ok, register } = registry
    const names = Array.from({ length: 45 }, (_, i) => `many-${String(i).padStart(2, '0')}`)
    await Promise.all(names.map((name) => register(name, record('Many', name.replace('-', '_')))))
    const schemas: { subject: string }[] = await ok('GET', '/schemas?subjectPrefix=many-')
    assert.deepEqual(
      schemas.map(({ subject }) => subject),
      names
    )
    assert.equal((await ok('GET', '/schemas?subjectPrefix=many-&limit=30&offset=5')).length, 30)
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=many-'), names)
  })

  it('says what is not there and what can’t be', async () => {
    const { refused, register } = registry
    await register('there', record('There', 'a'))
    const cases: [path: string, status: number, code: number][] = [
      ['/subjects/nowhere/versions', 404, 40401],
      ['/subjects/nowhere/versions/1', 404, 40401],
      ['/subjects/nowhere/versions/latest/schema', 404, 40401],
      ['/subjects/nowhere/versions/1/referencedby', 404, 40401],
      ['/subjects/there/versions/2', 404, 40402],
      ['/subjects/there/versions/0', 422, 42202],
      ['/subjects/there/versions/-2', 422, 42202],
      ['/subjects/there/versions/first', 422, 42202],
      ['/subjects/there/versions/2147483648', 422, 42202],
      ['/schemas/ids/999999', 404, 40403],
      ['/schemas/ids/999999/schema', 404, 40403],
      ['/schemas/ids/999999/subjects', 404, 40403],
      ['/schemas/ids/999999/versions', 404, 40403],
      ['/schemas/guids/00000000-0000-0000-0000-000000000000', 404, 40403],
      ['/schemas/ids/one', 404, 404]
    ]
    for (const [path, ...expected] of cases) assert.deepEqual(await refused('GET', path), expected, path)
  })

  it('refuses schemas that are none', async () => {
    const { refused } = registry
    const at = '/subjects/refused/versions'
    const bodies: [body: unknown, status: number, code: number][] = [
      [{ schema: '{"type":"nothing"}' }, 422, 42201],
      [{ schema: '' }, 422, 42201],
      [{}, 422, 42201],
      [{ schema: null }, 422, 42201],
      [{ schema: '"int"', schemaType: 'XML' }, 422, 42201],
      [{ schema: 'message {', schemaType: 'PROTOBUF' }, 422, 42201],
      [{ schema: '{"type":5}', schemaType: 'JSON' }, 422, 42201],
      [{ schema: '"int"', references: [{ name: 'x', subject: 'nowhere', version: 1 }] }, 422, 42201],
      [{ schema: ' '.repeat(1024 * 1024) }, 422, 42209],
      [{ schema: 5 }, 400, 400],
      ['{', 400, 400],
      [{ schema: '"int"', id: 5 }, 422, 42205],
      [{ schema: '"int"', version: 5 }, 422, 42205]
    ]
    for (const [body, ...expected] of bodies)
      assert.deepEqual(await refused('POST', at, body), expected, JSON.stringify(body).slice(0, 100))
    assert.deepEqual(await refused('GET', at), [404, 40401])
  })

  it('takes what it does not know, and keeps metadata', async () => {
    const { ok } = registry
    const metadata = { properties: { owner: 'sales' }, tags: { a: ['b'] } }
    const ruleSet = { domainRules: [{ name: 'r', kind: 'CONDITION', type: 'CEL', mode: 'WRITE' }] }
    const body = {
      schema: '"long"',
      schemaType: null,
      references: null,
      id: -1,
      version: 0,
      metadata,
      ruleSet,
      more: 1
    }
    await ok('POST', '/subjects/extended/versions?normalize=true&more=1', body)
    assert.deepEqual((await ok('GET', '/subjects/extended/versions/1')).metadata, metadata)
  })

  it('tells more to clients that take more, and a GUID to ask by', async () => {
    const headers = { 'content-type': V1_JSON, 'confluent-accept-unknown-properties': 'true' }
    const body = { schema: text(record('Guided', 'a')) }
    const path = '/schema-registry/subjects/guided/versions'
    const answer = await registry.test.call('POST', path, { as: 'editor', body, headers })
    const { id, version, guid, schema } = answer.body
    assert.deepEqual([version, schema], [1, body.schema])
    assert.match(guid, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    assert.deepEqual(await registry.ok('GET', `/schemas/guids/${guid}`), { schema })
    assert.deepEqual(await registry.ok('POST', '/subjects/guided/versions', body), { id })
  })

  it('does not show drafts and disabled versions, but their texts once they were in force', async () => {
    const { ok, refused, register, test } = registry
    const id = await register('states', record('States', 'a'))
    const { body } = await test.call('GET', '/api/schemas?q=states', { as: 'editor' })
    const versions = `/api/schemas/${body.schemas[0].id}/versions`
    const draft = { schema: record('States', 'b'), state: 'draft' }
    const added = await test.call('POST', versions, { as: 'editor', body: draft })
    assert.equal(added.status, 201, added.text)
    assert.deepEqual(await ok('GET', '/subjects/states/versions'), [1])
    assert.deepEqual(await refused('GET', '/subjects/states/versions/2'), [404, 40402])
    assert.deepEqual(await refused('GET', `/schemas/ids/${added.body.contentId}`), [404, 40403])
    const disabled = await test.call('PUT', `${versions}/1`, { as: 'editor', body: { state: 'disabled' } })
    assert.equal(disabled.status, 200, disabled.text)
    assert.deepEqual(await refused('GET', '/subjects/states/versions'), [404, 40401])
    assert.deepEqual(await refused('GET', '/subjects/states/versions/1'), [404, 40401])
    assert.ok(!(await ok('GET', '/subjects')).includes('states'))
    assert.deepEqual(await ok('GET', `/schemas/ids/${id}`), { schema: text(record('States', 'a')) })
    const again = { schema: text(record('States', 'a')) }
    assert.deepEqual(await refused('POST', '/subjects/states/versions', again), [422, 42205])
  })

  it('understands the media types that clients send, and answers others as itself', async () => {
    const { test } = registry
    const path = '/schema-registry/subjects/media/versions'
    for (const type of [
      V1_JSON,
      `${V1_JSON}; charset=utf-8`,
      'application/vnd.schemaregistry+json',
      'application/octet-stream',
      'application/json'
    ]) {
      const answer = await test.call('POST', path, {
        as: 'editor',
        body: { schema: '"int"' },
        headers: { 'content-type': type }
      })
      assert.equal(answer.status, 200, `${type}: ${answer.text}`)
    }
    const other = await test.call('POST', path, {
      as: 'editor',
      body: 'schema=1',
      headers: { 'content-type': 'text/plain' }
    })
    assert.deepEqual([other.status, other.body.error_code], [415, 415])
    const ours = await test.call('GET', '/schema-registry/subjects/nowhere/versions', { as: 'viewer' })
    assert.deepEqual([ours.body.error_code, ours.body.code, ours.body.status], [40401, 'not_found', 404])
    const accepts = { accept: `${V1_JSON}, application/json; q=0.5` }
    const theirs = await test.call('GET', '/schema-registry/subjects/nowhere/versions', {
      as: 'viewer',
      headers: accepts
    })
    assert.deepEqual(Object.keys(theirs.body), ['error_code', 'message'])
  })

  it('answers what clients ask a server about itself', async () => {
    const { ok } = registry
    assert.deepEqual(await ok('GET', ''), {})
    assert.deepEqual(await ok('GET', '/'), {})
    assert.ok((await ok('GET', '/v1/metadata/id')).scope.clusters['schema-registry-cluster'])
    assert.match((await ok('GET', '/v1/metadata/version')).version, /^\d+\.\d+\.\d+$/)
  })

  it('lets in whoever may, and nobody else', async () => {
    const { refused, ok, test } = registry
    assert.deepEqual(await refused('POST', '/subjects/guarded/versions', { schema: '"int"' }, 'viewer'), [403, 403])
    assert.deepEqual(await refused('PUT', '/config', { compatibility: 'NONE' }, 'editor'), [403, 403])
    assert.deepEqual(await refused('DELETE', '/mode', undefined, 'editor'), [403, 403])
    await ok('GET', '/subjects', undefined, 'viewer')
    const headers = { 'content-type': V1_JSON, authorization: `Basic ${btoa('anybody:wrong')}` }
    const wrong = await test.call('GET', '/schema-registry/subjects', { headers })
    assert.deepEqual([wrong.status, wrong.body.error_code], [401, 401])
    const none = await test.call('GET', '/schema-registry/subjects', { headers: { accept: V1_JSON } })
    assert.deepEqual([none.status, none.body.error_code], [401, 401])
  })

  it('gives an answer another tag when the version of the same number is another schema', async () => {
    const { call, ok, register } = registry
    const tag = async () => (await call('GET', '/subjects/tagged/versions/1')).headers.get('etag')
    await register('tagged', record('Tagged', 'a'))
    const first = await tag()
    await ok('DELETE', '/subjects/tagged')
    await ok('DELETE', '/subjects/tagged?permanent=true')
    await register('tagged', record('Tagged', 'b'))
    assert.notEqual(await tag(), first)
  })
})
