import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeBucket, objectPath, put } from '../../../test/support/objects/client.ts'
import { seenWhenMade } from '../../../test/support/objects/seen-when-made.ts'

describe('levels of copies', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
    const body = { name: 'other disk', type: 'store-local' }
    const provider = await test.call('POST', '/api/storage/providers', { as: 'admin', body })
    for (const name of ['lake', 'shut', 'near', 'plain']) await makeBucket(test, name)
    await makeBucket(test, 'far', { providerId: provider.body.id })
    for (const key of ['whole', 'columns', 'of/pattern', 'inherited', 'strict', 'none']) {
      await put(test, 'lake', key, 'id,email\n1,ada@example.org\n')
    }
    await put(test, 'shut', 'of bucket', 'secret')
    const lineage = await test.app.service('lineage')
    await test.platform.metadata.transaction((tx) =>
      lineage.saw(tx, [
        {
          job: { reference: 'job://test/derive' },
          run: { id: 'r', state: 'completed', timeMs: Date.now(), isWhole: true },
          inputs: [{ reference: 'object://lake/whole' }],
          outputs: [{ reference: 'object://lake/inherited' }],
          columns: [],
          provenance: { how: 'captured', who: 'test' }
        }
      ])
    )
    await label('object://lake/whole')
    await label('object://lake/columns', 'confidential', ['email'])
    await label('object://lake/of/**')
    await label('object://lake/strict', 'restricted')
    await label({ type: 'bucket', id: 'shut' })
    assert.ok(await (await test.app.service('classification')).settle())
  })
  after(() => test.close())

  async function label(resource: unknown, level = 'confidential', columns: string[] = []) {
    const body = { resource, level, columns }
    const { status, text } = await test.call('POST', '/api/classification/resources', { as: 'admin', body })
    assert.equal(status, 201, text)
  }

  const copy = (to: string, body: object, headers = {}) =>
    test.call('POST', `/api/buckets/${to}/copies`, { as: 'admin', body, headers })

  const statusFor = async (role: 'viewer' | 'editor', bucket: string, key: string) =>
    (await test.call('GET', objectPath(bucket, key), { as: role })).status

  for (const to of ['near', 'far']) {
    it(`are those of the original before there is a copy, ${to}`, async (t) => {
      const seen = await seenWhenMade(t, test, to)
      for (const [fromBucket, fromKey] of [
        ['lake', 'whole'],
        ['lake', 'columns'],
        ['lake', 'of/pattern'],
        ['lake', 'inherited'],
        ['shut', 'of bucket']
      ] as const) {
        const key = `copy of ${fromKey}`
        const { status, text } = await copy(to, { fromBucket, fromKey, key })
        assert.equal(status, 201, text)
        assert.deepEqual(seen.pop(), { key, isOpen: false })
        assert.equal(await statusFor('viewer', to, key), 403)
        const again = await copy(to, { fromBucket: to, fromKey: key, key: `${key}, again` })
        assert.equal(again.status, 201, again.text)
        assert.deepEqual(seen.pop(), { key: `${key}, again`, isOpen: false })
      }
    })
  }

  it('are not those of other copies', async () => {
    await copy('plain', { fromBucket: 'lake', fromKey: 'strict', key: 'strict' })
    await copy('plain', { fromBucket: 'lake', fromKey: 'whole', key: 'whole' })
    assert.equal(await statusFor('editor', 'plain', 'strict'), 403)
    assert.equal(await statusFor('editor', 'plain', 'whole'), 200)
  })

  it('stay with what a copy was to replace and did not', async () => {
    await copy('plain', { fromBucket: 'lake', fromKey: 'strict', key: 'kept' })
    const body = { fromBucket: 'lake', fromKey: 'whole', key: 'kept' }
    assert.equal((await copy('plain', body, { 'if-none-match': '*' })).status, 412)
    assert.equal(await statusFor('editor', 'plain', 'kept'), 403)
  })

  it('are none where the original has none, of which nobody is told', async () => {
    const lineage = await test.app.service('lineage')
    const told = lineage.sightings
    assert.equal((await copy('near', { fromBucket: 'lake', fromKey: 'none', key: 'none' })).status, 201)
    assert.equal((await copy('lake', { fromKey: 'whole', key: 'whole' })).status, 201, 'onto itself')
    assert.equal((await copy('near', { fromBucket: 'shut', fromKey: 'not there', key: 'none' })).status, 404)
    assert.equal(lineage.sightings, told)
    assert.equal(await statusFor('viewer', 'near', 'none'), 200)
  })
})
