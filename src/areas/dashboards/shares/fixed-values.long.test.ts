import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'

describe('values that a share fixes', () => {
  let test: TestApp
  let path: string
  const line = { name: 'line', type: 'list', values: [{ value: '1' }, { value: '2' }] }
  const lines = { name: 'lines', type: 'list', multiple: true, values: [{ value: 'a' }, { value: 'b' }] }
  const found = { name: 'found', type: 'query', query: { sql: "SELECT unnest(['x', 'y'])" } }
  const plant = { name: 'plant', type: 'constant', value: 'north' }
  const variables = [line, lines, found, plant]
  before(async () => {
    test = await startTestApp()
    const panels = [
      {
        ...{ id: 'note', title: '$line', type: 'text' },
        options: { text: '$line' },
        position: { x: 0, y: 0, w: 6, h: 4 }
      }
    ]
    const made = await test.call('POST', '/api/dashboards', { as: 'editor', body: { name: 'Hall', variables, panels } })
    assert.equal(made.status, 201, made.text)
    path = `/api/dashboards/${made.body.id}`
  })
  after(() => test.close())

  const share = (fixed: object) => test.call('POST', `${path}/share`, { as: 'editor', body: { variables: fixed } })

  it('are among those that can be chosen, or the share is not made', async () => {
    for (const fixed of [{ line: '1' }, { line: ['2'] }, { lines: ['b', 'a'] }, { lines: 'a' }, { found: 'y' }])
      assert.equal((await share(fixed)).status, 201, JSON.stringify(fixed))
    for (const [fixed, message] of [
      [{ line: '3' }, 'can’t be "3": choose one of its values'],
      [{ line: ['1', '2'] }, 'takes one value'],
      [{ lines: ['a', 'c'] }, 'can’t be "c": choose one of its values'],
      [{ found: ['x', 'y'] }, 'takes one value'],
      [{ plant: 'north' }, 'is a constant'],
      [{ other: '1' }, 'is no variable of the dashboard']
    ] as const) {
      const { status, body } = await share(fixed)
      const errors = [{ pointer: `/variables/${Object.keys(fixed)[0]}`, message }]
      assert.deepEqual([status, body.code, body.errors], [422, 'unprocessable', errors])
    }
  })

  it('that the dashboard has lost are told to viewers, with whom to ask', async () => {
    const { token } = (await share({ line: '2' })).body
    const shared = `/api/dashboards/shared/${token}`
    const look = async () => [
      await test.call('POST', `${shared}/data`, { body: {} }),
      await test.call('GET', `${shared}/image`),
      await test.call('GET', `${shared}/page`)
    ]
    assert.deepEqual(
      (await look()).map(({ status }) => status),
      [200, 200, 200]
    )
    for (const left of [[{ ...line, values: [{ value: '1' }] }], []]) {
      const changed = await test.call('PUT', path, { as: 'editor', body: { variables: left } })
      assert.equal(changed.status, 200, changed.text)
      for (const { status, body } of await look()) {
        const detail =
          'The link fixes the variable line to what the dashboard no longer has. Ask whoever sent it for another one.'
        assert.deepEqual([status, body.code, body.detail, body.errors], [422, 'unprocessable', detail, undefined])
      }
    }
  })
})
