import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startLevelsApp } from '../../../../test/support/levels-app.ts'
import { put } from '../../../../test/support/objects/client.ts'
import { seenWhenMade } from '../../../../test/support/objects/seen-when-made.ts'

describe('levels of what pipelines write', () => {
  let test: TestApp
  let admin: Awaited<ReturnType<typeof startLevelsApp>>['admin']
  before(async () => {
    ;({ test, admin } = await startLevelsApp())
  })
  after(() => test.close())

  const make = async (name: string, reference: string): Promise<string> => {
    const nodes = [
      { id: 'in', type: 'file', config: { reference } },
      { id: 'out', type: 'object', config: { bucket: 'out', prefix: `${name}/`, format: 'csv' }, inputs: ['in'] }
    ]
    return (await admin('POST', '/pipelines', { name, nodes })).id
  }

  const run = async (id: string) => {
    await admin('POST', `/pipelines/${id}/start`, { from: 'beginning' })
    await eventually(async () => {
      const { status, error } = await admin('GET', `/pipelines/${id}`)
      assert.equal(status, 'completed', JSON.stringify(error))
    })
  }

  it('are those of what a new one reads before its first object is there', async (t) => {
    await put(test, 'shop', 'people.csv', 'id,email\n1,ada@example.org\n')
    await admin('POST', '/classification/resources', {
      resource: 'object://shop/people.csv',
      level: 'confidential',
      columns: []
    })
    const id = await make('people', 'object://shop/people.csv')
    const seen = await seenWhenMade(t, test, 'out')
    await run(id)
    assert.ok(seen.length > 0)
    for (const one of seen) assert.equal(one.isOpen, false, one.key)
  })

  it('are those of a column that was not there before, in the first object with it', async (t) => {
    const label = { resource: 'object://shop/later.csv', level: 'confidential', columns: ['email'] }
    await admin('POST', '/classification/resources', label)
    await put(test, 'shop', 'later.csv', 'id\n1\n')
    const id = await make('later', 'object://shop/later.csv')
    const seen = await seenWhenMade(t, test, 'out')
    await run(id)
    assert.deepEqual(
      seen.map(({ isOpen }) => isOpen),
      [true],
      'nothing of the column is in it'
    )
    await put(test, 'shop', 'later.csv', 'id,email\n1,ada@example.org\n')
    await run(id)
    assert.deepEqual(
      seen.map(({ isOpen }) => isOpen),
      [true, false]
    )
  })

  it('are those of a column whose name a line in another encoding could have changed', async (t) => {
    const label = { resource: 'object://shop/mixed.csv', level: 'confidential', columns: ['größe'] }
    await admin('POST', '/classification/resources', label)
    const text = Buffer.concat([Buffer.from('id,größe\n1,180\n'), Buffer.from('J\xfcrgen,190\n', 'latin1')])
    await put(test, 'shop', 'mixed.csv', text)
    const seen = await seenWhenMade(t, test, 'out')
    await run(await make('mixed', 'object://shop/mixed.csv'))
    assert.deepEqual(
      seen.map(({ isOpen }) => isOpen),
      [false]
    )
  })
})
