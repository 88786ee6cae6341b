import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Registry, record, startRegistry } from './registry.ts'

describe('deleting in the registry', () => {
  let registry: Registry
  before(async () => {
    registry = await startRegistry()
  })
  after(() => registry.test.close())

  /** A subject with as many versions, each of which could be read by all. Answers their ids. */
  async function subjectWith(subject: string, count: number): Promise<number[]> {
    const ids: number[] = []
    const fields = ['a', 'b?', 'c?', 'd?', 'e?']
    for (let n = 1; n <= count; n++) {
      ids.push(await registry.register(subject, record(subject.replaceAll('-', '_'), ...fields.slice(0, n))))
    }
    return ids
  }
  const idOf = async (subject: string) => {
    const { body } = await registry.test.call('GET', `/api/schemas?deleted=true&q=${subject}`, { as: 'editor' })
    return body.schemas[0]?.id as string | undefined
  }

  it('puts a subject away and then deletes it for good', async () => {
    const { ok, refused } = registry
    const [first = 0, second = 0] = await subjectWith('gone', 2)
    assert.deepEqual(await refused('DELETE', '/subjects/gone?permanent=true'), [404, 40405])
    assert.deepEqual(await ok('DELETE', '/subjects/gone'), [1, 2])
    assert.deepEqual(await refused('DELETE', '/subjects/gone'), [404, 40404])
    assert.deepEqual(await refused('GET', '/subjects/gone/versions'), [404, 40401])
    assert.deepEqual(await refused('GET', '/subjects/gone/versions/latest'), [404, 40401])
    assert.deepEqual(await ok('GET', '/subjects/gone/versions?deleted=true'), [1, 2])
    assert.deepEqual(await ok('GET', '/subjects/gone/versions?deletedOnly=true'), [1, 2])
    assert.equal((await ok('GET', '/subjects/gone/versions/2?deleted=true')).id, second)
    assert.ok((await ok('GET', `/schemas/ids/${first}`)).schema)
    assert.deepEqual(await ok('GET', `/schemas/ids/${first}/subjects`), [])
    assert.deepEqual(await ok('GET', `/schemas/ids/${first}/subjects?deleted=true`), ['gone'])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=gone'), [])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=gone&deleted=true'), ['gone'])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=gone&deletedOnly=true'), ['gone'])
    assert.equal((await ok('GET', '/schemas?subjectPrefix=gone')).length, 0)
    assert.equal((await ok('GET', '/schemas?subjectPrefix=gone&deleted=true')).length, 2)
    const body = { schema: JSON.stringify(record('gone', 'a')) }
    assert.deepEqual(await refused('POST', '/subjects/gone', body), [404, 40401])
    assert.equal((await ok('POST', '/subjects/gone?deleted=true', body)).version, 1)

    assert.deepEqual(await ok('DELETE', '/subjects/gone?permanent=true'), [1, 2])
    assert.deepEqual(await refused('DELETE', '/subjects/gone?permanent=true'), [404, 40401])
    assert.deepEqual(await refused('GET', '/subjects/gone/versions?deleted=true'), [404, 40401])
    assert.deepEqual(await refused('GET', `/schemas/ids/${first}`), [404, 40403])
    assert.equal(await idOf('gone'), undefined)
    assert.notEqual(await registry.register('gone', record('gone', 'a')), first)
    assert.deepEqual(await ok('GET', '/subjects/gone/versions'), [1])
  })

  it('brings a subject back with the next number when something is registered', async () => {
    const { ok, register } = registry
    const [first] = await subjectWith('back', 2)
    await ok('DELETE', '/subjects/back')
    assert.equal(await register('back', record('back', 'a')), first)
    assert.deepEqual(await ok('GET', '/subjects/back/versions'), [3])
    await ok('DELETE', '/subjects/back')
    await register('back', record('Another', 'x'))
    assert.deepEqual(await ok('GET', '/subjects/back/versions'), [4])
    assert.deepEqual(await ok('GET', '/subjects/back/versions?deletedOnly=true'), [1, 2, 3])
  })

  it('deletes versions one by one, and the subject with the last', async () => {
    const { ok, refused } = registry
    const [, second] = await subjectWith('single', 3)
    assert.deepEqual(await refused('DELETE', '/subjects/single/versions/2?permanent=true'), [404, 40407])
    assert.equal(await ok('DELETE', '/subjects/single/versions/2'), 2)
    assert.deepEqual(await refused('DELETE', '/subjects/single/versions/2'), [404, 40406])
    assert.deepEqual(await refused('DELETE', '/subjects/single/versions/4'), [404, 40402])
    assert.deepEqual(await refused('DELETE', '/subjects/single/versions/zero'), [422, 42202])
    assert.deepEqual(await refused('DELETE', '/subjects/nothing/versions/1'), [404, 40401])
    assert.deepEqual(await refused('GET', '/subjects/single/versions/2'), [404, 40402])
    assert.deepEqual(await ok('GET', '/subjects/single/versions'), [1, 3])
    assert.deepEqual(await ok('GET', '/subjects/single/versions?deletedOnly=true'), [2])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=single&deletedOnly=true'), [])
    assert.deepEqual(await ok('GET', '/subjects?subjectPrefix=single&deleted=true'), ['single'])
    assert.ok((await ok('GET', `/schemas/ids/${second}`)).schema)
    assert.equal(await ok('DELETE', '/subjects/single/versions/2?permanent=true'), 2)
    assert.deepEqual(await ok('GET', '/subjects/single/versions?deleted=true'), [1, 3])
    assert.deepEqual(await refused('GET', `/schemas/ids/${second}`), [404, 40403])
    assert.equal(await ok('DELETE', '/subjects/single/versions/latest'), 3)
    await ok('PUT', '/config/single', { compatibility: 'FULL' })
    assert.equal(await ok('DELETE', '/subjects/single/versions/1'), 1)
    assert.deepEqual(await refused('DELETE', '/subjects/single'), [404, 40404])
    assert.deepEqual(await refused('GET', '/config/single'), [404, 40408])
    assert.equal(await ok('DELETE', '/subjects/single/versions/1?permanent=true'), 1)
    assert.equal(await ok('DELETE', '/subjects/single/versions/3?permanent=true'), 3)
    assert.deepEqual(await refused('DELETE', '/subjects/single?permanent=true'), [404, 40401])
    assert.equal(await idOf('single'), undefined)
  })

  it('forgets what was set for a subject with it', async () => {
    const { ok, refused } = registry
    await subjectWith('set', 1)
    await ok('PUT', '/config/set', { compatibility: 'NONE' })
    await ok('PUT', '/mode/set', { mode: 'READWRITE' })
    await ok('DELETE', '/subjects/set')
    assert.deepEqual(await refused('GET', '/config/set'), [404, 40408])
    assert.deepEqual(await refused('GET', '/mode/set'), [404, 40409])
  })

  it('agrees with what is deleted and restored through the API', async () => {
    const { ok, refused, test } = registry
    await subjectWith('both', 2)
    const schema = `/api/schemas/${await idOf('both')}`
    assert.equal((await test.call('DELETE', schema, { as: 'editor' })).status, 204)
    assert.deepEqual(await refused('GET', '/subjects/both/versions'), [404, 40401])
    assert.equal((await test.call('POST', `${schema}/restore`, { as: 'editor' })).status, 200)
    assert.deepEqual(await ok('GET', '/subjects/both/versions'), [1, 2])
    await ok('DELETE', '/subjects/both')
    assert.equal((await test.call('GET', schema, { as: 'editor' })).status, 404)
    assert.equal((await test.call('POST', `${schema}/restore`, { as: 'editor' })).status, 200)
    assert.deepEqual(await ok('GET', '/subjects/both/versions'), [1, 2])
    for (const version of [1, 2]) await ok('DELETE', `/subjects/both/versions/${version}`)
    assert.equal((await test.call('POST', `${schema}/restore`, { as: 'editor' })).status, 200)
    assert.deepEqual(await ok('GET', '/subjects/both/versions'), [2])
  })

  it('leaves drafts alone when a subject is deleted version by version', async () => {
    const { ok, refused, test } = registry
    await subjectWith('drafted', 1)
    const schema = `/api/schemas/${await idOf('drafted')}`
    const draft = { schema: record('drafted', 'draft'), state: 'draft' }
    assert.equal((await test.call('POST', `${schema}/versions`, { as: 'editor', body: draft })).status, 201)
    assert.equal(await ok('DELETE', '/subjects/drafted/versions/1'), 1)
    assert.deepEqual(await ok('DELETE', '/subjects/drafted?permanent=true'), [1])
    assert.deepEqual(await refused('GET', '/subjects/drafted/versions?deleted=true'), [404, 40401])
    const left = await test.call('GET', `${schema}/versions`, { as: 'editor' })
    assert.deepEqual(
      left.body.versions.map((version: { version: number }) => version.version),
      [2]
    )
  })

  it('keeps what others refer to', async () => {
    const { ok, refused, register } = registry
    await register('ref-target', record('Target', 'a'))
    await register('ref-target', record('Target', 'a', 'b?'))
    const user = { type: 'record', name: 'User', fields: [{ name: 't', type: 'Target' }] }
    const references = [{ name: 'Target', subject: 'ref-target', version: 1 }]
    const id = await register('ref-user', user, { references })
    assert.deepEqual((await ok('GET', '/subjects/ref-user/versions/1')).references, references)
    assert.deepEqual((await ok('GET', `/schemas/ids/${id}`)).references, references)
    assert.deepEqual(await ok('GET', '/subjects/ref-target/versions/1/referencedby'), [id])
    assert.deepEqual(await ok('GET', '/subjects/ref-target/versions/2/referencedby'), [])
    assert.deepEqual(await refused('DELETE', '/subjects/ref-target'), [422, 42206])
    assert.deepEqual(await refused('DELETE', '/subjects/ref-target/versions/1'), [422, 42206])
    assert.deepEqual(await ok('GET', '/subjects/ref-target/versions'), [1, 2])
    assert.equal(await ok('DELETE', '/subjects/ref-target/versions/2'), 2)
    const other = { schema: JSON.stringify(user), references: [{ ...references[0], version: 2 }] }
    assert.deepEqual(await refused('POST', '/subjects/ref-user/versions', other), [422, 42201])
    assert.deepEqual(await ok('DELETE', '/subjects/ref-user'), [1])
    assert.deepEqual(await ok('GET', '/subjects/ref-target/versions/1/referencedby'), [])
    assert.deepEqual(await ok('DELETE', '/subjects/ref-target'), [1])
  })

  it('takes the latest for a reference of version -1', async () => {
    const { ok, register } = registry
    await register('latest-target', record('Newest', 'a'))
    await register('latest-target', record('Newest', 'a', 'b?'))
    const references = [{ name: 'Newest', subject: ':.:latest-target', version: -1 }]
    await register('latest-user', { type: 'array', items: 'Newest' }, { references })
    const shown = (await ok('GET', '/subjects/latest-user/versions/1')).references
    assert.deepEqual(shown, [{ name: 'Newest', subject: 'latest-target', version: 2 }])
  })
})
