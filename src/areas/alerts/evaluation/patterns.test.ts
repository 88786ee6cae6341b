import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { evaluateAfter, makeRule, statesOf } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

describe('a pattern of tags', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock })
    sourceId = await makeSource(test, 'plant')
  })
  after(() => test.close())

  it('watches what holds numbers, whatever texts are among them, and names with slashes too', async () => {
    const texts = Array.from({ length: 30 }, (_, n) => `oil,line=note${n} value="n/a" ${clock.now() - 1}`)
    const numbers = ['A value=91', 'A/B value=92', 'C value=10'].map((line) => `oil,line=${line} ${clock.now() - 1}`)
    assert.equal((await writeLines(test, 'plant', [...texts, ...numbers].join('\n'))).status, 204)
    const compared = { sourceId, tag: 'oil{line=*}', window: '1d', operator: '>' }
    const hot = await makeRule(test, { name: 'hot', condition: { ...compared, function: 'last', threshold: 80 } })
    const many = await makeRule(test, { name: 'many', condition: { ...compared, function: 'count', threshold: 0 } })
    await evaluateAfter(test, clock, hot.id, 0)
    await evaluateAfter(test, clock, many.id, 0)
    assert.deepEqual(await statesOf(test, hot.id), {
      'A oil{line=A}': 'firing',
      'A/B oil{line=A/B}': 'firing',
      'C oil{line=C}': 'normal'
    })
    assert.equal(Object.keys(await statesOf(test, many.id)).length, 33)
  })
})
