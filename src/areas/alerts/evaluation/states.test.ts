import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Entry, naiveStates } from '../testing/naive-states.ts'
import {
  ERROR_MODES,
  type Instance,
  type Manners,
  NO_DATA_MODES,
  type Reading,
  silenced,
  step,
  unseen
} from './states.ts'

const PLAIN: Manners = { forMs: 0, keepFiringForMs: 0, noData: 'nodata', noDataForMs: 0, onError: 'error' }
const met: Reading = { kind: 'value', value: 9, isMet: true }
const clear: Reading = { kind: 'value', value: 1, isMet: false }

const spans = fc.constantFrom(0, 10, 20, 45)
const manners: fc.Arbitrary<Manners> = fc.record({
  forMs: spans,
  keepFiringForMs: spans,
  noData: fc.constantFrom(...NO_DATA_MODES),
  noDataForMs: spans,
  onError: fc.constantFrom(...ERROR_MODES)
})
const readings: fc.Arbitrary<Reading> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(met) },
  { weight: 3, arbitrary: fc.constant(clear) },
  { weight: 2, arbitrary: fc.constant<Reading>({ kind: 'noData' }) },
  { weight: 2, arbitrary: fc.constant<Reading>({ kind: 'error', cause: 'away' }) },
  { weight: 2, arbitrary: fc.constant<Reading>({ kind: 'vanished' }) }
)

/** Evaluations at times that stall, jump and come late, by a rule that is edited now and then. */
const histories: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record({
      passedMs: fc.constantFrom(0, 10, 10, 10, 30, 100),
      reading: readings,
      times: fc.integer({ min: 1, max: 4 }),
      edited: fc.option(manners, { freq: 8 }),
      isResolved: fc.boolean()
    }),
    { minLength: 1, maxLength: 25 }
  )
  .chain((parts) => manners.map((first) => ({ parts, first })))
  .map(({ parts, first }) => {
    let [atMs, current] = [1000, first]
    return parts.flatMap(({ passedMs, reading, times, edited, isResolved }, part) => {
      current = edited ?? current
      const evaluations = Array.from({ length: times }, (): Entry => {
        atMs += passedMs
        return { kind: 'evaluation', atMs, reading, manners: current }
      })
      return isResolved && part % 5 === 0 ? [...evaluations, { kind: 'resolve', atMs } as Entry] : evaluations
    })
  })

function replay(history: readonly Entry[]) {
  let instance: Instance | undefined
  return history.map((entry) => {
    const before: Instance = instance ?? unseen(entry.atMs)
    if (entry.kind === 'resolve') {
      if (before.isOpen) instance = silenced(before, entry.atMs)
      return { ...shown(instance ?? before), isThere: true, change: undefined }
    }
    const after = step(before, entry.reading, entry.atMs, entry.manners)
    instance = after.instance
    return { ...shown(instance ?? unseen(0)), isThere: instance !== undefined, change: after.change }
  })
}

const shown = ({ state, isOpen, isQuiet }: Instance) => ({ state, isOpen, isQuiet })

describe('the states of an instance', () => {
  it('are those that the whole history gives', () => {
    fc.assert(
      fc.property(histories, (history) => {
        assert.deepEqual(replay(history), naiveStates(history))
      }),
      { numRuns: 2000 }
    )
  })

  it('fire and resolve in turns, however it flaps', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const kinds = replay(history).flatMap(({ change }, at) =>
          history[at]?.kind === 'resolve' ? ['by hand' as const] : change === undefined ? [] : [change.kind]
        )
        let isOpen = false
        for (const kind of kinds) {
          if (kind === 'by hand') isOpen = false
          else {
            assert.equal(kind === 'fired', !isOpen)
            isOpen = kind === 'fired'
          }
        }
      })
    )
  })

  it('wait no longer than they should after a clock was set back', () => {
    const rule = { ...PLAIN, forMs: 30 }
    const { instance } = step(unseen(10_000), met, 10_000, rule)
    const back = step(instance as Instance, met, 1000, rule)
    assert.equal(back.instance?.state, 'pending')
    assert.deepEqual(step(back.instance as Instance, met, 1030, rule).change, { kind: 'fired' })
  })

  it('keep an alert open while nothing is known', () => {
    const fired = step(unseen(0), met, 0, PLAIN).instance as Instance
    const unknown = step(fired, { kind: 'noData' }, 10, PLAIN)
    assert.deepEqual([unknown.instance?.state, unknown.instance?.isOpen, unknown.change], ['nodata', true, undefined])
    const again = step(unknown.instance as Instance, met, 20, PLAIN)
    assert.deepEqual([again.instance?.state, again.change], ['firing', undefined])
  })

  it('stay silent after somebody has resolved, until the condition was false once', () => {
    const fired = step(unseen(0), met, 0, PLAIN).instance as Instance
    let quiet: Instance = silenced(fired, 5)
    for (const reading of [met, { kind: 'noData' }, met] as const) {
      const after = step(quiet, reading, 10, PLAIN)
      assert.equal(after.change, undefined)
      quiet = after.instance as Instance
    }
    const cleared = step(quiet, clear, 20, PLAIN).instance as Instance
    assert.deepEqual(step(cleared, met, 30, PLAIN).change, { kind: 'fired' })
  })
})
