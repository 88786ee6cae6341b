import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readEvents } from '../../test/support/event-reader.ts'
import { eventually } from '../../test/support/eventually.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { Problem } from '../errors.ts'
import { EventStreams, type ServerEvent } from './server-sent-events.ts'

type Follow = (signal: AbortSignal) => AsyncIterable<ServerEvent>

describe('a stream of events', () => {
  const clock = new ManualClock()
  let server: Server
  let url: string
  let streams: EventStreams
  let ending: AbortController
  let follow: Follow
  let refuseLast: ((why: Problem) => void) | undefined

  before(async () => {
    server = createServer((request, response) => {
      try {
        const { contentType, chunks, refuse } = streams.open(request, request.headers.reader as string, follow)
        refuseLast = refuse
        response.writeHead(200, { 'content-type': contentType })
        pipeline(Readable.from(chunks), response, () => {})
      } catch (error) {
        response.writeHead(error instanceof Problem ? error.status : 500).end()
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    ending = new AbortController()
    streams = new EventStreams({ clock, maxReaders: 2, ending: ending.signal })
  })
  after(() => server.close())

  it('gives events their names, identifiers and data, and ends when there are no more', async () => {
    follow = async function* () {
      yield { id: 'a1', event: 'log', data: { text: 'one\ntwo' } }
      yield { event: 'skipped', data: null }
    }
    const reader = await readEvents(url, {})
    assert.equal(reader.contentType, 'text/event-stream; charset=utf-8')
    assert.deepEqual(await reader.next(), { id: 'a1', event: 'log', data: { text: 'one\ntwo' } })
    assert.deepEqual(await reader.next(), { id: undefined, event: 'skipped', data: null })
    assert.equal(await reader.next(), undefined)
  })

  it('ends with why, where whoever follows may not any more', async () => {
    follow = async function* (signal) {
      yield { event: 'log', data: 1 }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      yield { event: 'log', data: 'not any more' }
    }
    const reader = await readEvents(url, {})
    assert.equal((await reader.next())?.data, 1)
    refuseLast?.(new Problem('invalid_token', { detail: 'The key was revoked.' }))
    const last = { id: undefined, event: 'ended', data: { code: 'invalid_token', detail: 'The key was revoked.' } }
    assert.deepEqual([await reader.next(), await reader.next()], [last, undefined])
    follow = async function* () {
      yield { event: 'log', data: 1 }
      throw new Problem('permission_denied')
    }
    const other = await readEvents(url, {})
    await other.next()
    assert.equal((await other.next())?.data.code, 'permission_denied')
    assert.equal(await other.next(), undefined)
  })

  it('says every 15 seconds that it is there', async () => {
    const news = Promise.withResolvers<void>()
    follow = async function* () {
      await news.promise
      yield { event: 'log', data: 1 }
    }
    const reader = await readEvents(url, {})
    const next = reader.next()
    for (const count of [2, 3]) {
      await eventually(() => {
        clock.advance(5000)
        return reader.comments >= count
      })
    }
    news.resolve()
    assert.equal((await next)?.data, 1)
    reader.leave()
  })

  it('asks for no more than a slow reader takes', async () => {
    let made = 0
    let hasEnded = false
    follow = async function* () {
      try {
        for (;;) {
          made += 1
          yield { event: 'log', data: 'x'.repeat(10_000) }
        }
      } finally {
        hasEnded = true
      }
    }
    const reader = await readEvents(url, {})
    await reader.next()
    // Some megabytes fit between writer and reader; then the writing stands still.
    let before = -1
    await eventually(() => {
      const isStill = made === before
      before = made
      return isStill
    })
    assert.ok(made < 5000, `${made} events were made for a reader that took one`)
    reader.leave()
    await eventually(() => hasEnded)
  })

  it('leaves room for other readers, however many one of them wants', async () => {
    follow = async function* (signal) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    const first = await readEvents(url, { reader: 'ada' })
    const second = await readEvents(url, { reader: 'ada' })
    assert.deepEqual([first.status, second.status], [200, 429])
    const other = await readEvents(url, { reader: 'bob' })
    assert.equal(other.status, 200)
    for (const reader of [first, other]) reader.leave()
    await eventually(async () => {
      const again = await readEvents(url, { reader: 'ada' })
      again.leave()
      return again.status === 200
    })
  })

  it('stops what waits for news when the reader leaves, and has room for another', async () => {
    let left = 0
    follow = async function* (signal) {
      yield { event: 'log', data: 1 }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      left += 1
    }
    const readers = [await readEvents(url, { reader: 'ada' }), await readEvents(url, { reader: 'bob' })]
    for (const reader of readers) await reader.next()
    const third = await readEvents(url, { reader: 'eve' })
    assert.equal(third.status, 503)
    for (const reader of readers) reader.leave()
    await eventually(() => left === 2)
    const another = await readEvents(url, {})
    assert.equal((await another.next())?.data, 1)
    another.leave()
  })

  it('ends for all when the server does', async () => {
    follow = async function* (signal) {
      yield { event: 'log', data: 1 }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    }
    const reader = await readEvents(url, {})
    await reader.next()
    ending.abort()
    assert.equal(await reader.next(), undefined)
  })
})
