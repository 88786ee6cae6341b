import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { data_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { hasRows } from '../../../engines/metadata/index.ts'
import { Guard } from './guard.ts'
import { LabelCache } from './label-cache.ts'

const VIEWER = { role: 'viewer' } as const

describe('a level of one part of what somebody has named as a whole', () => {
  let world: LineageWorld
  let guard: Guard
  before(async () => {
    world = await LineageWorld.start()
    const post = async (path: string, body: object) => {
      const { status, text } = await world.test.call('POST', `/api/${path}`, { as: 'admin', body })
      assert.equal(status, 201, text)
    }
    const label = (resource: string, columns: string[] = []) =>
      post('classification/resources', { resource, columns, level: 'confidential' })
    await label('object://lake/in/a.csv', ['email'])
    await label('object://lake/out/a.csv')
    await label('series://plant/secret')
    await label('connector://erp/people')
    for (const whole of ['object://lake/in/*.csv', 'object://lake/**', 'series://plant', 'connector://erp/**']) {
      await post('lineage/links', { from: whole, to: data_(`of ${whole.replaceAll('/', ' ')}`) })
    }
    await post('lineage/links', { from: 'object://lake/in/a.csv', to: 'object://lake/copies/*' })
    const { platform } = world.test
    await eventually(async () => !(await hasRows(platform.metadata.db.selectFrom('classification_marks'))))
    const cache = new LabelCache({ ...platform, clock: { elapsed: () => 0 } })
    const outputsOf = async (id: string) => [`object://lake/${id}/*`]
    guard = new Guard({ cache, masked: { note: async () => {} }, outputsOf })
  })
  after(() => world.close())

  const mayRead = (reference: string) =>
    guard.requireAll(VIEWER, [reference]).then(
      () => true,
      ({ code }) => code
    )

  it('is inherited by the whole', async () => {
    const { body } = await world.test.call('GET', '/api/classification/inherited?limit=100', { as: 'viewer' })
    const inherited = body.inherited.map(
      ({ resource, column }: Record<string, string>) => `${resource} ${column ?? ''}`
    )
    for (const one of ['object://lake/in/*.csv email', 'object://lake/** ', 'series://plant ', 'connector://erp/** ']) {
      assert.ok(inherited.includes(one), `${one} ${inherited}`)
    }
  })

  it('keeps nobody from the other parts', async () => {
    for (const part of ['object://lake/in/b.csv', 'series://plant/open', 'connector://erp/pumps']) {
      assert.equal(await mayRead(part), true, part)
    }
    await guard.requireObject(VIEWER, 'lake', 'in/b.csv')
    await guard.requireTags(VIEWER, 'plant', ['open'])
    const asker = { actor: VIEWER } as never
    assert.deepEqual(await guard.maskedTags(asker, 'plant', ['open', 'secret']), new Set(['secret']))
    assert.equal(await mayRead('pipeline://elsewhere'), true)
  })

  it('keeps others from that part, and from the whole', async () => {
    for (const data of [
      'object://lake/in/a.csv',
      'object://lake/in/*.csv',
      'object://lake/**',
      'series://plant',
      'series://plant/secret',
      'connector://erp/people',
      'connector://erp/**',
      'pipeline://out',
      'object://lake/copies/x.csv'
    ]) {
      assert.equal(await mayRead(data), 'above_clearance', data)
    }
    assert.deepEqual(await guard.maskOf(VIEWER, ['object://lake/in/*.csv']), ['email'])
    assert.equal(await guard.maskOf(VIEWER, ['series://plant']), 'all')
    await assert.rejects(guard.requireTags(VIEWER, 'plant'), { code: 'above_clearance' })
  })
})
