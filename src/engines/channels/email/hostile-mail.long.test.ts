import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { drawPanel } from '../../pictures/index.ts'
import { assertSound } from '../../pictures/testing/inspect.ts'
import { bounded } from '../message.ts'
import { hostileMessage } from '../testing/messages.ts'
import { CHART_SIZE, chartPanel } from './chart-panel.ts'
import { compose } from './compose.ts'

const config = {
  host: 'mail.example',
  tls: 'none',
  from: 'alerts@plant.example',
  to: ['ada@plant.example']
} as const

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'importance',
  'in-reply-to',
  'message-id',
  'mime-version',
  'references',
  'subject',
  'to',
  'x-auto-response-suppress',
  'x-msmail-priority',
  'x-priority'
]

/** Our own tags, with nothing of a value in them but escaped text. */
const TAGS =
  /<(?:!doctype html|html lang="en"|meta charset="utf-8"|(?:body|h2|div|table|td) style="[\w:;#%.\s-]*"|a href="https?:[^"<>]*"|img src="cid:chart-\d+@plant\.example" alt="[^"<>]*" width="560" height="210" style="max-width:100%;height:auto"|br|p|tr|strong|head|title|\/\w+)>/g

test('whatever stands in a message, its mail has the headers that it should, and a page of our own tags', async () => {
  await fc.assert(
    fc.asyncProperty(hostileMessage, fc.string({ unit: ANY_CHARACTER }), async (told, idempotencyKey) => {
      const message = bounded(told)
      const panels = message.alerts.map(chartPanel)
      for (const panel of panels) if (panel !== undefined) assertSound(drawPanel(panel, CHART_SIZE, 'light'))
      const charts = new Map(panels.flatMap((panel, i) => (panel === undefined ? [] : [[i, Buffer.from('a picture')]])))
      const mail = await compose({ config, message, idempotencyKey, nowMs: 0, charts })
      assert.ok(mail.length < 1_000_000)
      const read = await PostalMime.parse(mail)
      for (const { key } of read.headers) assert.ok(HEADERS.includes(key), key)
      assert.deepEqual([read.to?.length, read.cc, read.bcc], [1, undefined, undefined])
      assert.equal(read.subject, message.title)
      const html = read.html ?? ''
      assert.doesNotMatch(html.replace(TAGS, ''), /[<>]|&(?!(amp|lt|gt|quot|#39);)/)
      const lines = mail.toString('latin1').split('\n')
      assert.ok(lines.every((line) => line.length <= 998))
    }),
    { numRuns: 60 }
  )
})

test('nothing of it is loaded before the first mail', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const files = []
    registerHooks({ load: (url, context, next) => { files.push(url); return next(url, context) } })
    const { checkConfig } = await import('./src/engines/channels/index.ts')
    const before = files.length
    await checkConfig({ type: 'email', config: { host: 'a', tls: 'none', from: 'a@b.c', to: [] } })
    console.log(JSON.stringify([files.slice(0, before), files]))`
  const root = new URL('../../../../', import.meta.url).pathname
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  const [index, checked] = JSON.parse(output) as [string[], string[]]
  assert.ok(!checked.some((file) => /node_modules\/(nodemailer|@resvg)|engines\/pictures/.test(file)))
  const types = /channels\/(email|webhook|slack|teams|pagerduty|ntfy|telegram)/
  assert.deepEqual(
    index.filter((file) => types.test(file)),
    []
  )
})
