import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { createOutbound } from '../../outbound/index.ts'
import { serveTcp } from '../../outbound/testing/servers.ts'
import { type ChannelConfigs, checkConfig, createChannels } from '../index.ts'
import { refusal, serveMail } from '../testing/mail-server.ts'
import { alert, message } from '../testing/messages.ts'
import { openChannels, options, quiet } from '../testing/receiver.ts'

type EmailConfig = ChannelConfigs['email']

const target = (port: number, changes: Partial<EmailConfig> = {}) => ({
  type: 'email' as const,
  config: {
    host: 'mail.example',
    port,
    tls: 'none' as const,
    from: 'alerts@plant.example',
    to: ['ada@plant.example', 'eve@plant.example'],
    ...changes
  }
})
/** Without a picture. */
const plain = () => message({ alerts: [alert({ lastValues: [] })] })
const credentials = { user: 'ada', password: 'right "password"' }

test('a mail has text, a page and the last values as a picture, and belongs to the thread of its group', async (t) => {
  const { port, mails } = await serveMail(t)
  const channels = openChannels(t, new ManualClock('2026-01-01T09:00:00.000Z'))
  const sent = await channels.send(target(port), message({ title: 'Heiß 🔥', more: 2 }), options())
  assert.deepEqual([sent.outcome, sent.status, sent.code], ['sent', 250, 'ok'])
  await channels.send(target(port), message({ kind: 'resolved' }), { ...options(), idempotencyKey: 'key-2' })
  await channels.send(target(port), message({ groupKey: 'another' }), { ...options(), idempotencyKey: 'key-1' })
  const [first, second, other] = await Promise.all(mails.map((mail) => mail.read()))
  assert.deepEqual([mails[0]?.from, mails[0]?.to], ['alerts@plant.example', ['ada@plant.example', 'eve@plant.example']])
  assert.equal(first?.subject, 'Heiß 🔥')
  assert.equal(Date.parse(first?.date ?? ''), Date.parse('2026-01-01T09:00:00.000Z'))
  assert.match(first?.text ?? '', /^Heiß 🔥\n\nBoiler too hot is firing\nValue 91.2\n\nand 2 more\n\nhttps:\/\/mill/)
  assert.match(first?.html ?? '', /value 91\.23456 \(&gt; 90\)/)
  assert.match(first?.html ?? '', /<a href="https:\/\/millrace\.example\/alerts">Open in Millrace<\/a>/)
  const [picture] = first?.attachments ?? []
  assert.equal(picture?.mimeType, 'image/png')
  assert.equal(
    Buffer.from(picture?.content as ArrayBuffer)
      .subarray(1, 4)
      .toString(),
    'PNG'
  )
  assert.equal(picture?.disposition, 'inline')
  const shown = `src="cid:${picture?.contentId?.slice(1, -1)}" alt="The last 3 values, from 80 to 91" width="560"`
  assert.ok(first?.html?.includes(shown))

  assert.match(first?.messageId ?? '', /^<[\da-f]{32}@plant\.example>$/)
  assert.equal(first?.messageId, other?.messageId, 'the same key is the same mail')
  assert.notEqual(first?.messageId, second?.messageId)
  assert.match(first?.references ?? '', /^<group\.[\da-f]{32}@plant\.example>$/)
  assert.deepEqual([first?.references, first?.inReplyTo], [second?.references, second?.references])
  assert.notEqual(first?.references, other?.references)
  assert.ok(first?.headers.some(({ key, value }) => key === 'auto-submitted' && value === 'auto-generated'))
})

test('a mail goes out without a picture that can’t be made', async (t) => {
  const { port, mails } = await serveMail(t)
  const logged: string[] = []
  const channels = openChannels(t, undefined, { warn: (_, told) => logged.push(told) })
  await channels.close()
  assert.equal((await channels.send(target(port), message(), options())).code, 'ok')
  const mail = await mails[0]?.read()
  assert.deepEqual([mail?.attachments.length, mail?.html?.includes('<img')], [0, false])
  assert.match(mail?.html ?? '', /value 91\.23456/)
  assert.deepEqual(logged, ['a message goes without some of its charts'])
})

test('at most fifty alerts are listed', async (t) => {
  const { port, mails } = await serveMail(t)
  const alerts = Array.from({ length: 60 }, () => alert({ lastValues: [] }))
  await openChannels(t).send(target(port), message({ alerts }), options())
  const mail = await mails[0]?.read()
  assert.equal(mail?.html?.match(/<tr>/g)?.length, 50)
  assert.match(mail?.html ?? '', /and 10 more/)
})

test('STARTTLS is asked for, taken if it is there, or left alone, and TLS may come first', async (t) => {
  const trusted = await serveMail(t, { trusted: true })
  const implicit = await serveMail(t, { trusted: true, secure: true })
  const bare = await serveMail(t, { disabledCommands: ['STARTTLS'] })
  const unknown = await serveMail(t)
  const channels = openChannels(t)
  const send = async (port: number, tls: EmailConfig['tls'], host = 'mail.example') =>
    (await channels.send(target(port, { tls, host }), plain(), options())).code
  assert.equal(await send(trusted.port, 'required'), 'ok')
  assert.equal(await send(trusted.port, 'opportunistic'), 'ok')
  assert.equal(await send(trusted.port, 'none'), 'ok')
  assert.deepEqual(
    trusted.mails.map(({ isEncrypted }) => isEncrypted),
    [true, true, false]
  )
  assert.equal(await send(implicit.port, 'implicit'), 'ok')
  assert.equal(await send(bare.port, 'opportunistic'), 'ok')
  assert.equal(await send(unknown.port, 'opportunistic'), 'ok')
  assert.equal(unknown.mails[0]?.isEncrypted, true)

  assert.equal(await send(bare.port, 'required'), 'tls')
  assert.equal(await send(unknown.port, 'required'), 'tls')
  assert.equal(await send(trusted.port, 'required', 'other.example'), 'tls', 'a certificate for another name')
  assert.equal(await send(implicit.port, 'implicit', 'other.example'), 'tls')
  assert.equal(await send(trusted.port, 'implicit'), 'tls', 'a port that does not begin with TLS')
  assert.deepEqual([bare.mails.length, unknown.mails.length, implicit.mails.length], [1, 1, 1])
})

test('a password is sent over TLS alone, and never told', async (t) => {
  const { port, mails } = await serveMail(t, { trusted: true, authOptional: false })
  const channels = openChannels(t)
  const sent = await channels.send(target(port, { tls: 'required', ...credentials }), plain(), options())
  assert.deepEqual([sent.code, mails[0]?.user], ['ok', 'ada'])
  const wrong = { user: 'ada', password: 'wrong password' }
  const refused = await channels.send(target(port, { tls: 'required', ...wrong }), plain(), options())
  assert.deepEqual([refused.outcome, refused.status, refused.code], ['refused', 535, 'unauthorized'])
  for (const told of ['wrong password', btoa('wrong password'), btoa('\0ada\0wrong password').replace(/=+$/, '')]) {
    assert.ok(!refused.answer.includes(told), refused.answer)
  }
  const anonymous = await channels.send(target(port, { tls: 'required' }), plain(), options())
  assert.deepEqual([anonymous.outcome, anonymous.status, anonymous.code], ['refused', 530, 'unauthorized'])
  for (const tls of ['none', 'opportunistic'] as const) {
    const sentNow = await channels.send(target(port, { tls, ...credentials }), plain(), options())
    assert.deepEqual([sentNow.outcome, sentNow.code], ['refused', 'bad_config'])
  }
})

test('recipients that are refused, for now or for good', async (t) => {
  const { port, mails } = await serveMail(t, {
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) return done(refusal(550, 'No such user'))
      return address.startsWith('full') ? done(refusal(451, 'Try again\r\nlater')) : done()
    }
  })
  const channels = openChannels(t)
  const send = (...names: string[]) =>
    channels.send(target(port, { to: names.map((name) => `${name}@plant.example`) }), plain(), options())
  const gone = await send('gone')
  assert.deepEqual([gone.outcome, gone.status, gone.code], ['refused', 550, 'rejected'])
  assert.match(gone.answer, /No such user/)
  const full = await send('full')
  assert.deepEqual([full.outcome, full.status, full.code], ['failed', 451, 'server_error'])
  const both = await send('gone', 'full')
  assert.deepEqual([both.outcome, both.status], ['failed', 451])
  assert.equal(mails.length, 0)
  const some = await send('ada', 'gone')
  assert.deepEqual([some.outcome, some.code], ['sent', 'partly_refused'])
  assert.match(some.answer, /^Refused for gone@plant\.example: 550 No such user$/)
  assert.deepEqual(mails[0]?.to, ['ada@plant.example'])
})

test('a server that refuses the mail itself, or busy ones', async (t) => {
  for (const [code, outcome] of [
    [554, 'refused'],
    [452, 'failed']
  ] as const) {
    const { port } = await serveMail(t, {
      onData: (stream, _session, done) => stream.on('end', () => done(refusal(code, 'not this'))).resume()
    })
    const sent = await openChannels(t).send(target(port), plain(), options())
    assert.deepEqual([sent.outcome, sent.status], [outcome, code])
  }
  const small = await serveMail(t, { size: 1000 })
  const sent = await openChannels(t).send(target(small.port), plain(), options())
  assert.deepEqual([sent.outcome, sent.code], ['refused', 'rejected'])
})

test('connections that break, stall or are no mail server failed, and may be tried again', async (t) => {
  const greet = (after: string) => (socket: Socket) => {
    let last = ''
    socket.write('220 mail.example ESMTP\r\n')
    socket.on('data', (data) => {
      if (String(data).startsWith(after) || last === after) return socket.destroy()
      last = String(data).startsWith('DATA') ? 'the mail' : ''
      return socket.write(last === '' ? '250 mail.example\r\n' : '354 go\r\n')
    })
  }
  const channels = openChannels(t)
  for (const after of ['EHLO', 'MAIL', 'DATA', 'the mail']) {
    const { port } = await serveTcp(t, greet(after))
    const sent = await channels.send(target(port), plain(), options())
    assert.deepEqual([sent.outcome, sent.status, sent.code], ['failed', null, 'unreachable'], after)
  }
  const web = await serveTcp(t, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  assert.equal((await channels.send(target(web.port), plain(), options())).code, 'unexpected_answer')
  const endless = await serveTcp(t, (socket) => socket.write(`220-${'x'.repeat(70_000)}`))
  assert.equal((await channels.send(target(endless.port), plain(), options())).code, 'unexpected_answer')
  assert.equal((await channels.send(target(await freePort()), plain(), options())).code, 'unreachable')
})

test('a server that says nothing is left after half a minute, or when the message is called back', async (t) => {
  const clock = new ManualClock()
  const silent = await serveTcp(t, () => {})
  const begin = async (signal = options().signal) => {
    const sending = openChannels(t, clock).send(target(silent.port), plain(), { ...options(), signal })
    await eventually(() => silent.sockets.size === 1)
    return sending
  }
  const sending = begin()
  await eventually(() => silent.sockets.size === 1)
  clock.advance(30_000)
  assert.equal((await sending).code, 'timeout')
  await eventually(() => silent.sockets.size === 0)
  const controller = new AbortController()
  const other = begin(controller.signal)
  await eventually(() => silent.sockets.size === 1)
  controller.abort()
  assert.equal((await other).code, 'aborted')
  await eventually(() => silent.sockets.size === 0)
})

test('the address that was checked is called, and private ones are refused', async (t) => {
  const { port, mails } = await serveMail(t)
  const names: string[] = []
  const lookup = async (name: string) => {
    names.push(name)
    return [{ address: '127.0.0.1' }]
  }
  for (const [allowPrivateNetworks, code] of [
    [true, 'ok'],
    [false, 'address_refused']
  ] as const) {
    const outbound = createOutbound({ allowPrivateNetworks, allowedHosts: [], lookup })
    t.after(() => outbound.close())
    const sent = await createChannels({ outbound, log: quiet }).send(
      target(port, { host: 'no.such.name' }),
      plain(),
      options()
    )
    assert.equal(sent.code, code)
  }
  assert.deepEqual(names, ['no.such.name', 'no.such.name'])
  assert.equal(mails.length, 1)
})

test('addresses are one address each, and a user needs a password', async () => {
  const check = async (changes: Partial<EmailConfig>) =>
    (await checkConfig(target(25, changes))).map(({ pointer }) => pointer)
  assert.deepEqual(await check({}), [])
  const bad = [
    '',
    'ada',
    'a@b@c',
    'a b@c.d',
    'a@b.c, d@e.f',
    '<a@b.c>',
    'a@b.c\r\nBcc: d@e.f',
    'a@-b.c',
    'ü@b.c',
    'a@b..c'
  ]
  for (const address of bad)
    assert.deepEqual(await check({ from: address, to: ['a@b.c', address] }), ['/from', '/to/1'])
  assert.deepEqual(await check({ user: 'ada' }), ['/password'])
  assert.deepEqual(await check({ password: 'x' }), ['/user'])
  assert.deepEqual(await check({ host: 'mail.example/x' }), ['/host'])
  assert.deepEqual(await check({ tls: 'opportunistic', ...credentials }), ['/tls'])
})
