// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../outgoing.ts'
import { Requests } from '../requests.ts'
import { entryOf } from '../testing/world.ts'
import { type WalkNeeds, walked } from './walk.ts'

describe('a walk through pages', () => {
  it('holds nothing of a page while it waits for the next one', async () => {
    const paging = { kind: 'page', param: 'page', size: 2 } as const
    const stream = { path: '/things', records: 'data', paging }
    const answers: Answer[] = []
    const caller = {
      async call() {
        const first = 2 * answers.length
        const answer: Answer = { status: 200, headers: {}, body: { data: [{ id: first }, { id: first + 1 }] } }
        answers.push(answer)
        return answer
      }
    }
    const requests = new Requests(entryOf({ things: stream }), {}, undefined)
    const needs = { caller, requests, scope: {}, signal: new AbortController().signal } as unknown as WalkNeeds
    const walk = { chain: [{ stream, as: undefined }], since: undefined, endMs: 0, lists: [] }
    const pages = walked(walk, needs)
    const first = (await pages.next()).value
    assert.deepEqual(first.records, [{ id: 0 }, { id: 1 }])
    assert.equal(answers[0]?.body, undefined)
    const second = (await pages.next()).value
    assert.deepEqual(first.records, [])
    assert.deepEqual(second.records, [{ id: 2 }, { id: 3 }])
    await pages.return(undefined)
    // Whoever leaves keeps the last one.
    assert.equal(second.records.length, 2)
  })
})
