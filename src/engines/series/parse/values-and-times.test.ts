import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Instant, TIME_OUT_OF_RANGE, TIME_READ } from './instant.ts'
import { readIsoTime } from './iso-time.ts'
import { PlainValue, VALUE_READ } from './plain-value.ts'
import { NS_PER_DAY } from './points.ts'

const UNIT_NS = {
  ns: 1n,
  us: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n
} as const

const LAST_NS = 2n ** 63n - 2n

const nsOf = ({ day, ns }: Instant) => BigInt(day) * BigInt(NS_PER_DAY) + BigInt(ns)

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength })

test('a float is the number that its text is, however it is spelt', () => {
  const exponent = fc.integer({ min: -330, max: 308 }).map((power) => `e${power}`)
  const spelt = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(20),
        fc.constantFrom('', '.'),
        digits(20),
        fc.oneof(fc.constant(''), exponent)
      )
      .map((parts) => parts.join(''))
  )
  fc.assert(
    fc.property(spelt, (text) => {
      const value = new PlainValue()
      const status = value.read(Buffer.from(`${text}\n`), 0)
      if (status === VALUE_READ)
        assert.deepEqual([value.value, value.end, value.exact], [Number(text), text.length, undefined])
      else assert.ok(!Number.isFinite(Number(text)))
    }),
    { numRuns: 5000 }
  )
})

test('a time in any precision is the instant that it is', () => {
  const instant = new Instant()
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
      fc.constantFrom(...Object.entries(UNIT_NS)),
      (any, [unit, ns]) => {
        const number = any / ns
        instant.use(unit as keyof typeof UNIT_NS)
        const status = instant.read(Buffer.from(`${number}\n`), 0)
        const isIn = number * ns <= LAST_NS && number * ns >= -LAST_NS
        assert.equal(status, isIn ? TIME_READ : TIME_OUT_OF_RANGE)
        if (!isIn) return
        assert.equal(nsOf(instant), number * ns)
        assert.ok(instant.ns >= 0 && instant.ns < NS_PER_DAY)
      }
    ),
    { numRuns: 3000 }
  )
})

test('a time in milliseconds is the start of that millisecond', () => {
  const instant = new Instant()
  for (const ms of [0, 1, -1, -1001, 1_700_000_000_123]) {
    assert.ok(instant.setMs(ms))
    assert.equal(nsOf(instant), BigInt(ms) * 1_000_000n)
  }
})

test('dates and times with any offset are the instants that they name', () => {
  const instant = new Instant()
  const date = fc.date({ min: new Date('1678-01-01'), max: new Date('2262-01-01'), noInvalidDate: true })
  const zone = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  fc.assert(
    fc.property(date, zone, fc.integer({ min: 0, max: 999_999 }), fc.boolean(), (at, minutes, ns, colon) => {
      const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
        String(n).padStart(2, '0')
      )
      const text = `${local}${String(ns).padStart(6, '0')}${minutes < 0 ? '-' : '+'}${hours}${colon ? ':' : ''}${rest}`
      assert.equal(readIsoTime(text, instant), TIME_READ, text)
      assert.equal(nsOf(instant), BigInt(at.getTime()) * 1_000_000n + BigInt(ns), text)
    }),
    { numRuns: 1000 }
  )
})
