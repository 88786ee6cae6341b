import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asMeant } from './meaning.ts'
import { nextIn } from './paging/next.ts'
import { parseTime, printTime } from './reading/times.ts'

const answer = (body: unknown, headers = {}) => ({ status: 200, headers, body, length: 0 })

describe('what services mean', () => {
  it('is a refusal where the body says so, whatever the status is', () => {
    const said: [unknown, number][] = [
      [{ ok: false, error: 'invalid_auth' }, 401],
      [{ ok: false, error: 'ratelimited' }, 429],
      [{ ok: false, error: 'missing_scope' }, 403],
      [{ ok: false, error: 'channel_not_found' }, 404],
      [{ errors: [{ message: 'Not authenticated' }], data: null }, 401],
      [{ errors: [{ message: 'Field x is unknown' }] }, 400],
      [{ ok: true, messages: [] }, 200],
      [{ errors: [], data: [] }, 200],
      [{ errors: [{ message: 'one of them' }], data: [{ id: 1 }] }, 200],
      [{ errors: [{ id: 1, title: 'a stream of errors' }] }, 200],
      [[{ ok: false }], 200],
      ['text', 200]
    ]
    for (const [body, status] of said) assert.equal(asMeant(answer(body)).status, status, JSON.stringify(body))
  })

  it('is the end where they say that there is nothing, though they name a next page', () => {
    const link = '<https://a.example/?cursor=1>; rel="next"; results="false"; cursor="1"'
    const page = (body: unknown, headers = {}) => ({ answer: answer(body, headers), records: [] })
    assert.equal(nextIn('link.next', 'next-url', page([], { link })), undefined)
    const open = page([], { link: link.replace('false', 'true') })
    assert.equal(nextIn('link.next', 'next-url', open), 'https://a.example/?cursor=1')
    const ended = page({ next_page: 'https://a.example/2', end_of_stream: true })
    assert.equal(nextIn('answer.next_page', 'next-url', ended), undefined)
  })

  it('is a time with the name of its day', () => {
    const format = '%a, %d %b %Y %H:%M:%S %z'
    const ms = Date.UTC(2026, 2, 1, 8, 30)
    assert.equal(printTime(ms, format), 'Sun, 01 Mar 2026 08:30:00 +0000')
    assert.equal(parseTime('Sun, 01 Mar 2026 08:30:00 +0000', format), ms)
  })
})
