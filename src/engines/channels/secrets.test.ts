import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { strangeFields } from '../places/index.ts'
import { answerText } from './answer.ts'
import { CHANNEL_KINDS, type ChannelTarget, CONFIG_SCHEMAS, secretFields, secretPlaces } from './index.ts'
import { message } from './testing/messages.ts'
import { openChannels, options, receive } from './testing/receiver.ts'

const plain = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-']
const secretText = fc.string({ unit: fc.constantFrom(...plain), minLength: 12, maxLength: 40 })
const password = fc.string({ unit: fc.constantFrom(...plain, ...'"\\<>&% +/=.,\tüß🔥'), minLength: 8, maxLength: 40 })

/** What a careless server may repeat of what it was sent. */
const ECHOES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify({ error: `no ${secret}` }),
  (secret) => encodeURIComponent(secret),
  (secret) => `<p>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`,
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => `${secret}${secret}\r\n${secret}`
]

test('no secret is left in an answer, however it is repeated, nor the beginning of one where it was cut', () => {
  const echo = fc.constantFrom(...ECHOES)
  fc.assert(
    fc.property(password, echo, fc.string(), fc.nat(60), (secret, repeat, around, cutAt) => {
      const whole = answerText(`${around}${repeat(secret)}${around}`, [secret])
      assert.ok(!whole.includes(secret) || around.includes(secret))
      assert.ok(!whole.includes(repeat(secret)))
      const half = secret.slice(0, Math.max(4, cutAt % secret.length))
      assert.ok(!answerText(`said: ${half}`, [secret], true).includes(half))
    }),
    { numRuns: 2000 }
  )
})

test('an answer is one line of at most 500 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 2000 }), (text) => {
      const answer = answerText(text, [])
      assert.ok(answer.length <= 500 && answer.isWellFormed())
      assert.doesNotMatch(answer, /[\p{Cc}\u2028\u2029]/u)
    })
  )
})

test('a server that repeats address, headers and body puts no secret into what is told', async (t) => {
  const statuses = [200, 400, 401, 429, 500]
  let status = 200
  const { url } = await receive(t, (request, response) => {
    response.writeHead(status)
    response.end(`${request.url} ${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)} ${echoed}`)
  })
  let echoed = ''
  const channels = openChannels(t)
  await fc.assert(
    fc.asyncProperty(secretText, secretText, fc.constantFrom(...ECHOES), async (one, two, repeat) => {
      const key = `${one}${'0'.repeat(32)}`.replace(/\W|_/g, '0').slice(0, 32)
      const targets: readonly [ChannelTarget, secrets: string[]][] = [
        [{ type: 'webhook', config: { url, secret: one, headers: { authorization: `Bearer ${two}` } } }, [one, two]],
        [{ type: 'webhook', config: { url, headers: { authorization: `Basic ${btoa(`ada:${two}`)}` } } }, [two]],
        [{ type: 'slack', config: { url: `${url}/services/${one}/${two}` } }, [one, two]],
        [{ type: 'teams', config: { url: `${url}/w?sig=${one}` } }, [one]],
        [{ type: 'pagerduty', config: { url, routingKey: key } }, [key]],
        [{ type: 'ntfy', config: { url, topic: one, token: two } }, [one, two]],
        [{ type: 'telegram', config: { url, token: `123:${one}`, chatId: '1' } }, [one]]
      ]
      for (const [target, secrets] of targets) {
        status = statuses[(one.length + secrets.length) % statuses.length] as number
        echoed = secrets.map(repeat).join(' ')
        const told = JSON.stringify(await channels.send(target, message(), options()))
        for (const secret of secrets) assert.ok(!told.includes(secret), `${target.type}: ${told}`)
      }
    }),
    { numRuns: 60 }
  )
})

test('a secret at which an answer is cut, within a character too, is not told', async (t) => {
  const secret = 'ä€🔥x'.repeat(2500)
  for (const offset of [0, 1, 2, 3, 4, 5]) {
    const { url } = await receive(t, (_request, response) => response.end('y'.repeat(offset) + secret.repeat(4)))
    const { answer } = await openChannels(t).send({ type: 'webhook', config: { url, secret } }, message(), options())
    assert.equal(answer, `${'y'.repeat(offset)}****************`)
  }
})

test('every field that a schema keeps from readers is a secret with a place, and no other', () => {
  for (const kind of CHANNEL_KINDS) {
    const { properties } = CONFIG_SCHEMAS[kind] as { properties: Record<string, { writeOnly?: boolean }> }
    const writeOnly = Object.keys(properties).filter((field) => properties[field]?.writeOnly === true)
    assert.deepEqual([...secretFields(kind)].sort(), writeOnly.sort(), kind)
  }
})

test('a secret is for one place: another server, port, encryption or account is another', () => {
  const strange = (field: string, given: ChannelTarget, wanted: ChannelTarget) =>
    strangeFields(secretPlaces(given)[field] ?? {}, secretPlaces(wanted)[field] ?? {})
  const mail = (changes: object = {}) => {
    const config = { host: 'mail.example', tls: 'required', user: 'ada', from: 'a@b.c', to: ['d@e.f'], ...changes }
    return { type: 'email', config } as ChannelTarget
  }
  assert.deepEqual(strange('password', mail(), mail({ host: 'MAIL.example.', port: 587, to: ['x@y.z'] })), [])
  assert.deepEqual(strange('password', mail(), mail({ host: 'evil.example' })), ['host'])
  assert.deepEqual(strange('password', mail(), mail({ port: 25 })), ['host'])
  assert.deepEqual(strange('password', mail(), mail({ tls: 'implicit', port: 587 })), ['tls'])
  assert.deepEqual(strange('password', mail(), mail({ user: 'eve' })), ['user'])
  const hook = (url: string): ChannelTarget => ({ type: 'webhook', config: { url } })
  for (const field of ['secret', 'previousSecret', 'headers']) {
    assert.deepEqual(strange(field, hook('https://a.example/x'), hook('https://A.example:443/y')), [])
    assert.deepEqual(strange(field, hook('https://a.example'), hook('https://b.example')), ['url'])
    assert.deepEqual(strange(field, hook('https://a.example'), hook('http://a.example')), ['url'])
  }
  const services: readonly [field: string, own: string, at: (config: { url?: string }) => ChannelTarget][] = [
    [
      'token',
      'https://api.telegram.org/',
      (url) => ({ type: 'telegram', config: { token: 't', chatId: '1', ...url } })
    ],
    [
      'routingKey',
      'https://events.pagerduty.com',
      (url) => ({ type: 'pagerduty', config: { routingKey: 'k', ...url } })
    ],
    ['topic', 'https://ntfy.sh', (url) => ({ type: 'ntfy', config: { topic: 't', ...url } })],
    ['token', 'https://ntfy.sh', (url) => ({ type: 'ntfy', config: { topic: 't', ...url } })]
  ]
  for (const [field, own, at] of services) {
    assert.deepEqual(strange(field, at({}), at({ url: own })), [])
    assert.deepEqual(strange(field, at({}), at({ url: 'https://evil.example' })), ['url'])
  }
})
