import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { Role } from '../../../engines/identity/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { PanelAnswer } from '../data/panels.ts'
import type { PanelData } from '../data/schema.ts'
import type { Content } from '../model/schema.ts'
import { Live } from './live.ts'

const somebody = (role: Role): Actor => ({ id: 'u', name: 'u', role, scopes: undefined, apiKeyId: undefined })

const turn = () => new Promise((resolve) => setImmediate(resolve))

function world(pending: readonly string[] = []) {
  const clock = new ManualClock()
  const panels = ['fast', 'slow', 'still'].map((id) => ({ id, type: 'text', title: id }))
  const refresh: Record<string, number | null> = { fast: 1, slow: 10, still: null }
  const content = {
    refreshSeconds: 1,
    panels: panels.map((panel) => ({ ...panel, refreshSeconds: refresh[panel.id] }))
  } as unknown as Content
  const state = {
    version: 1,
    isGone: false,
    isForEditors: false,
    pending: new Set(pending),
    values: { fast: 1, slow: 1, still: 1 } as Record<string, number>
  }
  const reads: string[] = []
  const caller: { now: () => Actor } = { now: () => somebody('viewer') }
  const live = new Live({
    clock,
    guard: async () => ({ masksFor: async () => new Map(), requireTags: async () => {} }),
    shown: async ({ role }) => {
      if (state.isGone || (state.isForEditors && role === 'viewer')) throw new Problem('not_found')
      return { id: 'd', version: state.version, content }
    },
    panels: {
      read: async (viewer, _shown, _request, ids = []) => {
        reads.push(...ids)
        viewer.requireLineage()
        return ids.map((panelId): PanelAnswer => {
          if (state.pending.has(panelId)) return { panelId, repeatValue: null, outcome: { pendingSinceMs: 0 } }
          const value = { text: Buffer.alloc(0), digest: String(state.values[panelId]), tags: [] }
          return { panelId, repeatValue: null, outcome: { answer: { value, readAtMs: 0 } } }
        })
      },
      dataOf: ({ panelId, outcome }) =>
        ({ panelId: 'pendingSinceMs' in outcome ? `${panelId} is pending` : panelId }) as PanelData
    }
  })
  const leaving = new AbortController()
  const followed = { id: 'd', panels: undefined, request: {} }
  const heard: string[] = []
  const ended = (async () => {
    const follower = { ip: '', headers: {}, id: '', callerNow: async () => caller.now() }
    for await (const { event, data } of live.follow(follower, followed, leaving.signal)) {
      heard.push(event === 'panel' ? (data as PanelData).panelId : event)
    }
  })()
  const hear = async (ms: number) => {
    heard.length = 0
    for (let passed = 0; passed < ms; passed += 1000) {
      clock.advance(1000)
      await turn()
    }
    await turn()
    return [...heard]
  }
  return { state, caller, reads, hear, ended, leaving, heard, live }
}

describe('a dashboard that is followed', () => {
  it('tells everything at first, then only what has changed, as often as panels say', async () => {
    const { state, reads, hear, heard, leaving, ended } = world()
    await turn()
    assert.deepEqual(heard, ['fast', 'slow', 'still'])
    assert.deepEqual(await hear(5000), [])
    state.values = { fast: 2, slow: 2, still: 2 }
    assert.deepEqual(await hear(1000), ['fast'])
    assert.deepEqual(await hear(4000), ['slow'])
    assert.equal(reads.filter((id) => id === 'still').length, 1)
    leaving.abort()
    await ended
  })

  it('tells what is there first, and what took longer when it is there', async () => {
    const { state, hear, heard, leaving, ended } = world(['slow'])
    await turn()
    assert.deepEqual(heard, ['fast', 'slow is pending', 'still'])
    state.values.fast = 2
    assert.deepEqual(await hear(2000), ['fast'])
    state.pending.clear()
    assert.deepEqual(await hear(1000), ['slow'])
    // What is shown stays until there is something newer.
    state.pending.add('slow')
    assert.deepEqual(await hear(11_000), [])
    state.pending.clear()
    state.values.slow = 2
    assert.deepEqual(await hear(1000), ['slow'])
    leaving.abort()
    await ended
  })

  it('ends when the dashboard is another one', async () => {
    const { state, hear, ended } = world()
    await turn()
    state.version = 2
    assert.deepEqual(await hear(1000), ['changed'])
    await ended
  })

  it('ends when it is gone or may not be seen any more', async () => {
    const { state, hear, ended } = world()
    await turn()
    state.isGone = true
    assert.deepEqual(await hear(1000), ['gone'])
    await ended
  })

  it('ends when its follower has lost the role that it is for', async () => {
    const { state, caller, hear, ended } = world()
    await turn()
    caller.now = () => somebody('editor')
    state.isForEditors = true
    assert.deepEqual(await hear(1000), [])
    caller.now = () => somebody('viewer')
    assert.deepEqual(await hear(1000), ['gone'])
    await ended
  })

  it('is read with the rights of now', async () => {
    const { caller, hear, leaving, ended } = world()
    await turn()
    caller.now = () => ({ ...somebody('viewer'), scopes: ['dashboards:read'] })
    assert.deepEqual(await hear(1000), ['fast'], 'which it is told that it can’t be seen any more')
    leaving.abort()
    await ended
  })

  it('ends when nobody is behind the token any more, before anything is read', async () => {
    const { caller, reads, hear, heard, ended } = world()
    await turn()
    reads.length = 0
    caller.now = () => {
      throw new Problem('invalid_token', { detail: 'The key was revoked.' })
    }
    const rejected = assert.rejects(ended, { code: 'invalid_token' })
    await hear(1000)
    await rejected
    assert.deepEqual([heard, reads], [[], []])
  })

  it('is refused for panels that it does not have', async () => {
    const { live, leaving, ended } = world()
    const asked = { id: 'd', panels: ['nobody'], request: {} }
    await assert.rejects(live.require(somebody('viewer'), asked), { code: 'not_found' })
    leaving.abort()
    await ended
  })
})
