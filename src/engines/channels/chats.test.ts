import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type ChannelTarget, checkConfig, type Message } from './index.ts'
import { message, targetsAt } from './testing/messages.ts'
import { openChannels, options, receive } from './testing/receiver.ts'

const targetOf = (type: ChannelTarget['type'], url: string) =>
  targetsAt(url).find((target) => target.type === type) as ChannelTarget

test('Slack gets blocks in which nothing is a mention, and says ok', async (t) => {
  const { url, received, bodies } = await receive(t)
  const told = message({ title: 'A & B <!channel>', text: 'first\nsecond <https://evil.example|x>' })
  const sent = await openChannels(t).send(targetOf('slack', url), told, options())
  assert.deepEqual(sent, { outcome: 'sent', status: 200, answer: 'ok', code: 'ok' })
  assert.equal(received[0]?.path, '/services/T0000/B0000/slack-secret')
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })
  assert.deepEqual(bodies()[0], {
    text: 'A &amp; B &lt;!channel&gt;',
    unfurl_links: false,
    blocks: [
      section('*A &amp; B &lt;!channel&gt;*'),
      section('first\nsecond &lt;https://evil.example|x&gt;'),
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://millrace.example/alerts' }
        ]
      }
    ]
  })
})

test('a long text is shown by Slack in several sections, whole lines together', async (t) => {
  const { url, bodies } = await receive(t)
  const text = Array.from({ length: 300 }, (_, i) => `line ${i} <&>`).join('\n')
  await openChannels(t).send(targetOf('slack', url), message({ text, link: null }), options())
  const [, ...sections] = bodies()[0].blocks.map((block: { text: { text: string } }) => block.text.text) as string[]
  assert.ok(sections.length > 1 && sections.every((section) => section.length <= 3000))
  assert.equal(sections.join('\n'), text.replaceAll('<&>', '&lt;&amp;&gt;'))
})

test('what answers 200 and is not Slack, or not Telegram, is refused', async (t) => {
  const page = await receive(t, (_request, response) => response.end('<html>Please sign in</html>'))
  for (const type of ['slack', 'telegram'] as const) {
    const sent = await openChannels(t).send(targetOf(type, page.url), message(), options())
    assert.deepEqual([sent.outcome, sent.status, sent.code], ['refused', 200, 'unexpected_answer'])
    assert.match(sent.answer, /Please sign in/)
  }
})

test('Teams gets an Adaptive Card of text that is not read as Markdown', async (t) => {
  const { url, bodies } = await receive(t, (_request, response) => response.writeHead(202).end())
  const sent = await openChannels(t).send(targetOf('teams', url), message({ kind: 'resolved' }), options())
  assert.deepEqual([sent.outcome, sent.status], ['sent', 202])
  const [{ contentType, content }] = bodies()[0].attachments
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
  assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4'])
  assert.deepEqual(content.body, [
    {
      type: 'RichTextBlock',
      inlines: [
        {
          type: 'TextRun',
          text: 'FIRING: Boiler too hot (site=berlin)',
          weight: 'Bolder',
          size: 'Medium',
          color: 'Good'
        }
      ]
    },
    { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'Boiler too hot is firing\nValue 91.2' }] }
  ])
  assert.deepEqual(content.actions, [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://millrace.example/alerts' }])
})

test('a card is never larger than Teams takes', async (t) => {
  const { url, received } = await receive(t)
  for (const text of ['"\\'.repeat(8000), '🔥'.repeat(8000), '€'.repeat(16_000)]) {
    received.length = 0
    await openChannels(t).send(targetOf('teams', url), message({ text }), options())
    assert.ok(Buffer.byteLength(received[0]?.body ?? '') <= 28 * 1024)
  }
})

test('PagerDuty is told of one incident for each group, from its beginning to its end', async (t) => {
  const { url, bodies } = await receive(t, (_request, response) => response.writeHead(202).end('{"status":"success"}'))
  const actions: readonly [Message['kind'], string][] = [
    ['firing', 'trigger'],
    ['escalation', 'trigger'],
    ['test', 'trigger'],
    ['acknowledged', 'acknowledge'],
    ['resolved', 'resolve']
  ]
  for (const [kind] of actions) await openChannels(t).send(targetOf('pagerduty', url), message({ kind }), options())
  assert.deepEqual(
    bodies().map((body) => body.event_action),
    actions.map(([, action]) => action)
  )
  const [body] = bodies()
  assert.equal(body.routing_key, 'abcdefghijklmnopqrstuvwxyz012345')
  assert.deepEqual(
    [...new Set(bodies().map(({ dedup_key }) => dedup_key))],
    [createHash('sha256').update('rule_1/site=berlin').digest('hex')]
  )
  const { custom_details: details, ...payload } = body.payload
  assert.deepEqual(payload, {
    summary: 'FIRING: Boiler too hot (site=berlin)',
    source: 'site=berlin',
    severity: 'critical',
    timestamp: '2026-01-01T08:00:00.000Z'
  })
  assert.deepEqual(details.labels, { site: 'berlin' })
  assert.deepEqual(details.alerts[0].value, 91.23456)
  assert.deepEqual(body.links, [{ href: 'https://millrace.example/alerts', text: 'Open' }])
})

test('ntfy gets priority, tags and a link, with the token in a header', async (t) => {
  const { url, received, bodies } = await receive(t, (_request, response) => response.end('{"id":"1"}'))
  const channels = openChannels(t)
  await channels.send(targetOf('ntfy', url), message({ title: 'Größe 🔥' }), options())
  await channels.send(targetOf('ntfy', url), message({ kind: 'resolved', link: null, text: '' }), options())
  assert.equal(received[0]?.headers.authorization, 'Bearer tk_ntfysecret')
  assert.deepEqual(bodies(), [
    {
      topic: 'boilers',
      title: 'Größe 🔥',
      message: 'Boiler too hot is firing\nValue 91.2',
      priority: 5,
      tags: ['rotating_light', 'critical'],
      click: 'https://millrace.example/alerts'
    },
    {
      topic: 'boilers',
      title: 'FIRING: Boiler too hot (site=berlin)',
      message: 'FIRING: Boiler too hot (site=berlin)',
      priority: 3,
      tags: ['white_check_mark', 'critical']
    }
  ])
})

test('Telegram gets HTML of which only ours is markup, and says in its answer how long to wait', async (t) => {
  const { url, received, bodies } = await receive(t, (request, response) => {
    if (request.url?.includes('telegram-secret-token')) response.end('{"ok":true,"result":{}}')
    else {
      response.statusCode = 429
      response.end('{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":17}}')
    }
  })
  const channels = openChannels(t)
  const sent = await channels.send(targetOf('telegram', url), message({ text: '<b>&' }), options())
  assert.equal(sent.outcome, 'sent')
  assert.equal(received[0]?.path, '/bot123456:telegram-secret-token/sendMessage')
  assert.deepEqual(bodies()[0], {
    chat_id: '-100200',
    text: '<b>FIRING: Boiler too hot (site=berlin)</b>\n&lt;b&gt;&amp;\n<a href="https://millrace.example/alerts">Open</a>',
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true }
  })
  const config = { url, token: '123456:another-token', chatId: '-100200' }
  const limited = await channels.send({ type: 'telegram', config }, message(), options())
  assert.deepEqual([limited.outcome, limited.code, limited.retryAfterMs], ['failed', 'rate_limited', 17_000])
})

test('a configuration that can’t be right is told by its field', async () => {
  const url = 'https://example.com'
  const cases: readonly [ChannelTarget, pointers: string[]][] = [
    [{ type: 'slack', config: { url: 'hooks.slack.com/services' } }, ['/url']],
    [{ type: 'teams', config: { url: 'https://user:password@example.com' } }, ['/url']],
    [{ type: 'webhook', config: { url, previousSecret: 'x' } }, ['/previousSecret']],
    [{ type: 'pagerduty', config: { routingKey: 'short' } }, ['/routingKey']],
    [
      { type: 'ntfy', config: { url: 'https://ntfy.sh/boilers', topic: 'a/b', token: 'a b' } },
      ['/url', '/topic', '/token']
    ],
    [{ type: 'ntfy', config: { topic: 'boilers' } }, []],
    [{ type: 'telegram', config: { token: '../../x', chatId: 'me' } }, ['/token', '/chatId']],
    [{ type: 'telegram', config: { token: '1:abcdefghij', chatId: '@boilers' } }, []]
  ]
  for (const [target, pointers] of cases) {
    const faults = await checkConfig(target)
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      pointers
    )
  }
  for (const target of targetsAt(url)) assert.deepEqual(await checkConfig(target), [])
})
