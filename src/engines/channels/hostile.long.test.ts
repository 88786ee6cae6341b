import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileMessage, targetsAt } from './testing/messages.ts'
import type { Received } from './testing/receiver.ts'
import { openChannels, options, receive } from './testing/receiver.ts'

interface Block {
  text?: { text: string }
  elements?: { url: string }[]
}

/** What each service takes; it refuses or cuts what is more. */
const RULES: Readonly<Record<string, (body: ReturnType<typeof JSON.parse>, received: Received) => void>> = {
  webhook: (body, { body: text }) => {
    assert.equal(body.version, '4')
    assert.ok(Buffer.byteLength(text) <= 1024 * 1024)
    assert.ok(body.alerts.length <= 50)
  },
  slack: (body) => {
    assert.ok(body.blocks.length <= 50 && body.text.length <= 3000)
    for (const { text } of body.blocks as Block[]) {
      if (text === undefined) continue
      assert.ok(text.text.length >= 1 && text.text.length <= 3000)
      assert.doesNotMatch(text.text, /[<>]|&(?!(amp|lt|gt);)/)
    }
    assert.doesNotMatch(body.text, /[<>]|&(?!(amp|lt|gt);)/)
    for (const { elements = [] } of body.blocks as Block[]) {
      for (const { url } of elements) assert.ok(/^https?:/.test(url) && url.length <= 3000)
    }
  },
  teams: ({ attachments }, { body: text }) => {
    assert.ok(Buffer.byteLength(text) <= 28 * 1024)
    for (const block of attachments[0].content.body) assert.equal(block.type, 'RichTextBlock')
  },
  pagerduty: ({ dedup_key, payload }, { body: text }) => {
    assert.ok(Buffer.byteLength(text) <= 512 * 1024)
    assert.ok(dedup_key.length <= 255)
    assert.ok(payload.summary.length >= 1 && payload.summary.length <= 1024)
    assert.ok(payload.source.length >= 1)
  },
  ntfy: ({ message, priority, click }) => {
    assert.ok(Buffer.byteLength(message) <= 4096)
    assert.ok(priority >= 1 && priority <= 5)
    assert.ok(click === undefined || /^https?:/.test(click))
  },
  telegram: ({ text }) => {
    assert.ok(text.length <= 4096)
    const bare = text.replace(/^<b>([^<>]*)<\/b>\n/, '$1').replace(/\n<a href="https?:[^"<>]*">Open<\/a>$/, '')
    assert.doesNotMatch(bare, /[<>"]|&(?!(amp|lt|gt|quot|#39);)/)
  }
}

test('whatever stands in a message, each service gets what it can read, within its limits', async (t) => {
  const { url, received } = await receive(t)
  const channels = openChannels(t)
  await fc.assert(
    fc.asyncProperty(hostileMessage, async (told) => {
      for (const target of targetsAt(url)) {
        received.length = 0
        const { code } = await channels.send(target, told, options())
        assert.ok(code === 'ok' || (code === 'unexpected_answer' && target.type === 'telegram'))
        const [one] = received as [Received]
        assert.ok(one.body.isWellFormed())
        RULES[target.type]?.(JSON.parse(one.body), one)
        assert.equal(one.headers.bcc, undefined)
        // Written as it is or escaped, a control character shows in no client as what it was meant to be.
        assert.doesNotMatch(one.body, /\\u00[01](?!9|a)[\da-f]|\\r/)
      }
    }),
    { numRuns: 80 }
  )
})
