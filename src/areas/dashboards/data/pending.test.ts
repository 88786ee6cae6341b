import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { Content, Panel } from '../model/schema.ts'
import { Panels } from './panels.ts'
import type { Question, SqlQuestion } from './question.ts'
import type { Reading } from './reader.ts'
import { Variables } from './variables.ts'
import type { Viewer } from './viewer.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

const viewer: Viewer = {
  requireRead() {},
  requireLineage() {},
  requireTags: async () => {},
  masksFor: async () => new Map()
}

/** Panels whose names say which of them are slow: these are read when the test ends them. */
function world(names: readonly string[], more: Partial<Content> = {}) {
  const clock = new ManualClock()
  const log = { error() {} }
  const slow = new Map<string, { end(): void; fail(error: Error): void; signal: AbortSignal }>()
  const asked: string[] = []
  const wait = (name: string, signal: AbortSignal) => {
    asked.push(name)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (name.startsWith('slow')) slow.set(name, { end: resolve, fail: reject, signal })
    else resolve()
    return promise
  }
  const nothing: Reading = { from: '', to: '', frames: [], reduced: null, truncated: false, masked: [], tags: [] }
  const reader = {
    read: async (question: Question, _sight: unknown, signal: AbortSignal) => {
      await wait((question as SqlQuestion).sql, signal)
      return nothing
    },
    rows: async ({ sql }: { sql: string }, ...[, , , signal]: [unknown, unknown, unknown, AbortSignal]) => {
      await wait(sql, signal)
      return { columns: [], rows: [['1']], truncated: false, reduced: null }
    }
  }
  const variables = new Variables({ clock, log, reader })
  const panels = new Panels({ clock, log, reader, variables })
  const content: Content = {
    ...{ name: 'x', description: '', folder: '', tags: [], links: [], timeZone: 'UTC', variables: [] },
    ...{ timeRange: { from: '-1h', to: 'now' }, refreshSeconds: null },
    panels: names.map((id): Panel => {
      const query = { reference: 'object://b/k.csv', sql: id }
      return { id, title: id, type: 'table', position: { x: 0, y: 0, w: 6, h: 4 }, query }
    }),
    ...more
  }
  const look = async (waitMs?: number, leaving = new AbortController()) => {
    const shown = { id: 'd', version: 1, content }
    const answers = await panels.read(viewer, shown, { waitMs }, undefined, leaving.signal)
    return answers.map((answer) => panels.dataOf(answer))
  }
  /** Looks, and lets time pass until the answer comes. */
  const lookFor = async (waitMs: number) => {
    const looking = look(waitMs)
    for (let passed = 0; passed < waitMs; passed += 500) {
      await turn()
      clock.advance(500)
    }
    return looking
  }
  return { clock, slow, asked, look, lookFor }
}

const stateOf = (data: readonly { panelId: string; status: string }[]) =>
  Object.fromEntries(data.map(({ panelId, status }) => [panelId, status]))

describe('a slow panel', () => {
  it('is pending for who does not wait for it, and found by who comes back', async () => {
    const { clock, slow, asked, look, lookFor } = world(['a', 'slow', 'b'])
    const first = await lookFor(2000)
    assert.deepEqual(stateOf(first), { a: 'ok', slow: 'pending', b: 'ok' })
    assert.equal(first[1]?.pendingSince, '2026-01-01T00:00:00.000Z')
    assert.deepEqual([first[1]?.frames, first[1]?.error], [[], null])
    const second = await lookFor(2000)
    assert.equal(second[1]?.pendingSince, '2026-01-01T00:00:00.000Z')
    clock.advance(20_000)
    slow.get('slow')?.end()
    await turn()
    clock.advance(5000)
    assert.deepEqual(stateOf(await look(2000)), { a: 'ok', slow: 'ok', b: 'ok' })
    assert.equal(asked.filter((name) => name === 'slow').length, 1)
  })

  it('is waited for by who does not say how long', async () => {
    const { clock, slow, look } = world(['a', 'slow'])
    const looking = look()
    await turn()
    clock.advance(29_000)
    slow.get('slow')?.end()
    assert.deepEqual(stateOf(await looking), { a: 'ok', slow: 'ok' })
  })

  it('holds up none that come after it, however many are slow before them', async () => {
    const names = Array.from({ length: 7 }, (_, n) => `slow ${n}`)
    const { lookFor } = world([...names, 'a', 'b', 'c'])
    const data = await lookFor(3000)
    assert.deepEqual(
      data.filter(({ status }) => status === 'ok').map(({ panelId }) => panelId),
      ['a', 'b', 'c']
    )
  })

  it('tells who comes back that it failed', async () => {
    const { slow, look, lookFor } = world(['slow'])
    await lookFor(1000)
    slow.get('slow')?.fail(new Error('no'))
    await turn()
    assert.deepEqual(stateOf(await look(1000)), { slow: 'error' })
  })

  it('ends when nobody comes back for a minute', async () => {
    const { clock, slow, lookFor } = world(['slow'])
    await lookFor(1000)
    clock.advance(59_999)
    assert.equal(slow.get('slow')?.signal.aborted, false)
    clock.advance(1)
    await turn()
    assert.equal(slow.get('slow')?.signal.aborted, true)
  })

  it('ends with whoever leaves before the answer', async () => {
    const { slow, look } = world(['slow'])
    const leaving = new AbortController()
    const looking = look(5000, leaving)
    await turn()
    leaving.abort(new Error('gone'))
    await assert.rejects(looking, /gone/)
    await turn()
    assert.equal(slow.get('slow')?.signal.aborted, true)
  })
})

describe('a slow variable', () => {
  it('lets panels be pending, and is found by who comes back', async () => {
    const query = { reference: 'object://b/k.csv', sql: 'slow values' }
    const { slow, asked, look, lookFor } = world(['a'], { variables: [{ name: 'v', type: 'query', query }] })
    assert.deepEqual(stateOf(await lookFor(1000)), { a: 'pending' })
    slow.get('slow values')?.end()
    await turn()
    assert.deepEqual(stateOf(await look(1000)), { a: 'ok' })
    assert.equal(asked.filter((name) => name === 'slow values').length, 1)
  })
})
