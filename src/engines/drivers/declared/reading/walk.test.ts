// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../outgoing.ts'
import { Requests } from '../requests.ts'
import { entryOf } from '../testing/world.ts'
import { type WalkNeeds, walked } from './walk.ts'

const paging = { kind: 'page', param: 'page', size: 2 } as const
const stream = { path: '/things', records: 'data', paging }

describe('a walk through pages', () => {
  /** A walk, and the answers that it got so far, each of two records and with a text so long. */
  const begun = (length: number, isAhead = false) => {
    const answers: Answer[] = []
    const caller = {
      async call() {
        const first = 2 * answers.length
        const body = { data: [{ id: first }, { id: first + 1 }] }
        const answer: Answer = { status: 200, headers: {}, body, length }
        answers.push(answer)
        return answer
      }
    }
    const requests = new Requests(entryOf({ things: stream }), {}, undefined)
    const signal = new AbortController().signal
    const needs = { caller, requests, scope: {}, signal, isAhead } as unknown as WalkNeeds
    const walk = { chain: [{ stream, as: undefined }], since: undefined, endMs: 0, lists: [] }
    return { answers, pages: walked(walk, needs) }
  }

  it('holds nothing of a page while it waits for the next one', async () => {
    const { answers, pages } = begun(100)
    const first = (await pages.next()).value
    assert.deepEqual(first.records, [{ id: 0 }, { id: 1 }])
    assert.equal(answers[0]?.body, undefined)
    assert.equal(answers.length, 1)
    const second = (await pages.next()).value
    assert.deepEqual(first.records, [])
    assert.deepEqual(second.records, [{ id: 2 }, { id: 3 }])
    await pages.return(undefined)
    // Whoever leaves keeps the last one.
    assert.equal(second.records.length, 2)
  })

  it('asks for the next page while one is worked on, unless that is large', async () => {
    const [small, large] = [begun(100, true), begun(2 << 20, true)]
    for (const at of [0, 2, 4]) {
      assert.deepEqual((await small.pages.next()).value.records, [{ id: at }, { id: at + 1 }])
      assert.deepEqual((await large.pages.next()).value.records, [{ id: at }, { id: at + 1 }])
    }
    assert.deepEqual([small.answers.length, large.answers.length], [4, 3])
  })
})
