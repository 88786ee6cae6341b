// Once: from points to the mailbox, through all parts.
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { Alerted } from '../../../../test/support/alerted.ts'
import { makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { serveMail } from '../../../engines/channels/testing/mail-server.ts'

const WAIT_S = 60

describe('a mail about points', () => {
  let world: Alerted
  let sourceId: string
  before(async () => {
    world = await Alerted.start()
    sourceId = await makeSource(world.app, 'presses')
  })
  after(() => world.close())

  /** Points of the last ten minutes that rise too high, and a rule about them that is told by mail; fires. */
  async function fire(t: TestContext, press: string) {
    const { port, mails } = await serveMail(t)
    const config = { host: '127.0.0.1', port, tls: 'none', from: 'alerts@plant.example', to: ['ada@plant.example'] }
    const mailbox = { name: `mail ${press}`, type: 'email', config, groupWait: `${WAIT_S}s` }
    const channel = await world.call('POST', '/channels', mailbox, 201)
    const lines = Array.from({ length: 10 }, (_, minute) => {
      const at = world.clock.now() - (10 - minute) * 60_000
      return `oil,press=${press} value=${70.5 + 2 * minute} ${at}`
    })
    await writeLines(world.app, 'presses', lines.join('\n'))
    const tag = `oil{press=${press}}`
    const as = { token: await world.app.token('ada', 'editor') }
    const address = `/api/catalog/sources/${sourceId}/tags/${encodeURIComponent(tag)}`
    assert.equal((await world.app.call('PUT', address, { as, body: { unit: '°C' } })).status, 200)
    const condition = { sourceId, tag, function: 'max', window: '1h', operator: '>', threshold: 80 }
    const rule = { name: `oil too hot ${press}`, condition, intervalSeconds: 10, channels: [channel.id] }
    const { id } = await world.call('POST', '/rules', { ...rule, severity: 'critical' }, 201)
    await world.pass(15)
    const { alerts } = await world.call('GET', `/history?ruleId=${id}`)
    assert.equal(alerts[0]?.state, 'firing')
    assert.equal(mails.length, 0, 'the group waits')
    return { channel, mails, alert: alerts[0] }
  }

  it('says what is wrong, where, since when, by how much, and shows the last values', async (t) => {
    const { mails, alert } = await fire(t, 'two')
    await world.pass(WAIT_S)
    assert.deepEqual(
      mails.map(({ from, to }) => [from, to]),
      [['alerts@plant.example', ['ada@plant.example']]]
    )
    const mail = await mails[0]?.read()
    assert.match(mail?.subject ?? '', /^FIRING: oil too hot two/)
    assert.match(mail?.text ?? '', /press=two/)
    assert.match(mail?.text ?? '', /Value 88\.5, threshold > 80/)
    const lines = mail?.text?.split('\n') ?? []
    const since = `Since ${alert.startedAt.slice(0, 19).replace('T', ' ')} UTC`
    assert.ok(
      lines.some((line) => line.startsWith(since)),
      `${since} is not in ${mail?.text}`
    )
    assert.ok(lines.includes(`https://data.example/api/alerts/history/${alert.id}`), `the link is not in ${mail?.text}`)
    const [picture, ...others] = mail?.attachments ?? []
    assert.deepEqual([picture?.mimeType, others.length], ['image/png', 0])
    assert.match(Buffer.from(picture?.content as ArrayBuffer).toString('latin1'), /^\x89PNG/)
    assert.match(mail?.html ?? '', /alt="The last 10 values, from 70\.5 to 88\.5 °C"/)
  })

  // The last one: there are no points after it.
  it('comes in time and without a chart where points can’t be read', async (t) => {
    const { mails, channel } = await fire(t, 'three')
    await (await world.app.platform.series()).close()
    await world.pass(WAIT_S)
    const mail = await mails[0]?.read()
    assert.match(mail?.text ?? '', /Value 88\.5, threshold > 80/)
    assert.deepEqual(mail?.attachments, [])
    const [delivery] = await world.deliveries(`?channelId=${channel.id}`)
    assert.deepEqual([delivery.state, delivery.attempts.length], ['sent', 1])
    assert.ok(Date.parse(delivery.endedAt) - Date.parse(delivery.createdAt) < 10_000, 'no question may take longer')
  })
})
