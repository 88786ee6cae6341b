import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Problem } from '../errors.ts'
import { Intake } from './intake.ts'

const MAX_BYTES = 1000

const bodyOf = (id: string, bytes: number) => ({
  raw: Object.assign(Readable.from([Buffer.alloc(bytes)]), { headers: {} }) as unknown as IncomingMessage,
  actor: { id }
})

it('bodies of one caller fill half of the room, and leave the rest to others', async () => {
  const intake = new Intake({ maxBytes: MAX_BYTES, tooLarge: 'Less.', busy: 'series_busy' })
  const held = Promise.withResolvers<void>()
  const underWay = Array.from({ length: 6 }, () => intake.take(bodyOf('ada', MAX_BYTES), () => held.promise))
  await new Promise((resolve) => setImmediate(resolve))
  await assert.rejects(
    intake.take(bodyOf('ada', 1), async () => {}),
    { code: 'series_busy' }
  )
  assert.equal(await intake.take(bodyOf('bob', MAX_BYTES), async ({ length }) => length), MAX_BYTES)
  held.resolve()
  await Promise.all(underWay)
  assert.equal(await intake.take(bodyOf('ada', 1), async ({ length }) => length), 1)
})

it('a body that is too large, or is refused, gives its room back', async () => {
  const intake = new Intake({ maxBytes: MAX_BYTES, tooLarge: 'Less.', busy: 'series_busy' })
  for (let time = 0; time < 20; time++) {
    await assert.rejects(
      intake.take(bodyOf('ada', MAX_BYTES + 1), async () => {}),
      { code: 'payload_too_large' }
    )
    const refuse = async () => {
      throw new Error('no')
    }
    await assert.rejects(intake.take(bodyOf('ada', MAX_BYTES), refuse), /no/)
  }
})

const packedBodyOf = (id: string, body: Uint8Array, headers: Record<string, string> = {}) => {
  const pieces = Array.from({ length: Math.ceil(body.length / 100) }, (_, at) =>
    body.subarray(at * 100, at * 100 + 100)
  )
  return {
    raw: Object.assign(Readable.from(pieces), {
      headers: { 'content-encoding': 'gzip', ...headers }
    }) as unknown as IncomingMessage,
    actor: { id }
  }
}

describe('packed bodies', () => {
  const open = () => new Intake({ maxBytes: MAX_BYTES, tooLarge: 'Less.', busy: 'series_busy' })
  const content = async (body: Uint8Array) => Buffer.from(body)
  const text = Buffer.from('ab'.repeat(MAX_BYTES * 2))

  it('are unpacked where somebody wants that, and left alone otherwise', async () => {
    const packed = gzipSync(text)
    assert.deepEqual(await open().take(packedBodyOf('ada', packed), content, 4), text)
    assert.deepEqual(await open().take(packedBodyOf('ada', packed), content), packed)
    const members = Buffer.concat([gzipSync('a'), gzipSync('b')])
    assert.deepEqual(await open().take(packedBodyOf('ada', members), content, 4), Buffer.from('ab'))
    assert.deepEqual(await open().take(packedBodyOf('ada', gzipSync('')), content, 4), Buffer.alloc(0))
  })

  it('may unpack to so many times what may be sent, and are given up where they pass that', async () => {
    const exact = Buffer.alloc(MAX_BYTES * 4)
    assert.equal((await open().take(packedBodyOf('ada', gzipSync(exact)), content, 4)).length, exact.length)
    const intake = open()
    // Far more than fits: whoever unpacked it first would not see the end of this test.
    const part = gzipSync(Buffer.alloc(64 << 20))
    const bomb = packedBodyOf('ada', part.subarray(0, MAX_BYTES))
    await assert.rejects(
      intake.take(bomb, content, 4),
      ({ code, detail }: Problem) => code === 'payload_too_large' && /4000 bytes.*divide/.test(detail ?? '')
    )
    assert.equal((await intake.take(packedBodyOf('ada', gzipSync(exact)), content, 4)).length, exact.length)
    await assert.rejects(intake.take(packedBodyOf('ada', gzipSync(text)), content, 1), { code: 'payload_too_large' })
  })

  it('count as they are unpacked', async () => {
    const intake = open()
    const held = Promise.withResolvers<void>()
    const large = () => packedBodyOf('ada', gzipSync(Buffer.alloc(MAX_BYTES * 4)))
    const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const underWay = entered.map(({ resolve }) =>
      intake.take(
        large(),
        () => {
          resolve()
          return held.promise
        },
        4
      )
    )
    await Promise.all(entered.map(({ promise }) => promise))
    await assert.rejects(
      intake.take(large(), async () => {}, 4),
      { code: 'series_busy' }
    )
    assert.equal(await intake.take(bodyOf('bob', MAX_BYTES), async ({ length }) => length), MAX_BYTES)
    held.resolve()
    await Promise.all(underWay)
  })

  it('are refused where they are no gzip, are cut off or damaged', async () => {
    const packed = gzipSync(text)
    const damaged = Buffer.from(packed)
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] as number) ^ 1
    for (const body of [text.subarray(0, 500), packed.subarray(0, -4), damaged, Buffer.alloc(0)]) {
      await assert.rejects(open().take(packedBodyOf('ada', body), content, 4), { code: 'malformed_points' })
    }
  })

  it('whose sender has gone are incomplete, not malformed', async () => {
    const raw = Object.assign(
      Readable.from(
        (async function* () {
          yield gzipSync(text).subarray(0, 20)
          throw new Error('aborted')
        })()
      ),
      { headers: { 'content-encoding': 'gzip' } }
    ) as unknown as IncomingMessage
    await assert.rejects(open().take({ raw, actor: { id: 'ada' } }, content, 4), { code: 'body_incomplete' })
  })
})
