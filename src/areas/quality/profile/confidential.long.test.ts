import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import type { ColumnProfile } from './schema.ts'

const PEOPLE =
  'id,name,age,joined,mail\n1,Ada,36,2026-01-01,ada@example.org\n2,Bo,,2026-01-02,bo@example.org\n3,Cy,-4,2026-01-03,not a mail\n4,Di,20,2026-01-04,\n'

describe('a profile of data that are confidential in part', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  it('has counts alone of that part, and no condition about it', async () => {
    await world.put('secret.csv', PEOPLE)
    const resource = 'object://lake/secret.csv'
    const level = { resource, level: 'confidential', columns: ['name', 'age'] }
    await world.test.call('POST', '/api/classification/resources', { as: 'editor', body: level })
    const { status, body, text } = await world.post('profile', { dataset: resource, where: 'id > 0' })
    assert.equal(status, 200, text)
    const [, name, age, , mail] = body.columns as ColumnProfile[]
    assert.deepEqual([name?.masked, name?.count, name?.distinct?.count, name?.top, name?.min], [true, 4, 4, [], null])
    assert.deepEqual([age?.masked, age?.mean, age?.quantiles, age?.histogram, age?.nulls], [true, null, [], [], 1])
    assert.deepEqual([mail?.masked, mail?.min], [false, 'ada@example.org'])
    for (const where of ["name = 'Ada'", 'id IN (SELECT id FROM dataset WHERE age > 30)']) {
      const refused = await world.post('profile', { dataset: resource, where })
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [400, '/where'], where)
    }
    const broken = await world.post('profile', { dataset: resource, where: 'mail::DATE IS NULL' })
    assert.match(broken.body.detail, /not shown, because the data are confidential/)
    assert.doesNotMatch(JSON.stringify(broken.body), /example/)
  })
})
