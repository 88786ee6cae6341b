import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { arbitraryContent } from '../testing/arbitrary.ts'

describe('the history of a dashboard', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('restores every version exactly, and tells what changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryContent, { minLength: 2, maxLength: 4 }), async (contents) => {
        const [first, ...others] = contents as [(typeof contents)[0], ...typeof contents]
        const { status, body, text } = await test.call('POST', '/api/dashboards', { as: 'editor', body: first })
        assert.equal(status, 201, text)
        const path = `/api/dashboards/${body.id}`
        for (const content of others) {
          const answer = await test.call('PUT', path, { as: 'editor', body: { ...content, message: 'next' } })
          assert.equal(answer.status, 200, answer.text)
        }
        for (const [index, content] of contents.entries()) {
          const version = await test.call('GET', `${path}/versions/${index + 1}`, { as: 'viewer' })
          assert.deepEqual(version.body.content, content)
          const restored = await test.call('POST', `${path}/versions/${index + 1}/restore`, { as: 'editor' })
          assert.deepEqual(pick(restored.body, content), content)
          const now = await test.call('GET', `${path}/versions/${index + 1}/difference`, { as: 'viewer' })
          assert.deepEqual(now.body.changes, [])
        }
        const listed = await test.call('GET', `${path}/versions`, { as: 'viewer' })
        assert.equal(listed.body.total, contents.length * 2)
      }),
      { numRuns: 12 }
    )
  })

  it('is exported and imported without a difference, as JSON and as YAML', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryContent, fc.constantFrom('json', 'yaml'), async (content, format) => {
        const { body } = await test.call('POST', '/api/dashboards', { as: 'editor', body: content })
        const file = await test.call('GET', `/api/dashboards/${body.id}/export?format=${format}`, { as: 'viewer' })
        const headers = { 'content-type': `application/${format}` }
        const imported = await test.call('POST', '/api/dashboards/import', { as: 'editor', body: file.text, headers })
        assert.equal(imported.status, 201, imported.text)
        assert.deepEqual(pick(imported.body, content), content)
      }),
      { numRuns: 12 }
    )
  })

  it('keeps the change of everybody who sends If-Match, and loses none of the others', async () => {
    const { body } = await test.call('POST', '/api/dashboards', { as: 'editor', body: { name: 'contested' } })
    const path = `/api/dashboards/${body.id}`
    const writers = Array.from({ length: 8 }, (_, index) => `writer ${index}`)
    const answers = await Promise.all(
      writers.map((description) =>
        test.call('PUT', path, { as: 'editor', body: { description }, headers: { 'if-match': '"v1"' } })
      )
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412, 412, 412])
    await Promise.all(writers.map((description) => test.call('PUT', path, { as: 'editor', body: { description } })))
    const { versions } = (await test.call('GET', `${path}/versions`, { as: 'viewer' })).body
    assert.equal(versions.length, 10)
    const said = await Promise.all(
      versions.map(async ({ version }: { version: number }) => {
        const answer = await test.call('GET', `${path}/versions/${version}`, { as: 'viewer' })
        return answer.body.content.description
      })
    )
    for (const description of writers) assert.ok(said.includes(description), description)
  })
})

const pick = (from: Record<string, unknown>, like: object) =>
  Object.fromEntries(Object.keys(like).map((field) => [field, from[field]]))
