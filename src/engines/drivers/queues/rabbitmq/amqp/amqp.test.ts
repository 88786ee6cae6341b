// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { firstWanted } from '../offsets.ts'
import { readContentHeader } from './amqp-message.ts'
import { encodeFrame, type Frame, FrameCutter, MAX_FRAME_BYTES } from './frames.ts'
import { BadFrame, long, type Table, table, ValueReader } from './values.ts'

describe('what AMQP 0-9-1 sends', () => {
  it('is cut into the same frames wherever the network cuts it', () => {
    const frame = fc
      .tuple(fc.constantFrom(1, 2, 3, 8), fc.nat(0xffff), fc.uint8Array({ maxLength: 300 }))
      .map(([kind, channel, content]): Frame => ({ kind, channel, content: Buffer.from(content) }))
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (frames, cuts) => {
        const sent = Buffer.concat(frames.map(({ kind, channel, content }) => encodeFrame(kind, channel, content)))
        const cutter = new FrameCutter()
        const read: Frame[] = []
        for (let at = 0, cut = 0; at < sent.length; cut++) {
          const end = at + (cuts[cut % cuts.length] ?? 1)
          cutter.add(sent.subarray(at, end))
          for (let next = cutter.next(); next !== undefined; next = cutter.next()) read.push(next)
          at = end
        }
        assert.deepEqual(read, frames)
      })
    )
  })

  it('is refused where it is none', () => {
    const huge = encodeFrame(1, 0, Buffer.alloc(MAX_FRAME_BYTES + 1))
    const endless = encodeFrame(1, 0, Buffer.from('x'))
    endless[endless.length - 1] = 0
    for (const bytes of [huge, endless, Buffer.from('HTTP/1.1 400 Bad Request')]) {
      const cutter = new FrameCutter()
      cutter.add(bytes)
      assert.throws(() => cutter.next(), BadFrame)
    }
    let nested = table({})
    for (let depth = 0; depth < 1000; depth++) {
      const value = Buffer.concat([Buffer.from([1]), Buffer.from('aF'), nested])
      nested = Buffer.concat([long(value.length), value])
    }
    assert.throws(() => new ValueReader(nested).table(), BadFrame)
  })

  it('reads tables as they were written, and never beyond the bytes that are there', () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
    const { values } = fc.letrec<{ values: Table }>((tie) => ({
      values: fc.dictionary(fc.string({ maxLength: 20 }), fc.oneof({ maxDepth: 3 }, value, tie('values')))
    }))
    fc.assert(
      fc.property(values, (written) => {
        const bytes = table(written)
        assert.deepEqual(Object.fromEntries(new ValueReader(bytes).table()), asJson(written))
        assert.throws(() => new ValueReader(bytes.subarray(0, -1)).table(), BadFrame)
      })
    )
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const read of [
          () => new ValueReader(Buffer.from(bytes)).table(),
          () => readContentHeader(Buffer.from(bytes))
        ])
          try {
            read()
          } catch (error) {
            assert.ok(error instanceof BadFrame, String(error))
          }
      })
    )
  })
})

const asJson = (written: Table): object =>
  Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      if (typeof value === 'object') return [name, asJson(value)]
      if (typeof value !== 'bigint') return [name, value]
      return [name, Number.isSafeInteger(Number(value)) ? Number(value) : String(value)]
    })
  )

describe('positions in a stream of RabbitMQ', () => {
  it('lead to the next offset, and to the beginning of a stream that is shorter', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (after, last) => {
        assert.equal(firstWanted(String(after), last), after > last ? 0 : after + 1)
      })
    )
    assert.equal(firstWanted(null, 9), 0)
  })

  it('are refused where they are none', () => {
    for (const after of ['', '-1', '1.5', 'x', '1-0', '9007199254740993']) {
      assert.throws(() => firstWanted(after, 10), { code: 'bad_request' }, after)
    }
  })
})
