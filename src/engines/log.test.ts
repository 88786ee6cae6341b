import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../errors.ts'
import { createLog } from './log.ts'

function logTo(level = 'debug') {
  const lines: string[] = []
  const log = createLog(level, { write: (line: string) => void lines.push(line) })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') }
}

const REQUEST = {
  id: 'req_1',
  method: 'GET',
  ip: '127.0.0.1',
  routeOptions: { url: '/api/things/:id' },
  headers: { authorization: 'Bearer hidden', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  actor: { id: 'usr_1' }
}

describe('the log', () => {
  it('leaves out secrets by their names, down to the third level', () => {
    const { log, lines } = logTo()
    const secrets = { password: 'hidden', token: 'hidden', key: 'hidden', secretKey: 'hidden', credentials: ['hidden'] }
    log.info({ ...secrets, config: { ...secrets, inner: secrets } }, 'a line')
    log.warn({ headers: { authorization: 'hidden' } }, 'a line')
    log.error({ accessKey: 'hidden', secret: { a: 'hidden' } }, 'a line')
    assert.equal(lines.length, 3)
    for (const line of lines) assert.doesNotMatch(line, /hidden/)
  })

  it('tells of a request by its route and nothing that the caller wrote', () => {
    const { log, lines, last } = logTo()
    log.request({ ...REQUEST, method: 'POST' }, { statusCode: 201 }, 12.345)
    const { time: _time, ...line } = last()
    assert.deepEqual(line, {
      level: 30,
      requestId: 'req_1',
      method: 'POST',
      route: '/api/things/:id',
      status: 201,
      ms: 12.3,
      ip: '127.0.0.1',
      user: 'usr_1',
      traceId: 'a'.repeat(32),
      msg: 'request'
    })
    assert.equal(lines.length, 1)
  })

  it('is quiet about reads that went well, what is told in sums, and traces that are none', () => {
    const { log, lines, last } = logTo('info')
    log.request(REQUEST, { statusCode: 200 }, 1)
    log.request({ ...REQUEST, method: 'POST' }, { statusCode: 503 }, 1)
    assert.equal(lines.length, 0)
    log.request({ ...REQUEST, headers: { traceparent: 'x"\n' }, actor: { id: '' } }, { statusCode: 404 }, 1)
    assert.equal(last().status, 404)
    assert.equal('traceId' in last() || 'user' in last(), false)
  })

  it('tells the cause of a failure under its request id', () => {
    const { log, last } = logTo()
    log.failure(new Problem('internal_error', { cause: new Error('the reason') }), 'req_1')
    assert.equal(last().requestId, 'req_1')
    assert.equal(last().code, 'internal_error')
    assert.equal(last().cause.message, 'the reason')
    assert.match(last().cause.stack, /log\.test\.ts/)
    log.failure(new Problem('overloaded'), 'req_2')
    assert.deepEqual([last().requestId, last().cause, typeof last().stack], ['req_2', undefined, 'string'])
  })
})
