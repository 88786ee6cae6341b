import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Registry, record, startRegistry } from './registry.ts'

let registry: Registry
before(async () => {
  registry = await startRegistry()
})
after(() => registry.test.close())

describe('compatibility in the registry', () => {
  const text = (...fields: string[]) => ({ schema: JSON.stringify(record('Checked', ...fields)) })
  const at = (subject: string, version = '') => `/compatibility/subjects/${subject}/versions${version}`

  it('is refused with 409 and says what breaks', async () => {
    const { call, register, ok } = registry
    await register('broken', record('Broken', 'a'))
    const body = { schema: JSON.stringify(record('Broken', 'a', 'added')) }
    const { status, body: problem } = await call('POST', '/subjects/broken/versions', body)
    assert.deepEqual([status, problem.error_code], [409, 409])
    assert.match(
      problem.message,
      /incompatible with an earlier schema for subject "broken", details: \[\{errorType:'avro\./
    )
    assert.match(problem.message, /added/)
    assert.match(problem.message, /\{compatibility: 'BACKWARD'\}\]$/)
    assert.deepEqual(await ok('GET', '/subjects/broken/versions'), [1])
  })

  it('is held against one version or against those that registering would', async () => {
    const { ok, register } = registry
    await register('held', record('Checked', 'a', 'b?'))
    await register('held', record('Checked', 'a'))
    assert.deepEqual(await ok('POST', at('held', '/latest'), text('a', 'c?')), { is_compatible: true })
    assert.deepEqual(await ok('POST', at('held', '/2'), text('a', 'b')), { is_compatible: false })
    assert.deepEqual(await ok('POST', at('held', '/1'), text('a', 'b')), { is_compatible: true })
    assert.deepEqual(await ok('POST', at('held'), text('a', 'b')), { is_compatible: false })
    await ok('PUT', '/config/held', { compatibility: 'FORWARD' })
    assert.deepEqual(await ok('POST', at('held'), text('a', 'b')), { is_compatible: true })
    assert.deepEqual(await ok('POST', at('held'), text('b')), { is_compatible: false })
    await ok('PUT', '/config/held', { compatibility: 'NONE' })
    assert.deepEqual(await ok('POST', at('held'), text('quite', 'other')), { is_compatible: true })
  })

  it('looks at all versions where it is transitive', async () => {
    const { ok, refused, register } = registry
    await ok('PUT', '/config/transitive', { compatibility: 'BACKWARD' })
    await register('transitive', record('Checked', 'a'))
    await register('transitive', record('Checked', 'a', 'b?'))
    assert.deepEqual(await ok('POST', at('transitive'), text('a', 'b')), { is_compatible: true })
    await ok('PUT', '/config/transitive', { compatibility: 'BACKWARD_TRANSITIVE' })
    const { is_compatible: isCompatible, messages } = await ok(
      'POST',
      `${at('transitive')}?verbose=true`,
      text('a', 'b')
    )
    assert.equal(isCompatible, false)
    assert.match(messages[0], /oldSchemaVersion: 1\}$/)
    assert.deepEqual(await refused('POST', '/subjects/transitive/versions', text('a', 'b')), [409, 409])
  })

  it('says with verbose what is in the way', async () => {
    const { ok, register } = registry
    await register('verbose', record('Checked', 'a'))
    const { is_compatible: isCompatible, messages } = await ok('POST', `${at('verbose', '/1')}?verbose=true`, text('b'))
    assert.equal(isCompatible, false)
    assert.match(messages[0], /^\{errorType:'avro\.\w+', description:'.*\bb\b.*', additionalInfo:'/)
    const fine = await ok('POST', `${at('verbose', '/latest')}?verbose=true`, text('a', 'b?'))
    assert.deepEqual(fine, { is_compatible: true, messages: [] })
    const invalid = await ok('POST', `${at('verbose', '/latest')}?verbose=true`, { schema: '{' })
    assert.equal(invalid.is_compatible, false)
    assert.equal(invalid.messages.length, 1)
  })

  it('has nothing in the way of the first version', async () => {
    const { ok, refused, register } = registry
    assert.deepEqual(await ok('POST', at('nowhere', '/latest'), text('a')), { is_compatible: true })
    assert.deepEqual(await ok('POST', at('nowhere'), text('a')), { is_compatible: true })
    assert.deepEqual(await refused('POST', at('nowhere', '/1'), text('a')), [404, 40402])
    assert.deepEqual(await refused('POST', at('nowhere', '/latest'), { schema: '{' }), [422, 42201])
    await register('somewhere', record('Checked', 'a'))
    assert.deepEqual(await refused('POST', at('somewhere', '/2'), text('a')), [404, 40402])
    assert.deepEqual(await refused('POST', at('somewhere', '/two'), text('a')), [422, 42202])
    await ok('DELETE', '/subjects/somewhere')
    assert.deepEqual(await ok('POST', at('somewhere', '/latest'), text('z')), { is_compatible: true })
    assert.deepEqual(await ok('POST', at('somewhere'), text('z')), { is_compatible: true })
    await register('somewhere', record('Checked', 'z'))
  })

  it('does not let a subject change its language', async () => {
    const { refused, register } = registry
    await register('language', record('Checked', 'a'))
    const body = { schema: '{"type":"object"}', schemaType: 'JSON' }
    assert.deepEqual(await refused('POST', '/subjects/language/versions', body), [409, 409])
  })
})

describe('many who register at once', () => {
  it('get one id for one schema, and one version', async () => {
    const { ok, register } = registry
    const ids = await Promise.all(Array.from({ length: 30 }, () => register('same', record('Same', 'a'))))
    assert.equal(new Set(ids).size, 1)
    assert.deepEqual(await ok('GET', '/subjects/same/versions'), [1])
  })

  it('get one id for one schema under different subjects', async () => {
    const { ok, register } = registry
    const subjects = Array.from({ length: 20 }, (_, i) => `spread-${i}`)
    const ids = await Promise.all(subjects.map((subject) => register(subject, record('Spread', 'a'))))
    assert.equal(new Set(ids).size, 1)
    assert.deepEqual((await ok('GET', `/schemas/ids/${ids[0]}/subjects`)).length, 20)
  })

  it('get versions without gaps or doubles for different schemas', async () => {
    const { ok, register } = registry
    const fields = Array.from({ length: 24 }, (_, i) => `f${i}`)
    // Each twice, as two producers would.
    const ids = await Promise.all(
      [...fields, ...fields].map((name) => register('race', record('Race', 'a', `${name}?`)))
    )
    assert.equal(new Set(ids).size, 24)
    assert.deepEqual(ids.slice(0, 24), ids.slice(24))
    const numbers = Array.from({ length: 24 }, (_, i) => i + 1)
    assert.deepEqual(await ok('GET', '/subjects/race/versions'), numbers)
    const versions: { id: number }[] = await Promise.all(numbers.map((n) => ok('GET', `/subjects/race/versions/${n}`)))
    assert.deepEqual(new Set(versions.map(({ id }) => id)), new Set(ids))
  })

  it('make a subject of one of them, and the others are held against it', async () => {
    const { call, ok } = registry
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        call('POST', '/subjects/first/versions', { schema: JSON.stringify(record('First', `only${i}`)) })
      )
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409])
    assert.deepEqual(await ok('GET', '/subjects/first/versions'), [1])
  })

  it('get in only as far as they are compatible with each other', async () => {
    const { call, ok, register } = registry
    await register('rivals', record('Rivals', 'a'))
    await ok('PUT', '/config/rivals', { compatibility: 'FULL_TRANSITIVE' })
    // Each can be read as none of the others, or only one way round.
    const kinds = ['int', 'string', 'boolean', 'double', 'float', 'long']
    const answers = await Promise.all(
      kinds.map((type) => {
        const field = { name: 'b', type: ['null', type], default: null }
        const schema = { type: 'record', name: 'Rivals', fields: [{ name: 'a', type: 'int' }, field] }
        return call('POST', '/subjects/rivals/versions', { schema: JSON.stringify(schema) })
      })
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409])
    assert.deepEqual(await ok('GET', '/subjects/rivals/versions'), [1, 2])
  })
})
