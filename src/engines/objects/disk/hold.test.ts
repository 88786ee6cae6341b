import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { HOLD_LIMIT_MS, isHeld, takeHold } from './hold.ts'
import { type Layout, layoutOf } from './layout.ts'

describe('the hold on a store', () => {
  let layout: Layout

  beforeEach(() => {
    layout = layoutOf(mkdtempSync(join(tmpdir(), 'millrace-hold-')))
  })
  afterEach(() => rmSync(layout.folder, { recursive: true }))

  const age = (ms: number) => {
    const time = new Date(Date.now() - ms)
    utimesSync(layout.hold, time, time)
  }

  it('stands until it is released', () => {
    const release = takeHold(layout)
    assert.ok(isHeld(layout))
    release()
    assert.ok(!existsSync(layout.hold))
  })

  it('ends by itself when nobody renews it, and does not hinder the next', () => {
    takeHold(layout) // never released, as if the process had been killed
    age(HOLD_LIMIT_MS + 1000)
    assert.ok(!isHeld(layout))
    const release = takeHold(layout)
    assert.ok(isHeld(layout))
    release()
    assert.ok(!existsSync(layout.hold))
  })

  it('is renewed while it is needed', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const release = takeHold(layout)
    age(HOLD_LIMIT_MS - 1000)
    t.mock.timers.tick(HOLD_LIMIT_MS / 2)
    assert.ok(Date.now() - statSync(layout.hold).mtimeMs < HOLD_LIMIT_MS / 2)
    release()
    t.mock.timers.tick(HOLD_LIMIT_MS)
    assert.ok(!existsSync(layout.hold))
  })

  for (const order of ['first', 'second'] as const) {
    it(`outlasts the ${order} of two copies that is done before the other`, () => {
      const [first, second] = [takeHold(layout), takeHold(layout)]
      const [early, late] = order === 'first' ? [first, second] : [second, first]
      early()
      assert.ok(isHeld(layout))
      late()
    })
  }

  it('is left to a copy that has renewed it since', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const first = takeHold(layout)
    age(HOLD_LIMIT_MS + 1000) // so the second takes the first for dead
    const second = takeHold(layout)
    t.mock.timers.tick(HOLD_LIMIT_MS / 6)
    second()
    assert.ok(isHeld(layout))
    first()
  })
})
