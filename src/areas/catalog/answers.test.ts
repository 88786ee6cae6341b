import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { type Caller, watchCaller } from '../../http/caller.ts'
import { BytesAnswer, StreamAnswer } from '../../http/route.ts'
import { streamAnswer } from './answers.ts'

/** Sends pieces as an answer, and tells what becomes of their maker and of their reader. */
function answering(texts: readonly string[]) {
  const seen = { made: 0, ended: false, released: 0 }
  const caller: Caller = { signal: new AbortController().signal, release: () => void seen.released++ }
  const body = async function* () {
    try {
      for (const text of texts) {
        seen.made++
        yield new TextEncoder().encode(text)
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, answer: () => streamAnswer('text/csv', body(), caller) }
}

describe('an answer', () => {
  it('of one piece is sent whole, and its length is known', async () => {
    for (const texts of [['tag,time'], []]) {
      const { seen, answer } = answering(texts)
      const whole = await answer()
      assert.ok(whole instanceof BytesAnswer)
      assert.equal(String(whole.body), texts.join(''))
      const expected = { 'content-type': 'text/csv; charset=utf-8', 'content-length': String(texts.join('').length) }
      assert.deepEqual(whole.headers, expected)
      assert.deepEqual([seen.ended, seen.released], [true, 1])
    }
  })

  it('of several is sent as it is made, in order', async () => {
    const { seen, answer } = answering(['a', 'b', 'c', 'd'])
    const stream = await answer()
    assert.ok(stream instanceof StreamAnswer)
    assert.deepEqual([seen.made, seen.released], [2, 0])
    let text = ''
    for await (const piece of stream.chunks) text += piece
    assert.equal(text, 'abcd')
    assert.deepEqual([seen.ended, seen.released], [true, 1])
  })

  it('that nobody reads to the end is made no further', async () => {
    const { seen, answer } = answering(['a', 'b', 'c', 'd'])
    const { chunks } = (await answer()) as StreamAnswer
    for await (const piece of chunks) if (String(piece) === 'b') break
    assert.deepEqual(seen, { made: 2, ended: true, released: 1 })
  })
})

describe('a caller', () => {
  it('is known to have gone when its connection closes, unless it was let go', async () => {
    const arrived: IncomingMessage[] = []
    const server = createServer((raw) => arrived.push(raw)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    asked.on('error', () => {}) // the test itself hangs up
    asked.end()
    await once(server, 'request')
    const [raw] = arrived as [IncomingMessage]
    const listening = raw.socket.listenerCount('close')
    const done = watchCaller(raw)
    done.release()
    assert.equal(raw.socket.listenerCount('close'), listening)
    const waiting = watchCaller(raw)
    asked.destroy()
    await once(waiting.signal, 'abort')
    assert.equal(done.signal.aborted, false)
    assert.equal(watchCaller(raw).signal.aborted, true, 'one that has gone already')
    server.close()
  })
})
