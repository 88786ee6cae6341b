import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { lookAfterChange, type Member, type Pace, tell } from './telling.ts'

const PACE: Pace = { waitMs: 10, intervalMs: 100, repeatMs: 1000, sendResolved: true }
const member = (more: Partial<Member>): Member => ({
  alertId: 'a',
  state: 'firing',
  told: null,
  isHeld: false,
  step: 0,
  ...more
})

describe('what a group tells', () => {
  const cases: readonly [what: string, member: Partial<Member>, kind: string | undefined][] = [
    ['one that fires', {}, 'firing'],
    ['one that fires and is known', { told: 'firing' }, undefined],
    ['one that somebody has taken on', { state: 'acknowledged', told: 'firing' }, 'acknowledged'],
    ['one that was taken on before anybody knew', { state: 'acknowledged' }, undefined],
    ['one that fires again after it was taken on', { told: 'acknowledged' }, 'firing'],
    ['one that is over', { state: 'resolved', told: 'firing' }, 'resolved'],
    ['one that was taken on and is over', { state: 'resolved', told: 'acknowledged' }, 'resolved'],
    ['one that may have been told', { told: 'tried' }, 'firing'],
    ['one that may have been told and is over', { state: 'resolved', told: 'tried' }, 'resolved'],
    ['one that came and went', { state: 'resolved' }, undefined],
    ['one that is held back', { isHeld: true }, undefined],
    ['one that is over although it is held back now', { state: 'resolved', told: 'firing', isHeld: true }, 'resolved'],
    ['one that nobody has taken on', { step: 2 }, 'escalation']
  ]
  for (const [what, more, kind] of cases) {
    it(`${kind ?? 'nothing'} of ${what}`, () => {
      assert.equal(tell([member(more)], PACE, null, 0).message?.kind, kind)
    })
  }

  it('is not over while something of it is open', () => {
    const over = member({ alertId: 'b', state: 'resolved', told: 'firing' })
    assert.deepEqual(tell([over, member({ told: 'firing' })], PACE, 0, 100).message, {
      kind: 'firing',
      alertIds: ['b', 'a']
    })
    const taken = member({ state: 'acknowledged', told: 'acknowledged' })
    assert.deepEqual(tell([over, taken], PACE, 0, 100).message, { kind: 'acknowledged', alertIds: ['b'] })
    assert.equal(tell([over, member({ isHeld: true })], PACE, 0, 100).message?.kind, 'resolved')
  })

  it('says nothing of an end where the channel does not want it, and is over then', () => {
    const over = member({ state: 'resolved', told: 'firing' })
    const told = tell([over], { ...PACE, sendResolved: false }, 0, 100)
    assert.deepEqual(told, { message: undefined, dropped: ['a'], nextMs: null, isOver: true })
  })
})

type Happening =
  | { readonly kind: 'fire' | 'acknowledge' | 'resolve' | 'hold' | 'release'; readonly alert: number }
  | { readonly kind: 'pass'; readonly ms: number }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fire', 'acknowledge', 'resolve', 'hold', 'release'),
    alert: fc.integer({ min: 0, max: 2 })
  }),
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 400 }) })
)

/** One group whose messages all arrive at once; the clock goes from look to look. */
class World {
  nowMs = 0
  toldMs: number | null = null
  nextMs: number | null = null
  readonly members = new Map<string, Member>()
  readonly messages: { atMs: number; kind: string; said: Map<string, string>; isRepeat: boolean }[] = []

  happens(one: Happening): void {
    if (one.kind === 'pass') {
      this.#passTo(this.nowMs + one.ms)
      return
    }
    const alertId = String(one.alert)
    const known = this.members.get(alertId)
    const state = known?.state ?? 'resolved'
    if (one.kind === 'fire' && state !== 'firing') this.#set(alertId, { state: 'firing' })
    if (one.kind === 'acknowledge' && state === 'firing') this.#set(alertId, { state: 'acknowledged' })
    if (one.kind === 'resolve' && state !== 'resolved') this.#set(alertId, { state: 'resolved' })
    // Silences come and go without a word to the group.
    if (known !== undefined && one.kind === 'hold') this.members.set(alertId, { ...known, isHeld: true })
    if (known !== undefined && one.kind === 'release') this.members.set(alertId, { ...known, isHeld: false })
  }

  #set(alertId: string, changed: Partial<Member>): void {
    this.members.set(alertId, { ...member({ alertId }), ...this.members.get(alertId), ...changed })
    const lookMs = lookAfterChange(PACE, this.toldMs, this.nowMs)
    this.nextMs = this.nextMs === null ? lookMs : Math.min(this.nextMs, lookMs)
  }

  #passTo(untilMs: number): void {
    while (this.nextMs !== null && this.nextMs <= untilMs) {
      this.nowMs = this.nextMs
      this.#look()
    }
    this.nowMs = untilMs
  }

  #look(): void {
    const { message, dropped, nextMs, isOver } = tell([...this.members.values()], PACE, this.toldMs, this.nowMs)
    for (const alertId of dropped) this.members.delete(alertId)
    if (isOver) this.toldMs = null
    this.nextMs = nextMs
    if (message === undefined) {
      assert.ok(nextMs === null || nextMs > this.nowMs, 'it looks again and again')
      return
    }
    const said = new Map(message.alertIds.map((id) => [id, (this.members.get(id) as Member).state]))
    const isRepeat = message.alertIds.every((id) => this.members.get(id)?.told === this.members.get(id)?.state)
    this.messages.push({ atMs: this.nowMs, kind: message.kind, said, isRepeat })
    for (const [id, state] of said) {
      if (state === 'resolved') this.members.delete(id)
      else this.members.set(id, { ...(this.members.get(id) as Member), told: state as 'firing' })
    }
    this.toldMs = this.nowMs
    this.nextMs = this.nowMs + PACE.intervalMs
  }
}

describe('whatever happens to a group', () => {
  const histories = fc.array(happening, { maxLength: 40 })

  it('its messages keep the interval, repeat at their time, and each says something', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = new World()
        for (const one of history) world.happens(one)
        for (const [index, { atMs, said, isRepeat, kind }] of world.messages.entries()) {
          const before = world.messages[index - 1]
          assert.ok(said.size > 0)
          if (before !== undefined) assert.ok(atMs - before.atMs >= PACE.intervalMs)
          if (isRepeat) {
            assert.ok(before !== undefined && atMs - before.atMs >= PACE.repeatMs)
            assert.equal(kind, 'firing')
          }
          if (kind === 'resolved') assert.ok([...said.values()].every((state) => state === 'resolved'))
        }
      }),
      { numRuns: 500 }
    )
  })

  it('the channel knows in the end how all alerts stand that are not held back', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = new World()
        for (const one of history) world.happens(one)
        world.happens({ kind: 'pass', ms: 2 * PACE.intervalMs + PACE.waitMs })
        const known = new Map<string, string>()
        for (const { said } of world.messages) for (const [id, state] of said) known.set(id, state)
        for (const [id, { state, isHeld }] of world.members) {
          assert.notEqual(state, 'resolved', 'what is over is told of, or forgotten')
          if (!isHeld && state === 'firing') assert.equal(known.get(id), 'firing')
          if (!isHeld && state === 'acknowledged') assert.notEqual(known.get(id), 'firing')
        }
        for (const [id, state] of known) if (!world.members.has(id)) assert.equal(state, 'resolved')
      }),
      { numRuns: 500 }
    )
  })

  it('nothing is repeated of what somebody has taken on', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const world = new World()
        for (const one of history) world.happens(one)
        for (const alert of [0, 1, 2]) world.happens({ kind: 'acknowledge', alert })
        world.happens({ kind: 'pass', ms: 2 * PACE.intervalMs + PACE.waitMs })
        const told = world.messages.length
        world.happens({ kind: 'pass', ms: 20 * PACE.repeatMs })
        assert.equal(world.messages.length, told)
      }),
      { numRuns: 300 }
    )
  })
})
