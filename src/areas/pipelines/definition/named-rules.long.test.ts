// Once: where a node gets its rules from, not what keeps them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { withRules } from './named-rules.ts'

const dataset = 'object://lake/orders.csv'

describe('quality nodes', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const graph = (config: object, source: object = { id: 'in', type: 'webhook' }) => [
    source,
    { id: 'q', type: 'quality', config, inputs: ['in'] },
    { id: 'out', type: 'object', config: { bucket: 'lake', prefix: 'q/', format: 'ndjson' }, inputs: ['q'] }
  ]
  const call = (path: string, body: object) => world.test.call('POST', `/api/pipelines${path}`, { as: 'editor', body })
  const preview = async (config: object, records: object[]) => {
    const { status, body, text } = await call('/preview', { nodes: graph(config), samples: { in: records } })
    assert.equal(status, 200, text)
    const { total, deadLetters } = body.nodes.find(({ id }: { id: string }) => id === 'q')
    return [total, deadLetters.map(({ reason }: { reason: string }) => reason)]
  }
  const faultsOf = async (nodes: object[]) => {
    const { status, body } = await call('', { name: 'refused', nodes })
    assert.equal(status, 400)
    return body.errors.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`)
  }

  it('use stored rules of any dataset as they are, and leave out those that are disabled', async () => {
    const rule = { name: 'amounts', dataset, type: 'range', config: { column: 'amount', min: 0, sample: 10 } }
    const [amounts, cities] = [
      await world.make(rule),
      await world.make({ dataset, type: 'notNull', config: { column: 'city' }, enabled: false })
    ]
    const config = { rules: [{ type: 'notNull', config: { column: 'id' } }], ruleIds: [amounts, cities] }
    const records = [{ id: 1, amount: 2 }, { id: 2, amount: -1 }, { amount: 3 }]
    assert.deepEqual(await preview(config, records), [
      1,
      ['amount is not from 0 on (rule "amounts")', 'id has no value (rule "notNull of id")']
    ])
    await world.test.call('PUT', `/api/quality/rules/${amounts}`, {
      as: 'editor',
      body: { config: { column: 'amount', min: -5 } }
    })
    assert.deepEqual((await preview(config, records))[0], 2)
  })

  it('are refused where a rule is not there, looks at more than a record, or has SQL that does', async () => {
    const many = await world.make({ dataset, type: 'unique', config: { columns: ['id'] } })
    assert.deepEqual(await faultsOf(graph({ ruleIds: ['qr_none', many] })), [
      '/nodes/1/config/ruleIds/0 q: there is no quality rule qr_none',
      `/nodes/1/config/ruleIds/1 q: the quality rule ${many} is of the type unique, which looks at more than one record; use notNull, range, allowedValues, regex`
    ])
    const where = 'amount > (SELECT 1)'
    const inner = await world.make({ dataset, type: 'notNull', config: { column: 'id', where } })
    const rules = [
      { type: 'sql', config: { condition: 'sum(amount) > 1' } },
      { type: 'regex', config: { column: 'a', pattern: '(' } }
    ]
    const faults = await faultsOf(graph({ rules, ruleIds: [inner] }))
    assert.equal(faults.length, 3, faults.join('\n'))
    assert.match(faults.join('\n'), /\/rules\/0\/config\/condition q: sum is a function of several records/)
    assert.match(faults.join('\n'), /\/rules\/1\/config\/pattern q: .*missing \)/)
    assert.match(faults.join('\n'), /\/ruleIds q: one of the rules must not hold a SELECT/)
  })

  it('say nothing of a rule that not everybody may see, and are refused to those who may not', async () => {
    const secret = 'object://lake/pay.csv'
    const [pay, mail, known] = [
      await world.make({ name: 'pay', dataset: secret, type: 'range', config: { column: 'salary', max: 51000 } }),
      await world.make({
        name: 'mail',
        dataset: secret,
        type: 'regex',
        config: { column: 'email', pattern: '^SECRET' }
      }),
      await world.make({ name: 'known', dataset: secret, type: 'notNull', config: { column: 'email' } })
    ]
    const records = [{ salary: 60000, email: 'a@b' }, { salary: 1 }]
    const admin = (method: string, path: string, body: object) => world.test.call(method, path, { as: 'admin', body })
    const label = { resource: secret, columns: ['salary', 'email'], level: 'confidential' }
    assert.equal((await admin('POST', '/api/classification/resources', label)).status, 201)
    const config = { ruleIds: [pay, mail, known] }
    // Editors may see it by now, viewers may not.
    assert.deepEqual(await preview(config, records), [
      0,
      ['salary is not as it should be (rule "pay"); it also fails mail', 'email has no value (rule "known")']
    ])
    await admin('PUT', '/api/classification/clearances/editor', { level: 'internal' })
    for (const id of [pay, mail]) {
      const { status, body } = await call('/preview', { nodes: graph({ ruleIds: [id] }), samples: { in: records } })
      assert.deepEqual([status, body.code, body.resource], [403, 'above_clearance', secret])
      // Also where something else is wrong, which would be told with what the rule says.
      const wrong = await call('/preview', { nodes: graph({ ruleIds: [id, 'qr_none'] }), samples: {} })
      assert.deepEqual([wrong.status, wrong.body.code], [403, 'above_clearance'])
    }
    assert.deepEqual(await preview({ ruleIds: [known] }, records), [1, ['email has no value (rule "known")']])
    await admin('PUT', '/api/classification/clearances/editor', { level: 'confidential' })
  })

  it('that hold records back are refused behind a source without an end', async () => {
    const rules = [{ type: 'notNull', config: { column: 'id' } }]
    assert.deepEqual(await faultsOf(graph({ rules, onFailure: 'stop' })), [
      '/nodes/1/config q: waits until its inputs have ended, and in (webhook) never does'
    ])
    const file = { id: 'in', type: 'file', config: { reference: 'object://lake/*.csv' } }
    const made = await call('', { name: 'held', nodes: graph({ rules, onFailure: 'stop' }, file) })
    assert.equal(made.status, 201, made.text)
  })

  it('do not run once a rule that they name is gone', async () => {
    const node = { id: 'q', type: 'quality', inputs: ['in'], config: { ruleIds: ['qr_gone'] } }
    await assert.rejects(
      withRules([node], async () => []),
      { code: 'rule_missing', kind: 'fatal', message: 'q: there is no quality rule qr_gone' }
    )
  })
})
