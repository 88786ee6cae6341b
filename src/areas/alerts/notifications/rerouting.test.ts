import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alerted } from '../../../../test/support/alerted.ts'

test('a channel that knows of an alert is not told again where it groups otherwise by now', async () => {
  const world = await Alerted.start()
  try {
    const pace = { groupWait: '0s', groupInterval: '10s' }
    const known = await world.channel('known', { ...pace, groupBy: ['rule'] })
    const added = await world.channel('added', pace)
    const rule = await world.rule('routed', { channels: [known.id] })
    await world.happen('routed.a')
    await world.pass(25)
    await world.call('PUT', `/channels/${known.id}`, { groupBy: ['kind'] })
    await world.call('PUT', `/rules/${rule.id}`, { channels: [known.id, added.id] })
    await world.pass(30)
    assert.deepEqual([world.kinds('known'), world.kinds('added')], [['firing'], ['firing']])
    await world.end('routed.a')
    await world.pass(40)
    const whole = ['firing', 'resolved']
    assert.deepEqual([world.kinds('known'), world.kinds('added')], [whole, whole])
  } finally {
    await world.close()
  }
})
