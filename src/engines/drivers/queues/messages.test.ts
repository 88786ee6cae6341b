// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { jsonObject, jsonValue, MessageChunk, nameText, textOrBytes, timeText } from './messages.ts'

describe('the form of messages', () => {
  it('keeps every payload: as text where it is UTF-8, else as bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: ANY_CHARACTER }).map((text) => Buffer.from(text))
        ),
        (payload) => {
          const [text, bytes] = textOrBytes(payload)
          assert.equal((text === null) !== (bytes === null), true)
          assert.deepEqual(Buffer.from(bytes ?? Buffer.from(text ?? '')), Buffer.from(payload))
          const value = jsonValue(payload)
          const kept = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.base64, 'base64')
          assert.deepEqual(kept, Buffer.from(payload))
        }
      )
    )
  })

  it('makes JSON of any names, and lists of names that come several times', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '"', ''), fc.string())), (pairs) => {
        const read: [string, unknown][] = Object.entries(JSON.parse(jsonObject(pairs)))
        const flat = read.flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
        const byName = (name: string) => pairs.filter(([other]) => other === name)
        assert.deepEqual(flat, [...new Set(pairs.map(([name]) => name))].sort(order(read)).flatMap(byName))
      })
    )
    assert.equal(nameText(Buffer.from([0x61, 0xff, 0x0a])), 'a\\xff\\x0a')
  })

  it('writes times with microseconds, and none that columns can’t hold', () => {
    assert.equal(timeText(1763400000123, 45), '2025-11-17 17:20:00.123045')
    assert.equal(timeText(Date.UTC(9999, 11, 31, 23, 59, 59, 999)), '9999-12-31 23:59:59.999000')
    for (const ms of [-1, Date.UTC(10_000), Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(timeText(ms), null)
  })

  it('ends a chunk by its bytes and by its records', () => {
    const chunk = new MessageChunk()
    const message = { id: '1', time: null, topic: 't', key: null, headers: null, payload: Buffer.alloc(0) }
    for (let i = 0; i < 9999; i++) chunk.add(message)
    assert.equal(chunk.isFull, false)
    chunk.add(message)
    assert.equal(chunk.isFull, true)
    assert.equal(chunk.take('1').rows, 10_000)
    assert.equal(chunk.rows, 0)
    chunk.add({ ...message, payload: Buffer.alloc(5 << 20) })
    assert.equal(chunk.isFull, true)
  })
})

const order = (read: readonly [string, unknown][]) => {
  const names = read.map(([name]) => name)
  return (a: string, b: string) => names.indexOf(a) - names.indexOf(b)
}
