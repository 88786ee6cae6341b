import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../../test/support/quality-world.ts'
import { ORDERS } from '../../testing/orders.ts'
import type { Suggestion } from '../schema.ts'

const dataset = 'object://lake/orders.csv'

describe('suggested rules', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
    await world.put('orders.csv', ORDERS)
  })
  after(() => world.close())

  async function suggest(more: object = {}): Promise<Suggestion[]> {
    const { status, body, text } = await world.post('profile', { dataset, suggest: true, ...more })
    assert.equal(status, 200, text)
    return body.suggestions
  }

  const shown = (suggestions: readonly Suggestion[]) =>
    suggestions
      .filter(({ rule }) => rule.type !== 'notNull')
      .map(({ rule: { type, config } }) => [type, config])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))

  it('are those that somebody would make who looks at the data', async () => {
    const suggestions = await suggest()
    assert.deepEqual(shown(suggestions), [
      ['allowedValues', { column: 'state', values: ['back', 'new', 'paid', 'sent'] }],
      ['freshness', { column: 'sold', maxAge: '1h' }],
      ['range', { column: 'amount', min: 0, max: 37 }],
      // One weight is far out: it may be wrong, so there is no greatest one.
      ['range', { column: 'weight', min: 0 }],
      ['range', { column: 'mean', min: -10, max: 9.9 }],
      ['regex', { column: 'sku', pattern: '^[A-Z]{2}-[0-9]{4}$' }],
      ['rowCount', { min: 50 }],
      ['unique', { columns: ['id'] }],
      ['unique', { columns: ['sku'] }]
    ])
    const present = suggestions.filter(({ rule }) => rule.type === 'notNull').map(({ rule }) => rule.config.column)
    assert.deepEqual(present.sort(), ['amount', 'id', 'mean', 'note', 'sku', 'sold', 'state', 'weight'])
    const [first] = suggestions
    assert.deepEqual([first?.rule.type, first?.confidence], ['unique', 0.79])
    assert.equal(first?.evidence, 'No two of the 100 values of id are the same, and its name is that of a key.')
    const confidences = suggestions.map(({ confidence }) => confidence)
    assert.deepEqual(
      confidences,
      confidences.toSorted((a, b) => b - a)
    )
  })

  it('ask with the condition of the profile, and have names that are free', async () => {
    await world.put('other.csv', ORDERS)
    const other = { dataset: 'object://lake/other.csv', where: 'id < 1050' }
    const name = 'id is unique in object://lake/other.csv'
    await world.make({ name, dataset: other.dataset, type: 'notNull', config: { column: 'note' } })
    const [unique] = await suggest(other)
    assert.deepEqual(unique?.rule, {
      name: `${name} (2)`,
      dataset: other.dataset,
      type: 'unique',
      config: { columns: ['id'], where: 'id < 1050' }
    })
  })

  it('are left out where the data do not keep them after all', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `${at === 50 ? 'é' : 'e'}-${100 + at}`)
    await world.put('codes.csv', `code\n${lines.join('\n')}\n`)
    const types = (await suggest({ dataset: 'object://lake/codes.csv' })).map(({ rule }) => rule.type)
    assert.deepEqual(types.sort(), ['notNull', 'rowCount', 'unique'])
  })

  it('are none about values that are confidential', async () => {
    await world.put('secret.csv', ORDERS)
    const resource = 'object://lake/secret.csv'
    const level = {
      resource,
      level: 'confidential',
      columns: ['id', 'sku', 'state', 'amount', 'weight', 'sold', 'mean']
    }
    await world.test.call('POST', '/api/classification/resources', { as: 'editor', body: level })
    const types = new Set((await suggest({ dataset: resource })).map(({ rule }) => rule.type))
    assert.deepEqual([...types].sort(), ['notNull', 'rowCount', 'unique'])
  })

  it('can be made as they are, hold, and are not suggested again', async () => {
    const suggestions = await suggest()
    assert.ok(suggestions.length > 10)
    for (const { rule } of suggestions) await world.make(rule)
    const { results } = await world.evaluate({ dataset })
    assert.deepEqual(
      results.map(({ status }: { status: string }) => status),
      suggestions.map(() => 'passed')
    )
    assert.deepEqual(await suggest({ where: 'id < 1050' }), [])
  })
})
