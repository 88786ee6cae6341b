// Once: many uploads and downloads at the same time, on the disk.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { get, makeBucket, objectPath, put, tokenOf } from '../../../test/support/objects/client.ts'
import { leftovers, openContents } from '../../../test/support/objects/leftovers.ts'
import { RawSocket } from '../../../test/support/objects/raw-socket.ts'
import { contentOf } from '../../engines/objects/testing/bodies.ts'

const BUCKET = 'crowd'
const MIB = 1024 * 1024
/** The long suite sends more of them, and larger ones. */
const UPLOADS = 50
const DOWNLOADS = 8
/** More than the system buffers for a reader that has stopped. */
const HUGE_BYTES = 48 * MIB

describe('many at once', () => {
  let test: TestApp
  const clock = new ManualClock(new Date().toISOString())
  let authorization: string

  before(async () => {
    test = await startTestApp({ clock })
    await makeBucket(test, BUCKET)
    authorization = `Bearer ${await tokenOf(test, 'viewer')}`
    for (let n = 0; n < DOWNLOADS; n++) await put(test, BUCKET, `large-${n}`, contentOf(n, 12 * MIB))
  })
  after(() => test.close())

  it('uploads at the same time arrive unmixed', async () => {
    const numbers = Array.from({ length: UPLOADS }, (_, n) => n)
    const answers = await Promise.all(numbers.map((n) => put(test, BUCKET, `up-${n}`, contentOf(n, 64 * 1024))))
    assert.ok(answers.every(({ status }) => status === 201))
    for (const n of numbers) assert.ok((await get(test, BUCKET, `up-${n}`)).bytes.equals(contentOf(n, 64 * 1024)))
    assert.deepEqual(leftovers(test.database.folder), [])
  })

  /** A connection, and the server's socket of it. */
  async function connection(): Promise<{ client: RawSocket; socket: Socket }> {
    const accepted: Socket[] = []
    const accept = (socket: Socket) => accepted.push(socket)
    test.app.http.server.on('connection', accept)
    const client = await RawSocket.open(test.url)
    const socket = await eventually(
      () => accepted.find(({ remotePort }) => remotePort === client.socket.localPort) ?? (false as never)
    )
    test.app.http.server.off('connection', accept)
    return { client, socket }
  }

  /** Reads in steps of `stepBytes` with pauses, as a slow line would. */
  async function readAt(number: number, stepBytes: number, pauseMs: number): Promise<Buffer> {
    const response = await eventually(async () => {
      const answer = await fetch(test.url + objectPath(BUCKET, `large-${number}`), { headers: { authorization } })
      assert.equal(answer.status, 200)
      return answer
    })
    const chunks: Uint8Array[] = []
    let unpaused = 0
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      chunks.push(chunk)
      unpaused += chunk.length
      if (pauseMs === 0 || unpaused < stepBytes) continue
      unpaused = 0
      await delay(pauseMs)
    }
    return Buffer.concat(chunks)
  }

  it('readers of different speeds each get their own bytes', { timeout: 120_000 }, async () => {
    const speeds = [
      [MIB, 0],
      [MIB, 0],
      [4 * MIB, 700],
      [2 * MIB, 50],
      [MIB, 5],
      [5 * MIB, 900],
      [256 * 1024, 20],
      [64 * 1024, 1]
    ] as const
    const all = await Promise.all(
      speeds.map(async ([stepBytes, pauseMs], n) =>
        (await readAt(n, stepBytes, pauseMs)).equals(contentOf(n, 12 * MIB))
      )
    )
    assert.deepEqual(all, Array(DOWNLOADS).fill(true))
  })

  it('readers that stop half way hold nobody up, and what they held is free again', { timeout: 60_000 }, async () => {
    const stopped = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const client = await RawSocket.open(test.url)
        await client.ask('GET', objectPath(BUCKET, `large-${n % DOWNLOADS}`), { authorization })
        client.socket.pause()
        return client
      })
    )
    for (const n of [0, 1, 2]) assert.ok((await readAt(n, MIB, 0)).equals(contentOf(n, 12 * MIB)))
    assert.equal((await put(test, BUCKET, 'meanwhile', 'x')).status, 201)
    for (const client of stopped) client.hangUp()
    await eventually(() => assert.deepEqual(openContents(test.database.folder), []))
    const again = await Promise.all(
      [4, 5, 6, 7].map(async (n) => (await readAt(n, MIB, 0)).equals(contentOf(n, 12 * MIB)))
    )
    assert.deepEqual(again, [true, true, true, true])
  })

  it('readers that take nothing at all are dropped in the end', async () => {
    await put(test, BUCKET, 'huge', Buffer.alloc(HUGE_BYTES))
    const { client, socket } = await connection()
    await client.ask('GET', objectPath(BUCKET, 'huge'), { authorization })
    client.socket.pause()
    await eventually(() => socket.writableLength > 0)
    clock.advance(59_000)
    assert.equal(socket.destroyed, false)
    clock.advance(3000)
    assert.equal(socket.destroyed, true)
    await eventually(() => assert.deepEqual(openContents(test.database.folder), []))
    client.hangUp()
  })

  it('connections are kept for the next request, and closed when none comes', async () => {
    const { client, socket } = await connection()
    const listening = () => socket.listenerCount('timeout')
    const atFirst = listening()
    for (let n = 0; n < 3; n++) {
      await client.ask('GET', objectPath(BUCKET, 'large-0'), { authorization })
      await eventually(() => client.received.length > 12 * MIB)
    }
    await client.ask('PUT', objectPath(BUCKET, 'x'), { authorization, 'content-length': 1 }, 'x')
    assert.equal(client.status, 403)
    assert.equal(listening(), atFirst)
    await eventually(() =>
      assert.ok(Number(socket.timeout) >= 65_000 && Number(socket.timeout) < 70_000, String(socket.timeout))
    )
    client.hangUp()
  })
})
