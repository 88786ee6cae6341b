import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Alerted, attempted } from '../../../../test/support/alerted.ts'

describe('a message to a receiver that fails', () => {
  let world: Alerted
  before(async () => {
    world = await Alerted.start()
  })
  after(() => world.close())

  it('is tried again while the receiver fails, later each time, under one key', async () => {
    world.answers.set('/failing', { status: 503 })
    const { channel } = await world.fire('failing')
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    assert.equal(delivery.state, 'waiting')
    await world.pass(120)
    const tries = world.heard.filter(({ path }) => path === '/failing')
    assert.ok(tries.length >= 3 && tries.length <= 6, `${tries.length} attempts in two minutes`)
    assert.deepEqual([...new Set(tries.map(({ headers }) => headers['idempotency-key']))], [delivery.id])
    const { health } = await world.call('GET', `/channels/${channel.id}`)
    assert.equal(health.failures, tries.length)
    assert.match(health.lastError, /^server_error/)
    const { checks } = (await world.app.call('GET', '/api/health')).body
    const told = JSON.stringify(checks.alerts)
    assert.ok(told.includes(`nothing can be sent to the channel ${channel.id} since 2026-03-09`), told)
    assert.match(told, /server_error/)
    assert.doesNotMatch(told, /failing|127\.0\.0\.1|503/, 'health needs no token')
    world.answers.delete('/failing')
    await world.pass(120)
    const [sent, ...others] = await world.deliveries(`?channelId=${channel.id}`)
    assert.equal(others.length, 0)
    assert.deepEqual([sent.id, sent.state, attempted(sent).at(-1)], [delivery.id, 'sent', 'sent 200 ok'])
    assert.ok(
      attempted(sent)
        .slice(0, -1)
        .every((text) => text === 'failed 503 server_error')
    )
    assert.deepEqual((await world.call('GET', `/channels/${channel.id}`)).health.failingSince, null)
  })

  it('that waits is tried at once when the receiver is back, and the next one keeps the interval', async () => {
    world.answers.set('/back', { status: 503 })
    const { channel } = await world.fire('back', { groupInterval: '1m' })
    await world.pass(600, 60)
    const [waiting] = await world.deliveries(`?channelId=${channel.id}`)
    assert.equal(waiting.state, 'waiting')
    world.answers.delete('/back')
    await world.end('back.a')
    assert.equal((await world.test(channel.id)).state, 'sent')
    await world.pass(10)
    assert.equal((await world.call('GET', `/deliveries/${waiting.id}`)).state, 'sent')
    assert.deepEqual(world.kinds('back').slice(-2), ['test', 'firing'])
    await world.pass(40)
    assert.deepEqual(world.kinds('back').slice(-1), ['firing'])
    await world.pass(30)
    assert.deepEqual(world.kinds('back').slice(-1), ['resolved'])
  })

  it('that waits for a disabled channel, and a test that fails, are nobody’s trouble', async () => {
    world.answers.set('/off', { status: 503 })
    const { channel } = await world.fire('off')
    await world.call('PUT', `/channels/${channel.id}`, { enabled: false })
    const tried = await world.channel('tried-in-vain')
    world.answers.set('/tried-in-vain', { status: 500 })
    assert.equal((await world.test(tried.id)).state, 'failed')
    await world.pass(120)
    const { text } = await world.app.call('GET', '/metrics', { as: { token: await world.app.token('root', 'admin') } })
    assert.match(text, /^millrace_alert_deliveries_waiting 0$/m)
    assert.match(text, /^millrace_alert_channels\{state="failing"\} 0$/m)
  })

  it('leaves a receiver alone for as long as it asks', async () => {
    world.answers.set('/busy', { status: 429, headers: { 'retry-after': '300' } })
    const { channel } = await world.fire('busy')
    world.answers.delete('/busy')
    await world.pass(240)
    assert.equal(world.kinds('busy').length, 1)
    await world.pass(90)
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    assert.deepEqual(attempted(delivery), ['failed 429 rate_limited', 'sent 200 ok'])
  })

  it('that is refused is not tried again as it is; the alert is told of anew', async () => {
    world.answers.set('/wrong', { status: 404 })
    const { channel } = await world.fire('wrong', { groupInterval: '1m' })
    await world.pass(30)
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    assert.deepEqual([delivery.state, attempted(delivery)], ['refused', ['refused 404 not_found']])
    world.answers.delete('/wrong')
    await world.pass(60)
    const states = (await world.deliveries(`?channelId=${channel.id}`)).map(({ state }) => state)
    assert.deepEqual(states, ['sent', 'refused'])
  })

  it('is given up after many attempts, and the alert is told of anew', async () => {
    world.answers.set('/dead', { status: 500 })
    const { channel } = await world.fire('dead')
    await world.pass(3 * 3600, 300)
    world.answers.delete('/dead')
    const given = (await world.deliveries(`?channelId=${channel.id}&state=failed`)).at(-1)
    assert.equal(given.attempts.length, given.maxAttempts)
    await world.pass(1200, 100)
    const [last] = await world.deliveries(`?channelId=${channel.id}`)
    assert.equal(last.state, 'sent')
    assert.ok(last.id > given.id)
  })

  it('that was given up may have arrived, so the end is told', async () => {
    world.answers.set('/unsure', { status: 500 })
    const { channel } = await world.fire('unsure', { groupInterval: '1d' })
    await world.pass(3 * 3600, 300)
    assert.equal((await world.deliveries(`?channelId=${channel.id}`))[0].state, 'failed')
    world.answers.delete('/unsure')
    await world.end('unsure.a')
    await world.pass(25 * 3600, 3600)
    assert.equal(world.kinds('unsure').at(-1), 'resolved')
  })

  it('never overtakes the one before it', async () => {
    world.answers.set('/order', { status: 503 })
    const { channel } = await world.fire('order', { groupInterval: '10s' })
    await world.end('order.a')
    await world.pass(60)
    assert.equal((await world.deliveries(`?channelId=${channel.id}`)).length, 1)
    world.answers.delete('/order')
    await world.pass(180)
    const sent = world.heard.filter(({ path, body }) => path === '/order' && body.kind !== 'firing')
    assert.deepEqual(
      sent.map(({ body }) => body.kind),
      ['resolved']
    )
    assert.equal(world.kinds('order').at(-1), 'resolved')
  })
})
