import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'

const path = '/api/classification/suggestions'

describe('classification suggestions', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    assert.equal((await test.call('POST', '/api/buckets', { as: 'admin', body: { name: 'people' } })).status, 201)
  })
  after(() => test.close())

  const put = async (key: string, lines: readonly string[]) => {
    const token = await test.token('editor', 'editor')
    const response = await fetch(`${test.url}/api/buckets/people/objects/${key}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: `${lines.join('\n')}\n`
    })
    assert.equal(response.status, 201)
    return `object://people/${key}`
  }
  const suggest = (resource: string, more: object = {}) =>
    test.call('POST', path, { as: 'editor', body: { resource, ...more } })
  const decide = (id: string, what: string, body: object = {}) =>
    test.call('POST', `${path}/${id}/${what}`, { as: 'editor', body })
  const list = async (query: string) => (await test.call('GET', `${path}?${query}`, { as: 'viewer' })).body
  const kindsOf = (body: { suggestions: { column: string; kind: string }[] }) =>
    body.suggestions.map(({ column, kind }) => `${column}: ${kind}`).sort()

  const PEOPLE = [
    'id,contact,email_verified,order_id',
    '1,ada@example.org,true,4111111111111112',
    '2,bob.smith@mail.example.com,false,4111111111111113',
    '3,c.jones@example.net,true,4111111111111114'
  ]

  it('are made of a sample, with evidence in which no value can be read', async () => {
    const resource = await put('one.csv', PEOPLE)
    const { status, body } = await suggest(resource)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(kindsOf(body), ['contact: email'])
    const { error, rowsRead, columnsRead, columnsLeftOut, cause } = body.scan
    assert.deepEqual([error, rowsRead, columnsRead, columnsLeftOut, cause], [null, 3, 4, 0, 'hand'])
    const [suggestion] = body.suggestions
    const { level, confidence, evidence, decidedBy } = suggestion
    assert.deepEqual([suggestion.status, level, confidence, decidedBy], ['open', 'confidential', 0.97, null])
    assert.deepEqual(evidence, {
      form: 'E-mail address',
      values: 3,
      matches: 3,
      broken: 0,
      name: 'nothing',
      examples: ['aaa@aaaaaaa.aaa', 'aaa.aaaaa@aaaa.aaaaaaa.aaa', 'a.aaaaa@aaaaaaa.aaa'].sort(
        (a, b) => evidence.examples.indexOf(a) - evidence.examples.indexOf(b)
      )
    })
    assert.deepEqual((await test.call('GET', `${path}/${suggestion.id}`, { as: 'viewer' })).body, suggestion)
    assert.doesNotMatch(JSON.stringify((await test.call('GET', '/api/audit/logs', { as: 'admin' })).body), /ada@ex/)
  })

  it('tag the column when they are accepted', async () => {
    const resource = await put('two.csv', PEOPLE)
    const [{ id }] = (await suggest(resource)).body.suggestions
    const { status, body } = await decide(id, 'accept', { note: 'Customers' })
    const me = (await test.call('GET', '/api/users/me', { as: 'editor' })).body.user
    assert.deepEqual(
      [status, body.status, body.note, body.decidedBy, body.version],
      [200, 'accepted', 'Customers', me.id, 2]
    )
    const { resources } = (
      await test.call('GET', `/api/classification/resources?resource=${resource}`, { as: 'viewer' })
    ).body
    assert.deepEqual(
      resources.map(({ level, columns, reason }: Record<string, unknown>) => [level, columns, reason]),
      [['confidential', ['contact'], 'Customers']]
    )
    const again = await decide(id, 'accept')
    assert.deepEqual([again.status, again.body.code, again.body.currentStatus], [409, 'illegal_transition', 'accepted'])
    assert.deepEqual((await suggest(resource)).body.suggestions, [])
    assert.equal((await list(`resource=${resource}&status=accepted`)).total, 1)
  })

  it('need the right to read the data, and data that can be read', async () => {
    const { key } = (
      await test.call('POST', '/api/api-keys', {
        as: 'editor',
        body: { name: 'only classification', role: 'editor', scopes: ['classification:*'] }
      })
    ).body
    const body = { resource: 'object://people/one.csv' }
    const refused = await test.call('POST', path, { as: { token: key }, body })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'buckets:read'])
    assert.equal((await test.call('POST', path, { as: 'viewer', body })).status, 403)
    const bad = await suggest('nonsense')
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '/resource'])
    for (const resource of ['object://people/none.csv', 'object://nowhere/x.csv', 'model://m']) {
      const { status, body: problem } = await suggest(resource)
      assert.deepEqual([status, problem.code], [422, 'unprocessable'], resource)
    }
    assert.equal((await suggest('object://people/one.csv', { sample: 0 })).status, 400)
  })
})
