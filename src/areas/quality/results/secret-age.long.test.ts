import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { AREAS } from '../../../areas.ts'
import { insertMeasurements } from '../anomalies/store.ts'

const DAY_MS = 86_400_000
const ANOMALOUS = AREAS.find(({ name }) => name === 'quality')?.alertEvents?.['quality-rule.anomalous']

describe('how old the newest value of a confidential column is', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
  })
  after(() => world.close())

  const dataset = 'object://lake/born.csv'
  /** Of a rule with a history in which its next measurement is odd. */
  async function ageRule(column: string): Promise<string> {
    const id = await world.make({ dataset, type: 'freshness', config: { column, maxAge: '1d' } })
    const { metadata, clock } = world.test.platform
    const rows = Array.from({ length: 20 }, (_, day) => {
      return { id: `${id}-${day}`, rule_id: id, value: '5', at_ms: clock.now() - (20 - day) * DAY_MS, oddity: 0 }
    })
    await metadata.transaction((tx) => insertMeasurements(tx, rows))
    return id
  }

  it('is in results, rules and alerts for those alone who may see it', async () => {
    await world.put('born.csv', 'born,seen\n1999-09-17T00:00:00Z,2001-01-01T00:00:00Z\n')
    const [born, seen] = [await ageRule('born'), await ageRule('seen')]
    const level = { resource: dataset, level: 'confidential', columns: ['born'] }
    await world.test.call('POST', '/api/classification/resources', { as: 'editor', body: level })
    const own = await world.evaluate({ dataset })
    const [secret] = own.results
    assert.match(secret.reason.message, /1999-09-17/, 'the editor may see it')
    assert.deepEqual([secret.status, secret.anomaly.kind], ['failed', 'value'])

    const { results } = await world.get(`results?dataset=${encodeURIComponent(dataset)}`)
    const of = (id: string) => results.find(({ ruleId }: { ruleId: string }) => ruleId === id)
    const { measured, expected, reason, anomaly } = of(born)
    assert.deepEqual([measured, expected, reason.code], [null, null, 'too_old'])
    assert.doesNotMatch(JSON.stringify(of(born)), new RegExp(`1999|${String(secret.measured).slice(0, 4)}`))
    assert.deepEqual([anomaly.kind, anomaly.measured, anomaly.expected], ['value', null, null])
    assert.match(of(seen).reason.message, /2001-01-01/, 'nobody has said that it is confidential')
    assert.ok(of(seen).measured > 0 && of(seen).anomaly.measured > 0)

    const rule = await world.get(`rules/${born}`)
    assert.deepEqual([rule.anomaly.kind, rule.anomaly.measured], ['value', null])

    const { metadata, clock } = world.test.platform
    const { happenings } = (await ANOMALOUS?.since(metadata.db, null, clock.now())) ?? assert.fail()
    const told = (id: string) => happenings.find(({ qualityRule }) => qualityRule === id)?.anomaly ?? ''
    assert.doesNotMatch(told(born), /\d/)
    assert.match(told(seen), /^\d+ s where about 5 /)
  })
})
