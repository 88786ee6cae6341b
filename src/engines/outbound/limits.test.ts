import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { createOutbound, type Lookup } from './index.ts'
import { serve, serveTcp } from './testing/servers.ts'

function open(t: TestContext, lookup: Lookup = async () => [{ address: '127.0.0.1' }]) {
  const clock = new ManualClock()
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup, clock })
  t.after(() => outbound.close())
  return { clock, outbound }
}

const never: Lookup = () => new Promise(() => {})

test('slow DNS ends at the deadline', async (t) => {
  const { clock, outbound } = open(t, never)
  const request = outbound.request('http://slow.example/', { timeoutMs: 500 })
  const resolve = outbound.resolve('slow.example', 5432)
  clock.advance(500)
  await assert.rejects(request, { code: 'timeout', message: /slow\.example:80 gave no complete answer within 500 ms/ })
  clock.advance(9_500)
  await assert.rejects(resolve, { code: 'timeout' })
})

test('a TLS greeting without an answer ends at the deadline, and so does its connection', async (t) => {
  const { port, sockets } = await serveTcp(t, () => {})
  const { clock, outbound } = open(t)
  const request = outbound.request(`https://service.example:${port}/`)
  await eventually(() => sockets.size === 1)
  clock.advance(29_999)
  clock.advance(1)
  await assert.rejects(request, { code: 'timeout' })
  for (const socket of sockets) socket.resume()
  await eventually(() => sockets.size === 0)
})

test('slow headers end at the deadline', async (t) => {
  const { port, sockets } = await serveTcp(t, (socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n'))
  )
  const { clock, outbound } = open(t)
  const request = outbound.request(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 })
  await eventually(() => [...sockets].some((socket) => socket.bytesWritten > 0))
  clock.advance(1000)
  await assert.rejects(request, { code: 'timeout' })
  await eventually(() => sockets.size === 0)
})

test('a slow body ends at the same deadline, read or not', async (t) => {
  const { port, sockets } = await serveTcp(t, (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nslow'))
  })
  const { clock, outbound } = open(t)
  const read = await outbound.request(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 })
  const unread = await outbound.request(`http://127.0.0.1:${port}/`, { timeoutMs: 1000 })
  const text = read.text()
  clock.advance(1000)
  await assert.rejects(text, { code: 'timeout' })
  await eventually(() => sockets.size === 0)
  await assert.rejects(unread.text(), { code: 'timeout' })
})

test('a call that is over leaves no timer behind', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end('ok'))
  const { clock, outbound } = open(t)
  const pending = new Set<number>()
  let timers = 0
  t.mock.method(clock, 'after', () => {
    const timer = ++timers
    pending.add(timer)
    return () => pending.delete(timer)
  })
  await (await outbound.request(`http://service.example:${port}/`)).text()
  await outbound.resolve('service.example', 1)
  await assert.rejects(outbound.request('http://169.254.169.254/'))
  await eventually(() => pending.size === 0)
  assert.ok(timers >= 4)
})

test('an endless body stops at the limit and its connection with it', async (t) => {
  let closed = false
  const { port } = await serve(t, (_request, response) => {
    response.on('close', () => {
      closed = true
    })
    const more = () => {
      while (!closed && response.write(Buffer.alloc(16_384, 'x')));
    }
    response.on('drain', more)
    more()
  })
  const { outbound } = open(t)
  const response = await outbound.request(`http://127.0.0.1:${port}/`, { maxResponseBytes: 100_000 })
  let bytes = 0
  const reading = (async () => {
    for await (const chunk of response.body) bytes += chunk.length
  })()
  await assert.rejects(reading, { code: 'too_large', message: /larger than 100000 bytes/ })
  assert.ok(bytes > 0 && bytes <= 100_000)
  await eventually(() => closed)
})

test('a body may be exactly as large as the limit', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end('12345'))
  const { outbound } = open(t)
  const url = `http://127.0.0.1:${port}/`
  assert.equal(await (await outbound.request(url, { maxResponseBytes: 5 })).text(), '12345')
  await assert.rejects((await outbound.request(url, { maxResponseBytes: 4 })).text(), { code: 'too_large' })
})

test('leaving the body early ends the call', async (t) => {
  const { port, sockets } = await serveTcp(t, (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nslow'))
  })
  const { outbound } = open(t)
  const response = await outbound.request(`http://127.0.0.1:${port}/`)
  for await (const chunk of response.body) {
    assert.equal(Buffer.from(chunk).toString(), 'slow')
    break
  }
  await eventually(() => sockets.size === 0)
})

test('the caller can abort before, while waiting and while reading', async (t) => {
  const { port, sockets } = await serveTcp(t, (socket) => {
    socket.once('data', (head) => {
      if (head.includes('/body')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nslow')
    })
  })
  const { outbound } = open(t)
  const url = `http://127.0.0.1:${port}`
  await assert.rejects(outbound.request(url, { signal: AbortSignal.abort() }), { code: 'aborted' })
  assert.equal(sockets.size, 0)

  const waiting = new AbortController()
  const request = outbound.request(url, { signal: waiting.signal })
  await eventually(() => [...sockets].some((socket) => socket.bytesRead > 0))
  waiting.abort()
  await assert.rejects(request, { code: 'aborted' })

  const reading = new AbortController()
  const text = (await outbound.request(`${url}/body`, { signal: reading.signal })).text()
  reading.abort()
  await assert.rejects(text, { code: 'aborted' })
  await eventually(() => sockets.size === 0)
})

test('an aborted call does not look up the name', async (t) => {
  const lookup = t.mock.fn(never)
  const { outbound } = open(t, lookup)
  await assert.rejects(outbound.request('http://a.example/', { signal: AbortSignal.abort() }), { code: 'aborted' })
  assert.equal(lookup.mock.callCount(), 0)
})

test('closing ends what is under way and refuses the rest', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const { port, sockets } = await serveTcp(t, (socket) => void once(socket, 'data').then(() => arrived.resolve()))
  const { outbound } = open(t)
  const request = outbound.request(`http://127.0.0.1:${port}/`)
  await arrived.promise
  const refused = assert.rejects(request, { code: 'aborted', message: /shutting down/ })
  await outbound.close()
  await refused
  await eventually(() => sockets.size === 0)
  await assert.rejects(outbound.request(`http://127.0.0.1:${port}/`), { code: 'aborted' })
  await assert.rejects(outbound.resolve('127.0.0.1', port), { code: 'aborted' })
})
