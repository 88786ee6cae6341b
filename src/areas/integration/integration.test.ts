import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { declaredIndex } from '../../engines/drivers/declared/catalogue/index.ts'
import { sources } from '../../engines/drivers/index.ts'

interface Field {
  readonly type: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly writeOnly?: boolean
  readonly minimum?: number
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
}

/** A value that a field takes, as far as its schema tells one. */
function exampleOf({ type, default: usual, examples, enum: choices, minimum = 1, items, properties }: Field): unknown {
  if (items !== undefined) return [exampleOf(items)]
  if (properties === undefined)
    return usual ?? examples?.[0] ?? choices?.[0] ?? (type === 'string' ? 'x' : type === 'boolean' ? false : minimum)
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))
}

describe('integration sources', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  })
  after(() => test.close())

  const get = async (path: string) => (await test.call('GET', `/api/integration/sources${path}`, { as: 'viewer' })).body

  it('are listed by name, page by page, and found by name, category and how to sign in', async () => {
    const names = [...sources(), ...(await declaredIndex())]
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1))
    for (const sort of ['name', '-name']) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await get(`?limit=40&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        seen.push(...page.sources.map(({ id }: { id: string }) => id))
        cursor = page.nextCursor
      }
      const expected = names.map(({ id }) => id)
      assert.deepEqual(seen, sort === 'name' ? expected : expected.reverse())
    }
    const warehouses = await get('?category=warehouses&auth=password')
    assert.ok(warehouses.total > 0 && warehouses.total < names.length)
    const followed = await get('?supports=changes')
    assert.ok(followed.sources.every(({ supports }: { supports: { changes: boolean } }) => supports.changes))
    const found = await get('?q=Postgre')
    assert.ok(found.sources.every(({ name }: { name: string }) => name.includes('Postgre')) && found.total > 1)
    const ids = async (q: string) =>
      (await get(`?limit=500&q=${encodeURIComponent(q)}`)).sources.map(({ id }: { id: string }) => id)
    for (const q of ['google ads', 'GOOGLE-ADS', 'googleads', 'ads google', 'gôogle äds'])
      assert.ok((await ids(q)).includes('google-ads'), q)
    for (const q of ['hub spot', 'Hubspot']) assert.ok((await ids(q)).includes('hubspot'), q)
    assert.ok((await ids('advertising google')).includes('google-ads'))
    assert.ok((await ids('select read-only postgresql')).includes('postgres'))
    assert.deepEqual(await ids('google nothingofthekind'), [])
    const strange = await test.call('GET', '/api/integration/sources?cursor=x', { as: 'viewer' })
    assert.deepEqual([strange.status, strange.body.errors[0].pointer], [400, '/query/cursor'])
  })

  it('have a valid schema each, which takes a configuration made from it and marks what is secret', async () => {
    for (const {
      id,
      authentication = 'password',
      isIncremental: incremental = true,
      hasChanges: changes = false
    } of sources()) {
      const spec = await get(`/${id}/spec`)
      const schema = spec.connectionSpecification as Field & { properties: Record<string, Field>; required: string[] }
      const ajv = new Ajv2020({ strict: false })
      const validate = ajv.compile(schema)
      assert.ok(validate(exampleOf(schema)), `${id}: ${ajv.errorsText(validate.errors)}`)
      const secrets = Object.values(schema.properties).filter(({ writeOnly }) => writeOnly === true)
      assert.ok(secrets.length > 0 || authentication === 'none', id)
      assert.ok(schema.required.every((name) => name in schema.properties))
      assert.deepEqual(spec.supports, { check: true, discover: true, read: true, incremental, changes })
    }
    assert.equal((await test.call('GET', '/api/integration/sources/nothing/spec', { as: 'viewer' })).status, 404)
  })

  it('are tested with settings that nobody keeps', async () => {
    const config = { host: '127.0.0.1', port: 1, database: 'a', user: 'b', password: 's3cret-connection' }
    const body = { sourceId: 'mariadb', config }
    const { status, body: result } = await test.call('POST', '/api/integration/connections/test', {
      as: 'editor',
      body
    })
    assert.deepEqual([status, result.success, result.checks[2].code], [200, false, 'unreachable'])
    const refused = { sourceId: 'mariadb', config: { ...config, port: 'x' } }
    const wrong = await test.call('POST', '/api/integration/connections/test', { as: 'editor', body: refused })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/config/port'])
    assert.equal((await test.call('POST', '/api/integration/connections/test', { as: 'viewer', body })).status, 403)
    const audited = await test.call('GET', '/api/audit/logs?action=connection.test', { as: 'admin' })
    assert.ok(audited.body.total > 0 && !audited.text.includes('s3cret') && !test.logged.join().includes('s3cret'))
  })
})
