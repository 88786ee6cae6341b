import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineageRequest, notSent, sentBy } from './sending.ts'
import { eventOf, type RunEvent } from './writing.ts'

const NOW_MS = Date.UTC(2026, 10, 17, 4)

const event = eventOf(
  {
    job: { reference: 'job://pipeline/pl_1' },
    run: { id: 'run_1', state: 'completed', timeMs: NOW_MS, isWhole: true },
    inputs: [],
    outputs: [],
    columns: [],
    provenance: { how: 'captured', who: 'pipelines' }
  },
  { producer: 'https://example.org/millrace', isFirst: true }
) as RunEvent

describe('an event on its way to a collector', () => {
  it('is a POST of JSON, with the key where there is one', () => {
    assert.deepEqual(lineageRequest({ url: 'https://collector.example.org', key: 'k1' }, event), {
      url: 'https://collector.example.org/api/v1/lineage',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k1' },
      body: JSON.stringify(event)
    })
    const { headers } = lineageRequest({ url: 'https://collector.example.org' }, event)
    assert.deepEqual(headers, { 'content-type': 'application/json' })
  })

  it('goes to the path that is given', () => {
    const url = 'https://collector.example.org/openlineage/api/lineage?tenant=1'
    assert.equal(lineageRequest({ url }, event).url, url)
    assert.equal(
      lineageRequest({ url: 'https://collector.example.org:5000/' }, event).url,
      'https://collector.example.org:5000/api/v1/lineage'
    )
  })
})

describe('the answer of a collector', () => {
  const answer = (status: number, text = 'busy', retryAfter?: string) => ({ status, text, retryAfter })

  for (const status of [200, 201, 202, 204]) {
    it(`is good with ${status}`, () => assert.deepEqual(sentBy(answer(status), 1, NOW_MS), { outcome: 'sent' }))
  }

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`is asked for again with ${status}`, () => {
      const reason = `The collector answered ${status}: busy`
      assert.deepEqual(sentBy(answer(status), 1, NOW_MS), { outcome: 'again', afterMs: 1000, reason })
    })
  }

  for (const [retryAfter, afterMs] of [
    ['7', 7000],
    [' 7 ', 7000],
    ['Tue, 17 Nov 2026 04:00:30 GMT', 30_000],
    ['999999999', 3_600_000],
    ['0', 4000],
    ['-1', 4000],
    ['Tue, 17 Nov 2026 03:00:00 GMT', 4000],
    ['soon', 4000],
    ['', 4000]
  ] as const) {
    it(`is asked for again after ${afterMs / 1000} s with ${JSON.stringify(retryAfter)} at the third attempt`, () => {
      const sent = sentBy(answer(503, '', retryAfter), 3, NOW_MS)
      assert.deepEqual(sent, { outcome: 'again', afterMs, reason: 'The collector answered 503 and said nothing' })
    })
  }

  it('is waited for longer each time, and at most an hour', () => {
    const waits = [1, 2, 3, 12, 13, 10_000].map((attempt) => {
      const sent = notSent('connection refused', attempt)
      return sent.outcome === 'again' && sent.afterMs
    })
    assert.deepEqual(waits, [1000, 2000, 4000, 2_048_000, 3_600_000, 3_600_000])
  })

  for (const status of [400, 401, 403, 404, 410, 413, 422]) {
    it(`is final with ${status}`, () => {
      const reason = `The collector answered ${status}: job: must not be null`
      assert.deepEqual(sentBy(answer(status, 'job:\n must not be null\n'), 1, NOW_MS), { outcome: 'refused', reason })
    })
  }

  it('is final with a redirect, which leads to who knows where', () => {
    const sent = sentBy(answer(301), 1, NOW_MS)
    assert.equal(sent.outcome, 'refused')
    assert.match(sent.outcome === 'refused' ? sent.reason : '', /redirect \(301\), which is not followed/)
  })

  it('is told briefly, without the key', () => {
    const sent = sentBy(answer(401, `bad key k-secret ${'x'.repeat(1_000_000)}`), 1, NOW_MS, 'k-secret')
    const reason = sent.outcome === 'refused' ? sent.reason : ''
    assert.match(reason, /^The collector answered 401: bad key \*{8} x+$/)
    assert.ok(reason.length < 600)
  })
})
