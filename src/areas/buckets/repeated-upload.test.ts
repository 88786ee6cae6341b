// Once: what a store has of an upload that is sent again.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { type FormPart, form, get, makeBucket, postForm, put } from '../../../test/support/objects/client.ts'
import { leftovers } from '../../../test/support/objects/leftovers.ts'
import { pattern } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'repeated'
const LARGE = pattern(1_000_000)

describe('a form with an Idempotency-Key', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await makeBucket(test, BUCKET)
  })
  after(() => test.close())

  const post = (idempotencyKey: string, ...parts: FormPart[]) =>
    postForm(test, BUCKET, form(...parts), { 'idempotency-key': idempotencyKey })

  it('is answered again with the same, and writes nothing', async () => {
    const first = await post('same', ['key', 'a'], ['file', LARGE, 'f'])
    assert.equal(first.status, 201)
    await put(test, BUCKET, 'a', 'somebody else’s')
    const orders: FormPart[][] = [
      [
        ['key', 'a'],
        ['file', LARGE, 'f']
      ],
      [
        ['file', LARGE, 'f'],
        ['key', 'a']
      ]
    ]
    for (const parts of orders) {
      const again = await post('same', ...parts)
      assert.deepEqual([again.status, again.body], [201, first.body])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(again.headers.get('location'), first.headers.get('location'))
    }
    assert.equal(String((await get(test, BUCKET, 'a')).bytes), 'somebody else’s')
  })

  it('of another content or key is refused', async () => {
    await post('other', ['key', 'b'], ['file', LARGE, 'f'])
    const others: FormPart[][] = [
      [
        ['key', 'b'],
        ['file', 'other', 'f']
      ],
      [
        ['key', 'c'],
        ['file', LARGE, 'f']
      ],
      [['file', LARGE, 'f']]
    ]
    for (const parts of others) {
      const { status, body } = await post('other', ...parts)
      assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
    }
    assert.ok((await get(test, BUCKET, 'b')).bytes.equals(LARGE))
    assert.equal((await get(test, BUCKET, 'c')).status, 404)
  })

  it('sent several times at once is done once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post('at-once', ['key', 'd'], ['file', LARGE, 'f']))
    )
    for (const { status, body } of answers) {
      assert.ok(status === 201 || (status === 409 && body.code === 'idempotency_key_running'), String(status))
    }
    assert.ok(answers.some(({ status }) => status === 201))
    const query = `action=object.create&outcome=success&resourceId=${BUCKET}/d`
    const { logs } = (await test.call('GET', `/api/audit/logs?${query}`, { as: 'admin' })).body
    assert.equal(logs.length, 1)
  })

  it('that was refused gives the key back', async () => {
    const refused = await post('again', ['wrong', 'x', 'f'])
    assert.equal(refused.status, 400)
    assert.equal((await post('again', ['file', LARGE, 'f'])).status, 201)
    assert.deepEqual(leftovers(test.database.folder), [])
  })
})
