import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { systemClock, toIso } from './clock.ts'

test('ISO times are right in any order of asking', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 5 })), (times) => {
      for (const ms of times) assert.equal(toIso(ms), new Date(ms).toISOString())
    })
  )
})

test('the system clock tells the time', () => {
  const before = Date.now()
  const now = systemClock.now()
  const iso = systemClock.iso()
  const after = Date.now()
  assert.ok(before <= now && now <= after)
  assert.match(iso, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(before <= Date.parse(iso) && Date.parse(iso) <= after)
})

test('the system clock calls back once, and not when cancelled', async () => {
  let cancelled = 0
  const cancel = systemClock.after(1, () => cancelled++)
  cancel()
  // A pending timer does not keep the process alive, so this one has to.
  const alive = setInterval(() => {}, 1000)
  await new Promise<void>((resolve) => systemClock.after(5, resolve))
  clearInterval(alive)
  assert.equal(cancelled, 0)
})

test('a pending timer of the system clock lets the process end', () => {
  const script = `import { systemClock } from ${JSON.stringify(import.meta.resolve('./clock.ts'))}
    systemClock.after(3_600_000, () => {})`
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 })
})

test('the manual clock stands still until it is moved', () => {
  const clock = new ManualClock('2026-03-01T12:00:00.000Z')
  assert.equal(clock.now(), Date.parse('2026-03-01T12:00:00.000Z'))
  clock.advance(1500)
  assert.equal(clock.iso(), '2026-03-01T12:00:01.500Z')
})

test('its timers fire in the order of their times, and at equal times in the order they were set', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), fc.nat({ max: 20 }), (delays, advanceMs) => {
      const clock = new ManualClock()
      const start = clock.now()
      const fired: { delay: number; at: number }[] = []
      delays.forEach((delay, at) => {
        clock.after(delay, () => {
          assert.equal(clock.now(), start + delay)
          fired.push({ delay, at })
        })
      })
      clock.advance(advanceMs)
      const due = delays.map((delay, at) => ({ delay, at })).filter(({ delay }) => delay <= advanceMs)
      assert.deepEqual(
        fired,
        due.toSorted((a, b) => a.delay - b.delay || a.at - b.at)
      )
      assert.equal(clock.now(), start + advanceMs)
      clock.advance(0)
      assert.equal(fired.length, due.length)
    })
  )
})

test('a timer set by a timer fires in the same move when its time is passed too', () => {
  const clock = new ManualClock()
  const start = clock.now()
  const ticks: number[] = []
  const tick = () => {
    ticks.push(clock.now() - start)
    clock.after(10, tick)
  }
  clock.after(10, tick)
  clock.advance(35)
  assert.deepEqual(ticks, [10, 20, 30])
  clock.advance(5)
  assert.deepEqual(ticks, [10, 20, 30, 40])
})

test('a cancelled timer does not fire, even when another one cancels it on the way', () => {
  const clock = new ManualClock()
  const fired: string[] = []
  const cancelFirst = clock.after(1, () => fired.push('first'))
  const cancelLast = clock.after(3, () => fired.push('last'))
  clock.after(2, () => {
    fired.push('middle')
    cancelLast()
  })
  cancelFirst()
  clock.advance(10)
  assert.deepEqual(fired, ['middle'])
})
