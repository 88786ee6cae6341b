import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MAX_WAITING, ON_TIME_MS, SLOW_MS } from '../limits.ts'
import { CATCH_UPS, OVERLAPS } from '../migrations.ts'
import { type Decision, type DueRule, decide, type FiredDue, type UnderWay } from './decide.ts'

const NOW = Date.parse('2026-06-01T12:00:00.000Z')
const MINUTE = 60_000
const NOTHING: UnderWay = { regular: undefined, recovery: undefined, waiting: 0 }
const RULE: DueRule = { enabled: true, overlap: 'skip', catchUp: 'last', catchUpWindowMs: 60 * MINUTE }

const dueAgo = (...minutes: number[]): FiredDue[] =>
  minutes.map((ago) => ({ atMs: NOW - ago * MINUTE, fireMs: NOW - ago * MINUTE }))

const inWords = ({ state, ...more }: Decision) => {
  if (state !== 'queued') return `${state}: ${'code' in more ? more.code : ''}`
  return `${more.caughtUp ? 'caught up, ' : ''}${'starts' in more && more.starts ? 'starts' : 'waits'}`
}

const decided = (dues: readonly FiredDue[], rule: Partial<DueRule>, underWay: Partial<UnderWay> = {}) =>
  decide(dues, { ...RULE, ...rule }, { ...NOTHING, ...underWay }, NOW).decisions.map(inWords)

describe('due times that no server was there for', () => {
  const dues = dueAgo(120, 50, 30, 10)

  test('none of them runs', () => {
    assert.deepEqual(decided(dues, { catchUp: 'none' }), Array(4).fill('missed: outage'))
  })
  test('the last of them runs', () => {
    const before = ['missed: catch_up_window', 'missed: superseded', 'missed: superseded']
    assert.deepEqual(decided(dues, { catchUp: 'last' }), [...before, 'caught up, starts'])
  })
  test('the last of them does not run beside one that is on time', () => {
    const late = ['missed: catch_up_window', ...Array(3).fill('missed: superseded')]
    assert.deepEqual(decided([...dues, ...dueAgo(0)], { catchUp: 'last' }), [...late, 'starts'])
  })
  test('all of them run that are within the window, one after the other', () => {
    const caughtUp = ['caught up, starts', 'caught up, waits', 'caught up, waits']
    assert.deepEqual(decided(dues, { catchUp: 'all' }), ['missed: catch_up_window', ...caughtUp])
  })
  test('in the last minute are caught up on too, but for the newest, which is on time', () => {
    const recent = dueAgo(0.6, 0.5, 0.4, 0.3)
    assert.deepEqual(decided(recent, { catchUp: 'all' }), [...Array(3).fill('caught up, waits'), 'starts'])
    for (const overlap of OVERLAPS) {
      const missed = Array(3).fill('missed: superseded')
      assert.deepEqual(decided(recent, { catchUp: 'last', overlap }), [...missed, 'starts'])
      assert.deepEqual(decided(recent, { catchUp: 'none', overlap }), [...Array(3).fill('missed: outage'), 'starts'])
    }
  })
  test('what is on time goes first', () => {
    const late = ['missed: catch_up_window', ...Array(3).fill('caught up, waits')]
    assert.deepEqual(decided([...dues, ...dueAgo(0)], { catchUp: 'all' }), [...late, 'starts'])
  })
})

describe('a due time while another run is under way', () => {
  const regular = { regular: 'the run sr_1' }
  const recovery = { recovery: 'the run sr_1' }

  test('is skipped, waits, runs beside it, or has it cancelled', () => {
    const outcomes = OVERLAPS.map((overlap) => [overlap, ...decided(dueAgo(0), { overlap }, regular)])
    assert.deepEqual(outcomes, [
      ['skip', 'skipped: overlap'],
      ['queue', 'waits'],
      ['allow', 'starts'],
      ['cancel', 'waits']
    ])
    const cancels = OVERLAPS.map(
      (overlap) => decide(dueAgo(0), { ...RULE, overlap }, { ...NOTHING, ...regular }, NOW).cancels
    )
    assert.deepEqual(cancels, [false, false, false, true])
  })
  test('never yields to what is caught up on', () => {
    assert.deepEqual(decided(dueAgo(0), { overlap: 'skip' }, recovery), ['waits'])
  })
  test('is skipped where too many wait', () => {
    assert.deepEqual(decided(dueAgo(0), { overlap: 'queue' }, { ...regular, waiting: MAX_WAITING }), [
      'skipped: queue_full'
    ])
  })
  test('of several at once, one runs', () => {
    assert.deepEqual(decided(dueAgo(0.15, 0.1, 0), { overlap: 'skip' }), [
      'skipped: overlap',
      'skipped: overlap',
      'starts'
    ])
    assert.deepEqual(decided(dueAgo(0.15, 0.1, 0), { overlap: 'cancel' }), [
      'skipped: overlap',
      'skipped: overlap',
      'starts'
    ])
    assert.deepEqual(decided(dueAgo(0.15, 0.1, 0), { overlap: 'queue' }), ['starts', 'waits', 'waits'])
  })
})

test('a paused schedule runs nothing, and neither does an excluded due time', () => {
  assert.deepEqual(decided(dueAgo(5, 0), { enabled: false }), ['skipped: paused', 'skipped: paused'])
  const [due] = dueAgo(0) as [FiredDue]
  assert.deepEqual(decided([{ ...due, excluded: 'Christmas' }], {}), ['skipped: excluded'])
})

test('what was overtaken is not missed, also where the window of what is caught up on is shorter', () => {
  const dues = [1, 0].map((ago) => ({ atMs: NOW - ago, fireMs: NOW - ago }))
  assert.deepEqual(decided(dues, { overlap: 'skip', catchUp: 'all', catchUpWindowMs: 0 }), [
    'skipped: overlap',
    'starts'
  ])
})

const someDues = fc
  .array(fc.record({ ago: fc.integer({ min: 0, max: 200 * MINUTE }), isExcluded: fc.boolean() }), { maxLength: 30 })
  .map((dues) =>
    dues
      .map(({ ago, isExcluded }) => ({
        atMs: NOW - ago,
        fireMs: NOW - ago,
        ...(isExcluded && { excluded: 'a holiday' })
      }))
      .sort((a, b) => a.atMs - b.atMs)
  )
const someRule = fc.record({
  enabled: fc.boolean(),
  overlap: fc.constantFrom(...OVERLAPS),
  catchUp: fc.constantFrom(...CATCH_UPS),
  catchUpWindowMs: fc.integer({ min: 0, max: 300 * MINUTE })
})
const someRuns = fc.record({
  regular: fc.constantFrom(undefined, 'the run sr_1'),
  recovery: fc.constantFrom(undefined, 'the run sr_2'),
  waiting: fc.nat(3)
})

test('whatever is due, each due time gets one decision, and no rule is broken', () => {
  fc.assert(
    fc.property(someDues, someRule, someRuns, (dues, rule, underWay) => {
      const { decisions, cancels } = decide(dues, rule, underWay, NOW)
      assert.deepEqual(
        decisions.map(({ due }) => due),
        dues
      )
      const queued = decisions.filter(({ state }) => state === 'queued')
      const starting = queued.filter((decision) => 'starts' in decision && decision.starts)
      for (const { due } of queued) assert.ok(rule.enabled && due.excluded === undefined)
      const newest = rule.enabled ? dues.findLast(({ excluded }) => excluded === undefined) : undefined
      for (const { due, caughtUp } of queued) if (due.fireMs < NOW - ON_TIME_MS) assert.ok(caughtUp)
      for (const { due, state } of decisions) if (state === 'missed') assert.ok(due.fireMs < NOW - SLOW_MS)
      // Whatever else is missed, what is due now is not, and everything is caught up on where that is wanted.
      for (const decision of decisions) {
        if (decision.due === newest && NOW - newest.fireMs <= ON_TIME_MS)
          assert.ok(decision.state !== 'missed' && !decision.caughtUp)
        const isRecent = NOW - decision.due.fireMs <= rule.catchUpWindowMs
        if (rule.catchUp === 'all' && isRecent) assert.ok(decision.state !== 'missed')
      }
      if (rule.overlap !== 'allow') {
        const isFree = underWay.regular === undefined && underWay.recovery === undefined
        assert.ok(starting.length <= (isFree ? 1 : 0))
        assert.equal(isFree && queued.length > 0, starting.length === 1)
      }
      const caughtUp = queued.filter((decision) => decision.caughtUp)
      if (rule.catchUp === 'none') assert.equal(caughtUp.length, 0)
      if (rule.catchUp === 'last') assert.ok(caughtUp.length <= 1)
      for (const { due } of caughtUp) assert.ok(NOW - due.fireMs <= rule.catchUpWindowMs)
      if (cancels) assert.equal(rule.overlap, 'cancel')
    })
  )
})
