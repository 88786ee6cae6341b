import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const field = (name: string, type: unknown, more: object = {}) => ({ name, type, ...more })
const order = (...fields: object[]) => ({ type: 'record', name: 'Order', fields: [field('id', 'long'), ...fields] })
const PROTO = 'syntax = "proto3";\nmessage Order { int64 id = 1; }\n'

describe('schemas', () => {
  let test: TestApp
  let count = 0

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const post = (path: string, body: object, headers = {}) =>
    test.call('POST', `/api/schemas${path}`, { as: 'editor', body, headers })
  const get = (path: string) => test.call('GET', `/api/schemas${path}`, { as: 'viewer' })
  const put = (path: string, body: object, headers = {}) =>
    test.call('PUT', `/api/schemas${path}`, { as: 'editor', body, headers })
  const remove = (path: string) => test.call('DELETE', `/api/schemas${path}`, { as: 'editor' })
  const create = async (schema: unknown = order(), more: object = {}) => {
    const made = await post('', { name: `schema-${count++}`, type: 'avro', schema, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const add = (id: string, schema: unknown, more: object = {}) => post(`/${id}/versions`, { schema, ...more })

  it('are made with a first version, listed, found by part of the name and shown with their versions', async () => {
    const made = await post('', {
      name: 'orders-value',
      type: 'avro',
      schema: order(),
      description: 'Orders',
      tags: ['sales']
    })
    assert.equal(made.status, 201)
    assert.equal(made.headers.get('location'), `/api/schemas/${made.body.id}`)
    const { id, versions, ...shown } = made.body
    assert.match(id, /^sch_/)
    assert.deepEqual(
      [
        shown.name,
        shown.type,
        shown.compatibility,
        shown.description,
        shown.tags,
        shown.latestVersion,
        shown.versionCount
      ],
      ['orders-value', 'avro', 'BACKWARD', 'Orders', ['sales'], 1, 1]
    )
    assert.deepEqual(
      [versions.length, versions[0].version, versions[0].state, versions[0].references],
      [1, 1, 'enabled', []]
    )
    assert.deepEqual(JSON.parse(versions[0].schema), order())

    const listed = (await get('?q=ORDERS-val')).body
    assert.deepEqual([listed.schemas.map((schema: { id: string }) => schema.id), listed.total], [[id], 1])
    assert.deepEqual((await get(`/${id}`)).body, made.body)
    assert.equal((await get('?type=protobuf&q=orders-val')).body.total, 0)
  })

  it('keep JSON and Protobuf as well, and say where a text is not one', async () => {
    await create('{"type": "object", "properties": {"a": {"type": "integer"}}}', { type: 'json' })
    await create(true, { type: 'json' })
    await create(PROTO, { type: 'protobuf' })

    const syntax = await post('', { name: 'bad', type: 'avro', schema: '{\n  "type": "record",\n  "name" }' })
    assert.deepEqual([syntax.status, syntax.body.code, syntax.body.line], [400, 'invalid_schema', 3], syntax.text)
    const structure = await post('', { name: 'bad', type: 'avro', schema: order(field('total', 'dubble')) })
    assert.equal(structure.body.pointer, '/fields/1/type', structure.text)
    assert.match(structure.body.detail, /dubble/)
    const proto = await post('', {
      name: 'bad',
      type: 'protobuf',
      schema: 'syntax = "proto3";\nmessage Order {\n  int64 id 1;\n}'
    })
    assert.deepEqual([proto.status, proto.body.line], [400, 3], proto.text)
    const jsonSchema = await post('', { name: 'bad', type: 'json', schema: { properties: { a: { type: 'strin' } } } })
    assert.deepEqual([jsonSchema.status, jsonSchema.body.pointer], [400, '/properties/a/type'], jsonSchema.text)
    const object = await post('', { name: 'bad', type: 'protobuf', schema: { message: 1 } })
    assert.deepEqual(object.body.errors, [{ pointer: '/schema', message: 'must be the text of a .proto file' }])
    assert.equal((await get('?q=bad')).body.total, 0)
  })

  it('are the same version however they are written, and the same text has one number everywhere', async () => {
    const first = await create()
    const again = await add(first.id, JSON.stringify(order(), null, 4).replace('"long"', '{"type": "long"}'))
    assert.deepEqual(
      [again.status, again.body.version, again.headers.get('location')],
      [200, 1, `/api/schemas/${first.id}/versions/1`]
    )
    const sameName = await post('', { name: first.name, type: 'avro', schema: order() })
    assert.deepEqual([sameName.status, sameName.body.id], [200, first.id])
    const other = await create()
    assert.equal(other.versions[0].contentId, first.versions[0].contentId)
    const taken = await post('', { name: first.name, type: 'avro', schema: order(field('x', 'int')) })
    assert.deepEqual([taken.status, taken.body.code, taken.body.schemaId], [409, 'name_taken', first.id])
  })

  it('refuse a version that breaks, with all that is in the way, and take one that does not', async () => {
    const { id } = await create()
    const broken = await add(
      id,
      order(field('a', 'string'), field('b', 'string'), field('note', 'string', { default: '' }))
    )
    assert.deepEqual(
      [broken.status, broken.body.code, broken.body.mode, broken.body.checkedAgainst],
      [409, 'schema_incompatible', 'BACKWARD', [1]]
    )
    assert.deepEqual(
      broken.body.violations.map(({ rule, version, direction }: Record<string, unknown>) => [rule, version, direction]),
      Array(2).fill(['avro.field_added_without_default', 1, 'backward'])
    )
    assert.match(broken.body.violations[0].message, /version 1.*the new version/)
    const good = await add(id, order(field('note', 'string', { default: '' })), { metadata: { ticket: 'SHOP-1' } })
    assert.deepEqual([good.status, good.body.version, good.body.metadata], [201, 2, { ticket: 'SHOP-1' }])
    assert.equal((await get(`/${id}`)).body.latestVersion, 2)
  })

  it('tell what would break without changing anything, for any mode and version', async () => {
    const { id } = await create(order(field('note', 'string', { default: '' })))
    await add(id, order())
    const check = async (body: object) =>
      (await test.call('POST', `/api/schemas/${id}/compatibility`, { as: 'viewer', body })).body
    const renamed = order(field('text', 'string'))
    assert.deepEqual((await check({ schema: renamed, mode: 'NONE' })).checkedAgainst, [])
    assert.equal((await check({ schema: renamed })).compatible, false)
    assert.deepEqual(await check({ schema: order(), mode: 'FULL_TRANSITIVE' }), {
      compatible: true,
      mode: 'FULL_TRANSITIVE',
      checkedAgainst: [2, 1],
      violations: []
    })
    const both = await check({ schema: renamed, mode: 'FULL', version: 1 })
    assert.deepEqual([both.compatible, both.checkedAgainst], [false, [1]])
    assert.deepEqual((await get(`/${id}`)).body.versionCount, 2)
    assert.equal((await post(`/${id}/compatibility`, { schema: renamed, version: 7 })).status, 404)
  })

  it('look at the whole history only with a transitive mode', async () => {
    const versions = [order(field('a', 'string')), order(), order(field('a', 'int', { default: 0 }))]
    for (const [compatibility, status] of [
      ['BACKWARD', 201],
      ['BACKWARD_TRANSITIVE', 409]
    ] as const) {
      const { id } = await create(versions[0], { compatibility })
      assert.equal((await add(id, versions[1])).status, 201)
      const last = await add(id, versions[2])
      assert.equal(last.status, status, last.text)
      if (status === 409)
        assert.deepEqual(
          last.body.violations.map(({ version }: { version: number }) => version),
          [1]
        )
    }
  })

  it('compare two versions by their meaning, with a verdict for each direction', async () => {
    const { id } = await create(order(field('note', 'string')), { compatibility: 'NONE' })
    await add(id, order(field('total', 'double')))
    const { body } = await get(`/${id}/versions/1/compare/2`)
    assert.deepEqual([body.from, body.to, body.compatible], [1, 2, { backward: false, forward: false, full: false }])
    const shown = body.changes.map(({ kind, path, breaking }: Record<string, unknown>) => ({ kind, path, breaking }))
    assert.deepEqual(
      shown.toSorted((a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)),
      [
        { kind: 'added', path: '/fields/total', breaking: { backward: true, forward: false } },
        { kind: 'removed', path: '/fields/note', breaking: { backward: false, forward: true } }
      ]
    )
    for (const { rule, message } of body.changes) {
      assert.match(rule, /^avro\./)
      assert.match(message, /version [12]/)
    }
    const swapped = (await get(`/${id}/versions/latest/compare/1`)).body
    assert.deepEqual([swapped.from, swapped.to, swapped.changes.length], [2, 1, 2])
    assert.deepEqual((await get(`/${id}/versions/1/compare/1`)).body.changes, [])
  })

  it('have drafts, which count for nothing until they are enabled', async () => {
    const { id } = await create()
    const draft = await add(id, order(field('a', 'string')), { state: 'draft' })
    assert.deepEqual([draft.status, draft.body.version, draft.body.state], [201, 2, 'draft'])
    assert.equal((await get(`/${id}/versions/latest`)).body.version, 1)
    const early = await put(`/${id}/versions/2`, { state: 'enabled' })
    assert.deepEqual([early.status, early.body.code], [409, 'schema_incompatible'])
    await put(`/${id}`, { compatibility: 'NONE' })
    const enabled = await put(`/${id}/versions/2`, { state: 'enabled' })
    assert.deepEqual([enabled.status, enabled.body.state, enabled.headers.get('etag')], [200, 'enabled', '"v2.2"'])
    assert.equal((await get(`/${id}/versions/latest`)).body.version, 2)
    const back = await put(`/${id}/versions/2`, { state: 'draft' })
    assert.deepEqual([back.status, back.body.code, back.body.currentStatus], [409, 'illegal_transition', 'enabled'])
    assert.equal((await put(`/${id}/versions/2`, { metadata: {} }, { 'if-match': '"v2.1"' })).status, 412)
    await put(`/${id}/versions/2`, { state: 'disabled' })
    assert.equal((await get(`/${id}/versions/latest`)).body.version, 1)
  })

  it('are deleted so that they can be restored under the old number, or for good', async () => {
    const { id } = await create()
    await add(id, order(field('a', 'string', { default: '' })))
    assert.equal((await remove(`/${id}/versions/2?permanent=true`)).body.code, 'illegal_transition')
    assert.equal((await remove(`/${id}/versions/2`)).status, 204)
    assert.equal((await get(`/${id}/versions/2`)).status, 404)
    assert.deepEqual(
      (await get(`/${id}/versions?deleted=true`)).body.versions.map((v: { version: number }) => v.version),
      [1, 2]
    )
    const third = await add(id, order(field('b', 'string', { default: '' })))
    assert.equal(third.body.version, 3)
    const restored = await post(`/${id}/versions/2/restore`, {})
    assert.deepEqual([restored.status, restored.body.version, restored.body.deletedAt], [200, 2, null])
    assert.equal((await post(`/${id}/versions/2/restore`, {})).body.code, 'illegal_transition')

    assert.equal((await remove(`/${id}/versions/3`)).status, 204)
    assert.equal((await remove(`/${id}/versions/3?permanent=true`)).status, 204)
    assert.equal((await post(`/${id}/versions/3/restore`, {})).status, 404)
    assert.equal((await add(id, order(field('c', 'string', { default: '' })))).body.version, 4)
  })

  it('go and come back as a whole', async () => {
    const { id, name } = await create()
    await add(id, order(field('a', 'string', { default: '' })))
    await remove(`/${id}/versions/1`)
    assert.equal((await remove(`/${id}`)).status, 204)
    assert.equal((await get(`/${id}`)).status, 404)
    assert.deepEqual([(await get(`?q=${name}`)).body.total, (await get(`?q=${name}&deleted=true`)).body.total], [0, 1])
    assert.equal((await post('', { name, type: 'avro', schema: order() })).body.code, 'name_taken')
    const back = await post(`/${id}/restore`, {})
    assert.deepEqual([back.status, back.body.versionCount, back.body.latestVersion], [200, 1, 2])
    assert.equal((await remove(`/${id}?permanent=true`)).body.code, 'illegal_transition')
    await remove(`/${id}`)
    assert.equal((await remove(`/${id}?permanent=true`)).status, 204)
    assert.equal((await get(`?q=${name}&deleted=true`)).body.total, 0)
    assert.equal((await create(order(), { name })).versions[0].version, 1)
  })

  it('refer to each other, and what is referred to stays', async () => {
    const address = await create({
      type: 'record',
      name: 'Address',
      namespace: 'shop',
      fields: [field('zip', 'string')]
    })
    const references = [{ name: 'shop.Address', schemaId: address.id, version: 1 }]
    const alone = await post('', { name: 'alone', type: 'avro', schema: order(field('to', 'shop.Address')) })
    assert.ok([400, 422].includes(alone.status), alone.text)
    const user = await create(order(field('to', 'shop.Address')), { references })
    assert.deepEqual(user.versions[0].references, references)
    const used = (await get(`/${address.id}/versions/1/referenced-by`)).body.referencedBy
    assert.deepEqual(used, [{ schemaId: user.id, name: user.name, version: 1, state: 'enabled' }])
    const refused = await remove(`/${address.id}`)
    assert.deepEqual([refused.status, refused.body.code, refused.body.usedBy[0].schemaId], [409, 'in_use', user.id])
    assert.equal((await remove(`/${address.id}/versions/1`)).status, 409)
    const gone = await post('', {
      name: 'gone',
      type: 'avro',
      schema: order(),
      references: [{ ...references[0], version: 9 }]
    })
    assert.deepEqual(
      [gone.status, gone.body.code, gone.body.reference],
      [422, 'schema_reference_missing', 'shop.Address']
    )
    await remove(`/${user.id}`)
    assert.equal((await remove(`/${address.id}`)).status, 204)
  })

  it('are for editors to change and for viewers to read; each change is audited', async () => {
    const { id } = await create()
    const as = 'viewer' as const
    assert.equal(
      (await test.call('POST', '/api/schemas', { as, body: { name: 'v', type: 'avro', schema: order() } })).status,
      403
    )
    assert.equal((await test.call('DELETE', `/api/schemas/${id}`, { as })).status, 403)
    const { body } = await test.call('GET', `/api/audit/logs?outcome=success&resourceId=${id}`, { as: 'admin' })
    assert.deepEqual(
      body.logs.map(({ action }: { action: string }) => action),
      ['schema.create']
    )
    const stale = await put(`/${id}`, { description: 'x' }, { 'if-match': '"v9"' })
    assert.equal(stale.status, 412)
    assert.equal((await put(`/${id}`, { name: 'other' })).status, 400)
    assert.equal(
      (await put(`/${id}`, { compatibility: null, description: 'x' }, { 'if-match': '"v1"' })).body.version,
      2
    )
  })

  it('take many registrations at once without losing one or giving a number twice', async () => {
    const { id } = await create()
    const fields = Array.from({ length: 12 }, (_, i) => `f${i % 6}`)
    const answers = await Promise.all(fields.map((name) => add(id, order(field(name, 'string', { default: '' })))))
    assert.deepEqual(
      [...new Set(answers.map(({ status }) => status))].toSorted(),
      [200, 201],
      answers.map(({ text }) => text).join()
    )
    const { versions } = (await get(`/${id}/versions`)).body
    assert.deepEqual(
      versions.map(({ version }: { version: number }) => version),
      [1, 2, 3, 4, 5, 6, 7]
    )
  })
})
