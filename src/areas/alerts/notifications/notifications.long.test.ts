import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Alerted } from '../../../../test/support/alerted.ts'

describe('who is told of alerts', () => {
  let world: Alerted
  before(async () => {
    world = await Alerted.start()
  })
  after(() => world.close())

  it('hears once of all that fires together: what, where, since when, and how to look', async () => {
    const { id } = await world.channel('together', {}, { secret: 'a secret of the receiver' })
    const annotations = { summary: 'Look at the log' }
    const rule = await world.rule('together', { channels: [id], severity: 'critical', annotations })
    await world.happen('together.a')
    await world.happen('together.b')
    await world.pass(10)
    assert.deepEqual(world.kinds('together'), [], 'it waits for others first')
    await world.pass(15)
    const [message, ...others] = world.heard.filter(({ path }) => path === '/together')
    assert.equal(others.length, 0)
    const { body, headers, text } = message as NonNullable<typeof message>
    assert.deepEqual([body.kind, body.severity, body.alerts.length], ['firing', 'critical', 2])
    assert.equal(body.title, 'FIRING: together and 1 more')
    assert.match(body.text, /together is firing at kind=together\.a\nLook at the log\nSince 2026-03-09 08:00:\d\d UTC/)
    const [alert] = (await world.call('GET', `/history?ruleId=${rule.id}&label=kind:together.a`)).alerts
    assert.equal(body.alerts[0].generatorURL, `https://data.example/api/alerts/history/${alert.id}`)
    assert.deepEqual(
      alert.deliveries.map(({ channelName, kind, state, attempts }: Record<string, unknown>) => [
        channelName,
        kind,
        state,
        attempts
      ]),
      [['together', 'firing', 'sent', 1]]
    )
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-millrace-signature'])) ?? []
    assert.equal(v1, createHmac('sha256', 'a secret of the receiver').update(`${t}.${text}`).digest('hex'))
    assert.equal(headers['idempotency-key'], alert.deliveries[0].id)
  })

  it('hears that it is over, not sooner than the interval, and nothing of what came and went before', async () => {
    const { id } = await world.channel('over', { groupInterval: '1m' })
    await world.rule('over', { channels: [id] })
    await world.happen('over.a')
    await world.pass(30)
    await world.end('over.a')
    await world.pass(10)
    assert.deepEqual(world.kinds('over'), ['firing'])
    await world.pass(60)
    assert.deepEqual(world.kinds('over'), ['firing', 'resolved'])
    await world.pass(120)
    await world.call('PUT', `/channels/${id}`, { groupWait: '1m' })
    await world.happen('over.b')
    await world.pass(15)
    await world.end('over.b')
    await world.pass(180)
    assert.deepEqual(world.kinds('over'), ['firing', 'resolved'])
    assert.deepEqual(
      await world.app.platform.metadata.db
        .selectFrom('alert_groups')
        .select('id')
        .where('channel_id', '=', id)
        .execute(),
      [],
      'the group has gone with its alerts'
    )
  })

  it('hears again while nobody has taken it on, and not afterwards', async () => {
    const { id } = await world.channel('again', { groupInterval: '10s', repeatInterval: '5m' })
    const rule = await world.rule('again', { channels: [id] })
    await world.happen('again.a')
    await world.pass(30)
    await world.pass(680, 20)
    assert.deepEqual(world.kinds('again'), ['firing', 'firing', 'firing'])
    const [alert] = (await world.call('GET', `/history?ruleId=${rule.id}`)).alerts
    const until = new Date(world.clock.now() + 3600_000).toISOString()
    await world.call('POST', `/history/${alert.id}/acknowledge`, { note: 'mine', until })
    await world.pass(1200, 20)
    assert.deepEqual(world.kinds('again').slice(3), ['acknowledged'])
    assert.match(world.heard.at(-1)?.body.text, /\nNote: mine\n/)
    await world.pass(2500, 20)
    assert.deepEqual(world.kinds('again').slice(4), ['firing'], 'the time of the acknowledgement is over')
    await world.end('again.a')
    await world.pass(60)
    assert.deepEqual(world.kinds('again').slice(-1), ['resolved'])
    assert.match(world.heard.at(-1)?.body.text, /, recovered\n/)
    assert.equal(world.heard.at(-1)?.body.alerts[0].resolveReason, 'recovered')
  })

  it('hears nothing of what is silenced until that ends, but always that something is over', async () => {
    const { id } = await world.channel('silenced', { groupInterval: '30s' })
    await world.rule('silenced', { channels: [id], labels: { team: 'quiet' } })
    const silence = () =>
      world.call('POST', '/silences', { matchers: { team: 'quiet' }, for: '10m', reason: 'work' }, 201)
    await silence()
    await world.happen('silenced.a')
    await world.pass(60)
    const [alert] = (await world.call('GET', '/history?label=team:quiet')).alerts
    assert.equal(alert.heldBy.type, 'alert-silence')
    assert.deepEqual(world.kinds('silenced'), [])
    await world.pass(640, 20)
    assert.deepEqual(world.kinds('silenced'), ['firing'])
    await silence()
    await world.end('silenced.a')
    await world.pass(60)
    assert.deepEqual(world.kinds('silenced'), ['firing', 'resolved'])
  })

  it('hears nothing of what another alert explains', async () => {
    const { id } = await world.channel('explained', { groupBy: ['kind'] })
    await world.rule('explained', { channels: [id] })
    const inhibition = { name: 'x', source: { kind: 'explained.source' }, target: { rule: 'explained' }, equal: [] }
    await world.call('POST', '/inhibitions', inhibition, 201)
    await world.happen('explained.source')
    await world.happen('explained.a')
    await world.pass(60)
    const about = world.heard.filter(({ path }) => path === '/explained').flatMap(({ body }) => body.alerts)
    assert.deepEqual(
      about.map(({ labels }) => labels.kind),
      ['explained.source']
    )
  })

  it('is somebody else where nobody takes it on in time', async () => {
    const first = await world.channel('first')
    const [second, third] = [await world.channel('second'), await world.channel('third')]
    const escalation = [
      { after: '2m', channels: [second.id] },
      { after: '5m', channels: [third.id] }
    ]
    const rule = await world.rule('steps', { channels: [first.id], escalation })
    await world.happen('steps.a')
    await world.pass(100)
    assert.deepEqual([world.kinds('first'), world.kinds('second')], [['firing'], []])
    await world.pass(60)
    assert.deepEqual([world.kinds('second'), world.kinds('third')], [['escalation'], []])
    const [alert] = (await world.call('GET', `/history?ruleId=${rule.id}`)).alerts
    await world.call('POST', `/history/${alert.id}/acknowledge`, {})
    await world.pass(900, 20)
    assert.deepEqual(world.kinds('third'), [], 'somebody has taken it on')
    assert.deepEqual(world.kinds('second'), ['escalation', 'acknowledged'])
  })

  it('hears what is open already where a rule gets a channel later', async () => {
    const rule = await world.rule('later')
    await world.happen('later.a')
    await world.pass(20)
    const { id } = await world.channel('later')
    await world.call('PUT', `/rules/${rule.id}`, { channels: [id] })
    await world.pass(30)
    assert.deepEqual(world.kinds('later'), ['firing'])
  })

  it('hears nothing in mute windows and while disabled, and afterwards what still holds', async () => {
    // It is Monday, 9 March, some time after eight.
    const muted = await world.channel('muted', { muteWindows: [{ days: ['mon'], from: '08:00', to: '12:00' }] })
    const off = await world.channel('off', { enabled: false })
    await world.rule('held', { channels: [muted.id, off.id] })
    await world.happen('held.a')
    await world.pass(60)
    assert.deepEqual([world.kinds('muted'), world.kinds('off')], [[], []])
    await world.call('PUT', `/channels/${off.id}`, { enabled: true })
    await world.pass(10)
    assert.deepEqual(world.kinds('off'), ['firing'])
    world.clock.correct(Date.parse('2026-03-09T12:00:10.000Z') - world.clock.now())
    await world.pass(10)
    assert.deepEqual(world.kinds('muted'), ['firing'])
  })
})
