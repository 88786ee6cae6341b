import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createOutbound, type OutboundSettings } from './index.ts'
import { serve } from './testing/servers.ts'

function open(t: TestContext, settings: Partial<OutboundSettings>) {
  const outbound = createOutbound({ allowPrivateNetworks: false, allowedHosts: [], ...settings })
  t.after(() => outbound.close())
  return outbound
}

/** Answers the first list at the first look-up, and so on; the last one is repeated. */
function answering(...answers: string[][]) {
  let next = 0
  return async () => {
    const answer = answers[Math.min(next++, answers.length - 1)] ?? []
    return answer.map((address) => ({ address }))
  }
}

async function countingServer(t: TestContext, at: { host?: string; port?: number } = {}) {
  const seen = { calls: 0 }
  const { port } = await serve(
    t,
    (_request, response) => {
      seen.calls++
      response.end('ok')
    },
    at
  )
  return { port, seen }
}

test('private addresses are refused in every spelling and by every name', async (t) => {
  const { port, seen } = await countingServer(t)
  const outbound = open(t, { lookup: answering(['127.0.0.1']) })
  for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', 'a.example']) {
    await assert.rejects(outbound.request(`http://${host}:${port}/`), {
      code: 'refused_by_policy',
      message: /private address.*ALLOWED_HOSTS.*ALLOW_PRIVATE_NETWORKS=true/
    })
  }
  assert.equal(seen.calls, 0)
})

test('localhost is private with the resolver of the system too', async (t) => {
  await assert.rejects(open(t, {}).resolve('localhost', 80), { code: 'refused_by_policy' })
})

test('what is never called is refused whatever the settings permit', async (t) => {
  const never = [
    '169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '224.0.0.1',
    '0.0.0.0',
    '::',
    '255.255.255.255'
  ]
  const outbound = open(t, { allowPrivateNetworks: true, allowedHosts: ['*.example', '0.0.0.0/0', '::/0', ...never] })
  for (const address of never) {
    await assert.rejects(outbound.resolve(address, 80), { code: 'refused_by_policy', message: /never called/ })
    const named = open(t, { allowPrivateNetworks: true, allowedHosts: ['*.example'], lookup: answering([address]) })
    await assert.rejects(named.request('http://a.example/'), { code: 'refused_by_policy', message: /never called/ })
  }
})

test('one bad address among good ones condemns the name, and which one stays untold', async (t) => {
  for (const bad of ['10.1.2.3', '169.254.1.2', '::ffff:10.1.2.3', 'nonsense', 'fe80::1%eth0']) {
    for (const answer of [
      ['93.184.216.34', bad],
      [bad, '93.184.216.34']
    ]) {
      const outbound = open(t, { lookup: answering(answer) })
      await assert.rejects(outbound.resolve('mixed.example', 80), (error: Error & { code: string }) => {
        assert.equal(error.code, 'refused_by_policy')
        return !error.message.includes(bad)
      })
    }
  }
})

test('a name that has no address is an unknown host', async (t) => {
  const failing = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  for (const lookup of [failing, answering([])]) {
    const outbound = open(t, { lookup })
    await assert.rejects(outbound.request('http://nowhere.example/'), {
      code: 'unknown_host',
      message: /nowhere\.example/
    })
    await assert.rejects(outbound.resolve('nowhere.example', 1), { code: 'unknown_host' })
  }
})

test('resolve gives drivers a checked address, IPv4 where there is one', async (t) => {
  const outbound = open(t, { lookup: answering(['2606:4700::1111', '93.184.216.34'], ['2606:4700:0::1111']) })
  assert.deepEqual(await outbound.resolve('db.example', 5432), { address: '93.184.216.34', family: 4 })
  assert.deepEqual(await outbound.resolve('db.example', 5432), { address: '2606:4700::1111', family: 6 })
  assert.deepEqual(await outbound.resolve('0x08080808', 5432), { address: '8.8.8.8', family: 4 })
  for (const [host, port] of [
    ['', 1],
    ['a b', 1],
    ['db.example', 0],
    ['db.example', 1.5],
    ['db.example', 65_536]
  ] as const) {
    await assert.rejects(outbound.resolve(host, port), { code: 'bad_url' })
  }
})

test('allowed hosts may be private, on the ports they are allowed for', async (t) => {
  const { port, seen } = await countingServer(t)
  const lookup = answering(['127.0.0.1'])
  for (const entry of [
    'db.example',
    '*.example',
    `db.example:${port}`,
    '127.0.0.0/8',
    '127.0.0.1',
    `127.0.0.1:${port}`
  ]) {
    const outbound = open(t, { allowedHosts: [entry], lookup })
    assert.equal(await (await outbound.request(`http://db.example:${port}/`)).text(), 'ok', entry)
  }
  const allowed = seen.calls
  for (const entry of ['other.example', 'db.example:1', '*.db.example', '10.0.0.0/8', '127.0.0.1:1']) {
    const outbound = open(t, { allowedHosts: [entry], lookup })
    await assert.rejects(outbound.request(`http://db.example:${port}/`), { code: 'refused_by_policy' }, entry)
  }
  assert.equal(seen.calls, allowed)
})

test('an answer that changes after the check changes nothing: the checked address is called', async (t) => {
  const second = await countingServer(t)
  const first = await countingServer(t, { host: '127.0.0.2', port: second.port })
  const lookup = t.mock.fn(answering(['127.0.0.2'], ['127.0.0.1']))
  const outbound = open(t, { allowPrivateNetworks: true, lookup })
  const response = await outbound.request(`http://rebinding.example:${second.port}/`)
  assert.equal(await response.text(), 'ok')
  assert.equal(response.address, '127.0.0.2')
  assert.equal(lookup.mock.callCount(), 1)
  assert.deepEqual([first.seen.calls, second.seen.calls], [1, 0])
})

test('a kept connection is not used once the name leads elsewhere', async (t) => {
  const second = await countingServer(t)
  const first = await countingServer(t, { host: '127.0.0.2', port: second.port })
  const lookup = answering(['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1'])
  const outbound = open(t, { allowedHosts: ['127.0.0.0/8'], lookup })
  const url = `http://moving.example:${second.port}/`
  for (let call = 0; call < 3; call++) await (await outbound.request(url)).text()
  assert.deepEqual([first.seen.calls, second.seen.calls], [2, 1])
  await assert.rejects(outbound.request(url), { code: 'refused_by_policy' })
  assert.equal(first.seen.calls + second.seen.calls, 3)
})
