import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { makeRule } from '../../../../test/support/alerts.ts'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { CHANNEL_KINDS, type ChannelKind, secretFields } from '../../../engines/channels/index.ts'
import { openChannel } from './secrets.ts'
import { findChannel } from './store.ts'

const MASK = '********'
const KEY = 'abcdefghijklmnopqrstuvwxyz012345'

/** With every secret that a type can have. */
const CONFIGS: Readonly<Record<ChannelKind, Record<string, unknown>>> = {
  email: { host: 'mail.example', tls: 'required', user: 'ada', password: 's3cret-mail', from: 'a@b.c', to: ['d@e.f'] },
  webhook: {
    url: 'https://hooks.example/in',
    secret: 's3cret-of-the-webhook',
    previousSecret: 's3cret-of-last-year',
    headers: { authorization: 'Bearer s3cret-token', 'x-team': 's3cret-team' }
  },
  slack: { url: 'https://hooks.slack.example/services/s3cret-slack' },
  teams: { url: 'https://teams.example/workflows?sig=s3cret-teams' },
  pagerduty: { routingKey: KEY },
  ntfy: { topic: 's3cret-topic', token: 's3cret-ntfy' },
  telegram: { token: '123456:s3cret-telegram', chatId: '-100200' }
}

/** The same with another receiver. */
const ELSEWHERE: Readonly<Record<ChannelKind, Record<string, unknown>>> = {
  email: { host: 'evil.example' },
  webhook: { url: 'https://evil.example/in' },
  slack: {},
  teams: {},
  pagerduty: { url: 'https://evil.example/' },
  ntfy: { url: 'https://evil.example/' },
  telegram: { url: 'https://evil.example/' }
}

const pointersOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer)

function without(config: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([field]) => !fields.includes(field)))
}

describe('alert channels', () => {
  let test: TestApp
  let clock: ManualClock
  before(async () => {
    clock = new ManualClock()
    test = await startTestApp({ clock })
  })
  after(() => test.close())

  let made = 0
  const create = (body: object) => test.call('POST', '/api/alerts/channels', { as: 'editor', body })
  const update = (id: string, body: object) => test.call('PUT', `/api/alerts/channels/${id}`, { as: 'editor', body })
  async function make(type: ChannelKind, more: object = {}) {
    const { status, body, text } = await create({ name: `${type} ${++made}`, type, config: CONFIGS[type], ...more })
    assert.equal(status, 201, text)
    return body
  }
  async function opened(id: string) {
    const row = await findChannel(test.platform.metadata.db, id)
    assert.ok(row)
    return openChannel(test.platform.vault, row)
  }

  it('are made with what is usual where nothing is said', async () => {
    const { id, createdAt, updatedAt, ...rest } = await make('ntfy', { name: 'plain' })
    assert.match(id, /^chn_/)
    assert.deepEqual(rest, {
      name: 'plain',
      type: 'ntfy',
      config: { topic: MASK, token: MASK },
      enabled: true,
      groupBy: ['rule'],
      groupWait: '10s',
      groupInterval: '5m',
      repeatInterval: '4h',
      sendResolved: true,
      muteWindows: [],
      timeZone: 'UTC',
      titleTemplate: null,
      textTemplate: null,
      health: { failures: 0, failingSince: null, lastError: null, heldUntil: null, lastSentAt: null },
      version: 1
    })
    assert.equal(createdAt, updatedAt)
    assert.equal((await create({ name: 'plain', type: 'ntfy', config: CONFIGS.ntfy })).body.code, 'name_taken')
    assert.equal((await test.call('POST', '/api/alerts/channels', { as: 'viewer', body: {} })).status, 403)
  })

  it('of every type keep their secrets from answers, the audit trail and the tables, and open again', async () => {
    for (const type of CHANNEL_KINDS) {
      const channel = await make(type)
      const shown = await test.call('GET', `/api/alerts/channels/${channel.id}`, { as: 'viewer' })
      assert.deepEqual(shown.body, channel)
      assert.deepEqual((await opened(channel.id)).config, CONFIGS[type])
      const same = await update(channel.id, { config: channel.config })
      assert.deepEqual([same.status, same.body.config], [200, channel.config], same.text)
      assert.deepEqual((await opened(channel.id)).config, CONFIGS[type])
    }
    const listed = await test.call('GET', '/api/alerts/channels?sort=name&limit=100', { as: 'viewer' })
    const audited = await test.call('GET', '/api/audit/logs?resourceType=alert-channel&limit=100', { as: 'admin' })
    assert.ok(audited.body.total >= 2 * CHANNEL_KINDS.length)
    const { db } = test.platform.metadata
    const rows = await db.selectFrom('alert_channels').selectAll().execute()
    for (const text of [listed.text, audited.text, JSON.stringify(rows), test.logged.join('\n')]) {
      assert.ok(!text.includes('s3cret') && !text.includes(KEY))
    }
  })

  it('keep a secret that is masked or left out, but only for the same place', async () => {
    const ids = new Map<ChannelKind, string>()
    for (const type of CHANNEL_KINDS) ids.set(type, (await make(type)).id)
    const cases = CHANNEL_KINDS.flatMap((type) => secretFields(type).map((field) => [type, field] as const))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), fc.boolean(), fc.boolean(), async ([type, field], mask, away) => {
        const sent = { ...CONFIGS[type], ...(away && ELSEWHERE[type]) }
        const config = mask ? { ...sent, [field]: MASK } : without(sent, [field])
        const isBound = away && !['slack', 'teams'].includes(type)
        const { status, body, text } = await update(ids.get(type) as string, { config })
        assert.equal(status, isBound ? 400 : 200, text)
        if (isBound) assert.deepEqual([body.code, pointersOf(body)], ['secret_bound', [`/config/${field}`]])
        assert.deepEqual((await opened(ids.get(type) as string)).config, CONFIGS[type])
      }),
      { numRuns: 40 }
    )
  })

  it('keep headers one by one, and give up a secret for null', async () => {
    const { id } = await make('webhook')
    const { url, secret } = CONFIGS.webhook
    const headers = { authorization: MASK, 'x-new': 'new' }
    assert.equal((await update(id, { config: { url, headers, previousSecret: null } })).status, 200)
    const expected = { url, secret, headers: { authorization: 'Bearer s3cret-token', 'x-new': 'new' } }
    assert.deepEqual((await opened(id)).config, expected)
    const moved = await update(id, { config: { url: 'https://evil.example', secret: 'x'.repeat(16), headers } })
    assert.deepEqual([moved.body.code, pointersOf(moved.body)], ['secret_bound', ['/config/headers']])
    const unknown = await update(id, { config: { url, headers: { 'a/b': MASK } } })
    assert.deepEqual(pointersOf(unknown.body), ['/config/headers/a~1b'])
    const { config } = (await update(id, { config: { url, secret: null, headers: null } })).body
    assert.deepEqual(config, { url })
    const masked = await update(id, { config: { url, secret: MASK } })
    assert.deepEqual([masked.body.code, pointersOf(masked.body)], ['invalid_request', ['/config/secret']])
  })

  it('change their type with a whole configuration only', async () => {
    const { id } = await make('ntfy')
    assert.deepEqual(pointersOf((await update(id, { type: 'slack' })).body), ['/config'])
    const masked = await update(id, { type: 'telegram', config: { token: MASK, chatId: '1' } })
    assert.deepEqual(pointersOf(masked.body), ['/config/token'])
    const { body } = await update(id, { type: 'slack', config: CONFIGS.slack })
    assert.deepEqual([body.type, body.config], ['slack', { url: MASK }])
    assert.deepEqual((await opened(id)).config, CONFIGS.slack)
  })

  it('are refused with a pointer to each thing that is wrong', async () => {
    const url = 'https://a.example'
    const config = { url }
    for (const [body, pointers] of [
      [{ config: { url: 'ftp://a' } }, ['/config/url']],
      [{ config: { url: 7, uri: url } }, ['/config/uri', '/config/url']],
      [{ config: {} }, ['/config/url']],
      [{ config: [] }, ['/config']],
      [{ config: null }, ['/config']],
      [{ config: { url, secret: MASK } }, ['/config/secret']],
      [{ config: { url, headers: 'x' } }, ['/config/headers']],
      [{ config, groupWait: '2h', groupInterval: '1s' }, ['/groupWait', '/groupInterval']],
      [{ config, groupWait: '-1s', repeatInterval: '31d' }, ['/groupWait', '/repeatInterval']],
      [{ config, titleTemplate: 'a\n {{ nothing }}' }, ['/titleTemplate']],
      [{ config, timeZone: 'Mars/Olympus' }, ['/timeZone']],
      [{ config, muteWindows: [{ from: '00:00', to: '25:00' }] }, ['/muteWindows/0/to']],
      [{ config, groupBy: ['a', 'a'] }, ['/groupBy']],
      [{ config, type: 'fax' }, ['/type']]
    ] as const) {
      const answer = await create({ name: 'wrong', type: 'webhook', ...body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(pointersOf(answer.body).sort(), [...pointers].sort(), answer.text)
    }
    const { body } = await create({ name: 'wrong', type: 'webhook', config, titleTemplate: 'a\n {{ nothing }}' })
    assert.match(body.errors[0].message, /^line 2, column 2: there is no nothing/)
    const night = { days: ['sat'], from: '22:00', to: '06:00' }
    const fine = { config, groupWait: '0s', groupBy: [], muteWindows: [night], timeZone: 'Europe/Berlin' }
    const made = await create({ name: 'fine', type: 'webhook', ...fine })
    assert.deepEqual([made.status, made.body.muteWindows, made.body.groupWait], [201, [night], '0s'], made.text)
  })

  it('are changed only by whoever has seen them, and have their groups looked at', async () => {
    const { id } = await make('slack', { enabled: false })
    const { metadata } = test.platform
    const nextOf = async () =>
      (await metadata.db.selectFrom('alert_groups').select('next_ms').where('id', '=', `grp_${id}`).execute())[0]
        ?.next_ms
    const sleep = () =>
      metadata.transaction(async (tx) => {
        await tx.deleteFrom('alert_groups').where('channel_id', '=', id).execute()
        const group = { id: `grp_${id}`, channel_id: id, key: '{}', next_ms: null, told_ms: null, delivery_id: null }
        await tx.insertInto('alert_groups').values(group).execute()
      })
    for (const [change, wakes] of [
      [{ name: `renamed ${id}` }, false],
      [{ enabled: true }, true],
      [{ enabled: true }, false],
      [{ groupBy: ['line'] }, true],
      [{ enabled: false }, false]
    ] as const) {
      await sleep()
      assert.equal((await update(id, change)).status, 200)
      assert.equal(await nextOf(), wakes ? clock.now() : null, JSON.stringify(change))
    }
    const headers = { 'if-match': '"v1"' }
    const stale = await test.call('PUT', `/api/alerts/channels/${id}`, { as: 'editor', body: {}, headers })
    assert.equal(stale.status, 412)
    const off = await test.call('GET', '/api/alerts/channels?enabled=false&type=slack', { as: 'viewer' })
    assert.deepEqual([off.body.total, off.body.channels[0].id], [1, id])
    assert.equal((await test.call('DELETE', `/api/alerts/channels/${id}`, { as: 'editor' })).status, 204)
    assert.equal(await nextOf(), undefined)
    assert.equal((await update(id, { config: {} })).status, 404)
  })

  it('that were held back are tried at once with another configuration', async () => {
    const { id } = await make('slack')
    const held = { held_until_ms: clock.now() + 60_000, failures: 5, last_error: 'gone' }
    await test.platform.metadata.transaction((tx) =>
      tx.updateTable('alert_channels').set(held).where('id', '=', id).execute()
    )
    const { body } = await update(id, { name: 'held' })
    assert.equal(body.health.heldUntil, new Date(held.held_until_ms).toISOString())
    const { health } = (await update(id, { config: CONFIGS.slack })).body
    assert.deepEqual([health.heldUntil, health.failures, health.lastError], [null, 5, 'gone'])
  })

  it('are named by rules, and can’t be deleted while they are', async () => {
    const [first, second] = [(await make('slack')).id, (await make('teams')).id]
    const condition = { sourceId: 'src_a', tag: 'oil', function: 'avg', window: '5m', operator: '>', threshold: 80 }
    const escalation = [{ after: '30m', channels: [second, first] }]
    const rule = await makeRule(test, { name: 'telling', condition, channels: [first], escalation })
    assert.deepEqual([rule.channels, rule.escalation], [[first], escalation])
    const rows = async () => {
      const { db } = test.platform.metadata
      const told = db.selectFrom('alert_rule_channels').selectAll().where('rule_id', '=', rule.id)
      const found = await told.orderBy('step').orderBy('channel_id').execute()
      return found.map(({ channel_id, step, after_ms }) => [channel_id, step, after_ms])
    }
    const step = (channelId: string, number: number, afterMs: number) => [channelId, number, afterMs]
    assert.deepEqual(await rows(), [step(first, 0, 0), ...[first, second].sort().map((id) => step(id, 1, 1_800_000))])
    const change = (body: object) => test.call('PUT', `/api/alerts/rules/${rule.id}`, { as: 'editor', body })
    const { status, body } = await test.call('DELETE', `/api/alerts/channels/${second}`, { as: 'editor' })
    assert.deepEqual([status, body.code], [409, 'in_use'])
    assert.deepEqual(body.usedBy, [{ type: 'alert-rule', id: rule.id, name: 'telling' }])
    for (const [wrong, pointers] of [
      [{ channels: [first, 'chn_nobody'] }, ['/channels/1']],
      [{ escalation: [{ after: '1m', channels: ['chn_nobody'] }] }, ['/escalation/0/channels/0']],
      [{ escalation: [{ after: '30s', channels: [first] }] }, ['/escalation/0/after']],
      [{ escalation: ['1h', '60m', '2h'].map((after) => ({ after, channels: [first] })) }, ['/escalation/1/after']],
      [{ escalation: [{ after: '1h', channels: [] }] }, ['/escalation/0/channels']],
      [{ channels: [first, first] }, ['/channels']]
    ] as const) {
      const answer = await change(wrong)
      assert.deepEqual([answer.status, pointersOf(answer.body)], [400, pointers], answer.text)
    }
    assert.equal((await rows()).length, 3)
    assert.equal((await change({ escalation: [] })).status, 200)
    assert.deepEqual(await rows(), [step(first, 0, 0)])
    assert.equal((await test.call('DELETE', `/api/alerts/channels/${second}`, { as: 'editor' })).status, 204)
    assert.equal((await test.call('DELETE', `/api/alerts/rules/${rule.id}`, { as: 'editor' })).status, 204)
    assert.equal((await test.call('DELETE', `/api/alerts/channels/${first}`, { as: 'editor' })).status, 204)
  })

  it('show their messages beforehand', async () => {
    const preview = (body: object) => test.call('POST', '/api/alerts/channels/preview', { as: 'viewer', body })
    const usual = (await preview({})).body
    assert.equal(usual.title, 'FIRING: oil too hot (line=2, tag=press.temperature)')
    assert.match(
      usual.text,
      /^oil too hot is firing at line=2.*\n.*\nSince .* \(5 min\)\nValue 91.5, threshold > 80\nhttp:\/\/.*\/api\/alerts\/history\/alt_0example$/
    )
    const { id } = await make('slack', { groupBy: ['line'], titleTemplate: 'At {{ where }}', textTemplate: 'own' })
    assert.deepEqual((await preview({ channelId: id })).body, { title: 'At line=2', text: 'own' })
    const given = { channelId: id, titleTemplate: null, textTemplate: '{{ labels.line }}' }
    assert.deepEqual((await preview(given)).body, { title: 'FIRING: oil too hot (line=2)', text: '2' })
    const faulty = (await preview({ textTemplate: '{{#alerts}}' })).body
    assert.deepEqual(pointersOf(faulty), ['/textTemplate'])
    assert.match(faulty.errors[0].message, /^line 1, column 1: this section has no/)
    assert.deepEqual(pointersOf((await preview({ channelId: 'chn_nobody' })).body), ['/channelId'])
    assert.deepEqual(pointersOf((await preview({ alertId: 'alt_nobody' })).body), ['/alertId'])
  })

  it('tell what their configurations are made of', async () => {
    const { body } = await test.call('GET', '/api/alerts/channels/types', { as: 'viewer' })
    assert.deepEqual(
      body.types.map(({ type }: { type: string }) => type),
      CHANNEL_KINDS
    )
    assert.equal(body.types[0].config.properties.password.writeOnly, true)
  })
})
