import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Alerted, attempted } from '../../../../test/support/alerted.ts'

describe('a message to a channel', () => {
  let world: Alerted
  before(async () => {
    world = await Alerted.start()
  })
  after(() => world.close())

  it('to one channel that hangs holds up no other', async () => {
    const refusing = await world.channel('refused-port', {}, { url: 'http://127.0.0.1:9/' })
    const well = await world.channel('well')
    await world.rule('both', { channels: [refusing.id, well.id] })
    await world.happen('both.a')
    await world.pass(25)
    assert.deepEqual(world.kinds('well'), ['firing'])
    const [delivery] = await world.deliveries(`?channelId=${refusing.id}`)
    assert.deepEqual(attempted(delivery).slice(0, 1), ['failed null unreachable'])
  })

  it('about an invented alert tells at once what came of it', async () => {
    const channel = await world.channel('tried')
    const sent = await world.test(channel.id)
    assert.deepEqual([sent.kind, sent.state, attempted(sent)], ['test', 'sent', ['sent 200 ok']])
    assert.deepEqual(world.kinds('tried'), ['test'])
    world.answers.set('/tried', { status: 401 })
    const refused = await world.test(channel.id)
    assert.deepEqual([refused.state, attempted(refused)], ['refused', ['refused 401 unauthorized']])
    const { body } = await world.app.call('GET', '/api/audit/logs?action=alert-channel.test', {
      as: { token: await world.app.token('root', 'admin') }
    })
    assert.equal(body.total, 2)
  })

  it('can be sent again once it has ended, as a delivery of its own', async () => {
    const { channel } = await world.fire('replayed')
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    const again = await world.call('POST', `/deliveries/${delivery.id}/replay`, undefined, 201)
    assert.deepEqual([again.replayOf, again.state], [delivery.id, 'waiting'])
    await world.call('POST', `/deliveries/${again.id}/replay`, undefined, 409)
    await world.pass(10)
    const heard = world.heard.filter(({ path }) => path === '/replayed')
    assert.deepEqual(heard[0]?.body, heard[1]?.body)
    assert.notEqual(heard[0]?.headers['idempotency-key'], heard[1]?.headers['idempotency-key'])
    const whole = await world.call('GET', `/deliveries/${again.id}`)
    assert.deepEqual([whole.state, whole.alerts.length, whole.text], ['sent', 1, heard[0]?.body.text])
  })

  it('that was cut off is known, and sent again under the same key', async () => {
    world.answers.set('/cut', { status: 503 })
    const { channel } = await world.fire('cut')
    world.answers.delete('/cut')
    const { metadata } = world.app.platform
    const [{ id }] = await world.deliveries(`?channelId=${channel.id}`)
    // As a process leaves it that is killed while it sends.
    await metadata.transaction((tx) =>
      tx
        .updateTable('alert_deliveries')
        .set((set) => ({ attempts: set('attempts', '+', 1), next_ms: world.clock.now() + 60_000 }))
        .where('id', '=', id)
        .execute()
    )
    await world.pass(90)
    const delivery = await world.call('GET', `/deliveries/${id}`)
    assert.deepEqual(attempted(delivery).slice(-2), ['unknown null cut_off', 'sent 200 ok'])
  })

  it('whose channel was deleted is refused', async () => {
    world.answers.set('/gone', { status: 503 })
    const { channel, rule } = await world.fire('gone')
    await world.call('DELETE', `/rules/${rule.id}`, undefined, 204)
    await world.call('DELETE', `/channels/${channel.id}`, undefined, 204)
    await world.pass(60)
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    assert.deepEqual([delivery.state, attempted(delivery).at(-1)], ['refused', 'refused null channel_deleted'])
    const { code } = await world.call('POST', `/deliveries/${delivery.id}/replay`, undefined, 409)
    assert.equal(code, 'channel_deleted')
  })
})

describe('addresses of private networks', () => {
  it('are refused unless somebody allowed them', async () => {
    const world = await Alerted.start({})
    try {
      const channel = await world.channel('private')
      const { state, attempts } = await world.test(channel.id)
      assert.deepEqual([state, attempts[0].code], ['refused', 'address_refused'])
      assert.deepEqual(world.heard, [])
    } finally {
      await world.close()
    }
  })
})
