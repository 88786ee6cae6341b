import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Registry, record, startRegistry } from './registry.ts'

describe('what is set in the registry', () => {
  let registry: Registry
  before(async () => {
    registry = await startRegistry()
  })
  after(() => registry.test.close())

  const text = (schema: unknown) => ({ schema: JSON.stringify(schema) })

  it('holds for subjects that have nothing of their own', async () => {
    const { ok, refused, register } = registry
    await register('inherits', record('Inherits', 'a'))
    assert.deepEqual(await ok('GET', '/config'), { compatibilityLevel: 'BACKWARD' })
    assert.deepEqual(await refused('GET', '/config/inherits'), [404, 40408])
    assert.deepEqual(await ok('GET', '/config/inherits?defaultToGlobal=true'), { compatibilityLevel: 'BACKWARD' })
    assert.deepEqual(await ok('PUT', '/config', { compatibility: 'none' }, 'admin'), { compatibility: 'NONE' })
    assert.deepEqual(await ok('GET', '/config/inherits?defaultToGlobal=true'), { compatibilityLevel: 'NONE' })
    const broken = record('Inherits', 'z')
    assert.deepEqual(await ok('PUT', '/config/inherits', { compatibility: 'FULL' }), { compatibility: 'FULL' })
    assert.deepEqual(await ok('GET', '/config/inherits'), { compatibilityLevel: 'FULL' })
    assert.deepEqual(await refused('POST', '/subjects/inherits/versions', text(broken)), [409, 409])
    assert.deepEqual(await ok('DELETE', '/config/inherits'), { compatibilityLevel: 'FULL' })
    assert.deepEqual(await refused('DELETE', '/config/inherits'), [404, 40401])
    await register('inherits', broken)
    assert.deepEqual(await ok('DELETE', '/config', undefined, 'admin'), { compatibilityLevel: 'NONE' })
    assert.deepEqual(await ok('GET', '/config'), { compatibilityLevel: 'BACKWARD' })
    assert.deepEqual(await refused('POST', '/subjects/inherits/versions', text(record('Inherits', 'y'))), [409, 409])
  })

  it('says of an empty body that it has to be an object', async () => {
    const { status, body } = await registry.call('PUT', '/config/x', null)
    assert.deepEqual([status, body.message], [400, 'The body must be a JSON object'])
  })

  it('refuses what is no compatibility and no mode', async () => {
    const { refused } = registry
    for (const body of [{ compatibility: 'SIDEWARD' }, {}, { compatibility: null }])
      assert.deepEqual(await refused('PUT', '/config/x', body), [422, 42203])
    assert.deepEqual(await refused('PUT', '/config', { compatibility: '' }, 'admin'), [422, 42203])
    for (const body of [{ mode: 'FASTER' }, {}, { mode: null }])
      assert.deepEqual(await refused('PUT', '/mode/x', body), [422, 42204])
    assert.deepEqual(await refused('PUT', '/config/x', { compatibility: 5 }), [400, 400])
  })

  it('can be set before there is a subject, which is no schema until it has a version', async () => {
    const { ok, refused, register, test } = registry
    await ok('PUT', '/config/early', { compatibility: 'FORWARD' })
    assert.deepEqual(await ok('GET', '/config/early'), { compatibilityLevel: 'FORWARD' })
    assert.deepEqual(await refused('GET', '/subjects/early/versions'), [404, 40401])
    assert.ok(!(await ok('GET', '/subjects?deleted=true')).includes('early'))
    const listed = async () => (await test.call('GET', '/api/schemas?q=early', { as: 'editor' })).body.schemas
    assert.deepEqual(await listed(), [])
    await register('early', '{"type":"object"}', { schemaType: 'JSON' })
    const [{ type, compatibility }] = await listed()
    assert.deepEqual([type, compatibility], ['json', 'FORWARD'])

    await ok('PUT', '/config/ours', { compatibility: 'FULL' })
    const body = { name: 'ours', type: 'json', schema: { type: 'object' } }
    const made = await test.call('POST', '/api/schemas', { as: 'editor', body })
    assert.deepEqual([made.status, made.body.compatibility, made.body.type], [201, 'FULL', 'json'], made.text)
    assert.deepEqual(await ok('GET', '/subjects/ours/versions'), [1])

    await ok('PUT', '/mode/never', { mode: 'READWRITE' })
    assert.deepEqual(await ok('DELETE', '/mode/never'), { mode: 'READWRITE' })
    assert.deepEqual(await refused('DELETE', '/mode/never'), [404, 40401])
  })

  it('keeps a subject from being changed where it can only be read', async () => {
    const { ok, refused, register, test } = registry
    const id = await register('kept', record('Kept', 'a'))
    assert.deepEqual(await refused('GET', '/mode/kept'), [404, 40409])
    assert.deepEqual(await ok('GET', '/mode/kept?defaultToGlobal=true'), { mode: 'READWRITE' })
    assert.deepEqual(await ok('PUT', '/mode/kept', { mode: 'readonly' }), { mode: 'READONLY' })
    assert.deepEqual(await ok('GET', '/mode/kept'), { mode: 'READONLY' })
    assert.equal(await register('kept', record('Kept', 'a')), id)
    const more = text(record('Kept', 'a', 'b?'))
    const changes: [method: string, path: string, body?: unknown][] = [
      ['POST', '/subjects/kept/versions', more],
      ['DELETE', '/subjects/kept'],
      ['DELETE', '/subjects/kept?permanent=true'],
      ['DELETE', '/subjects/kept/versions/1'],
      ['DELETE', '/subjects/kept/versions/1?permanent=true'],
      ['PUT', '/config/kept', { compatibility: 'NONE' }]
    ]
    for (const [method, path, body] of changes)
      assert.deepEqual(await refused(method, path, body), [422, 42205], `${method} ${path}`)
    const { body } = await test.call('GET', '/api/schemas?q=kept', { as: 'editor' })
    const own = await test.call('DELETE', `/api/schemas/${body.schemas[0].id}`, { as: 'editor' })
    assert.deepEqual([own.status, own.body.code], [409, 'schemas_read_only'])
    assert.deepEqual(await ok('DELETE', '/mode/kept'), { mode: 'READONLY' })
    await register('kept', record('Kept', 'a', 'b?'))
  })

  it('can only be read as a whole, even where a subject says otherwise', async () => {
    const { ok, refused, register } = registry
    await register('whole', record('Whole', 'a'))
    await ok('PUT', '/mode/whole', { mode: 'READWRITE' })
    const more = (name: string) => text(record('Whole', 'a', `${name}?`))
    await ok('PUT', '/mode', { mode: 'READONLY' }, 'admin')
    await ok('POST', '/subjects/whole/versions', more('b'))
    assert.deepEqual(await refused('POST', '/subjects/unset/versions', more('b')), [422, 42205])
    assert.deepEqual(await refused('PUT', '/config', { compatibility: 'NONE' }, 'admin'), [422, 42205])
    await ok('PUT', '/mode', { mode: 'READONLY_OVERRIDE' }, 'admin')
    assert.deepEqual(await ok('GET', '/mode/whole'), { mode: 'READONLY_OVERRIDE' })
    assert.deepEqual(await refused('POST', '/subjects/whole/versions', more('c')), [422, 42205])
    assert.deepEqual(await ok('DELETE', '/mode', undefined, 'admin'), { mode: 'READONLY_OVERRIDE' })
    assert.deepEqual(await ok('GET', '/mode'), { mode: 'READWRITE' })
    await ok('POST', '/subjects/whole/versions', more('c'))
  })

  it('lets ids and versions be chosen where schemas are imported', async () => {
    const { ok, refused, register } = registry
    const taken = await register('elsewhere', record('Elsewhere', 'a'))
    assert.deepEqual(await refused('PUT', '/mode/elsewhere', { mode: 'IMPORT' }), [422, 42205])
    assert.deepEqual(await refused('PUT', '/mode', { mode: 'IMPORT' }, 'admin'), [422, 42205])
    assert.deepEqual(await ok('PUT', '/mode/elsewhere?force=true', { mode: 'IMPORT' }), { mode: 'IMPORT' })
    await ok('PUT', '/mode/imported', { mode: 'IMPORT' })
    const at = '/subjects/imported/versions'
    const chosen = (schema: unknown, id: number, version: number) => ({ ...text(schema), id, version })
    assert.deepEqual(await ok('POST', at, chosen(record('Imported', 'a'), 5000, 3)), { id: 5000 })
    // Nothing is held against anything.
    assert.deepEqual(await ok('POST', at, chosen(record('Imported', 'z'), 4000, 7)), { id: 4000 })
    assert.deepEqual(await ok('POST', at, chosen(record('Imported', 'z'), 4000, 7)), { id: 4000 })
    assert.deepEqual(await ok('GET', at), [3, 7])
    assert.deepEqual(await refused('POST', at, chosen(record('Imported', 'y'), 5000, 8)), [422, 42205])
    assert.deepEqual(await refused('POST', at, chosen(record('Imported', 'y'), 6000, 7)), [422, 42205])
    assert.deepEqual(await refused('POST', at, chosen(record('Elsewhere', 'a'), 6000, 8)), [422, 42207])
    assert.deepEqual(await ok('POST', at, chosen(record('Elsewhere', 'a'), taken, 8)), { id: taken })
    assert.deepEqual(await refused('POST', at, text(record('Imported', 'x'))), [422, 42205])
    await ok('PUT', '/mode/imported', { mode: 'READWRITE' })
    await ok('PUT', '/config/imported', { compatibility: 'NONE' })
    assert.deepEqual(await ok('POST', at, text(record('Imported', 'w'))), { id: 5001 })
    assert.deepEqual(await ok('GET', at), [3, 7, 8, 9])
    assert.deepEqual(await refused('POST', at, chosen(record('Imported', 'v'), 7000, 10)), [422, 42205])
  })
})

describe('an empty registry', () => {
  it('can be imported into as a whole', async () => {
    const registry = await startRegistry()
    try {
      const { ok } = registry
      await ok('PUT', '/mode', { mode: 'IMPORT' }, 'admin')
      assert.deepEqual(await ok('POST', '/subjects/a/versions', { schema: '"int"', id: 42 }), { id: 42 })
      assert.deepEqual(await ok('GET', '/subjects/a/versions/1'), { subject: 'a', version: 1, id: 42, schema: '"int"' })
      assert.deepEqual(await ok('GET', '/schemas/ids/42'), { schema: '"int"' })
    } finally {
      await registry.test.close()
    }
  })
})
