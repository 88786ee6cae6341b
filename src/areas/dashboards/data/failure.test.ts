import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DataError } from '../../../data/errors.ts'
import { Problem } from '../../../errors.ts'
import { withData } from '../../../http/data-problems.ts'
import { type Failure, failureOf } from './failure.ts'

describe('why a panel shows nothing', () => {
  const log = { error() {} }
  const of = async (error: DataError): Promise<Failure> => {
    try {
      return await withData<never>(() => Promise.reject(error))
    } catch (problem) {
      return failureOf(problem, log)
    }
  }

  it('tells a wrong column from data that are too large, and from those that come too late', async () => {
    assert.deepEqual(await of(new DataError('sql_error', 'No column x.', { position: { line: 2, column: 8 } })), {
      ...{ code: 'sql_error', detail: 'No column x.', pointer: '/query/sql' },
      position: { line: 2, column: 8 }
    })
    assert.deepEqual(await of(new DataError('sql_refused', 'It writes.')), {
      ...{ code: 'sql_refused', detail: 'It writes.', pointer: '/query/sql' }
    })
    assert.deepEqual(await of(new DataError('nothing_matches', 'No object.')), {
      ...{ code: 'nothing_matches', detail: 'No object.', pointer: '/query/reference' }
    })
    assert.deepEqual(await of(new DataError('out_of_memory', 'Too much.')), {
      ...{ code: 'out_of_memory', detail: 'Too much.' }
    })
    assert.deepEqual(await of(new DataError('timeout', 'Too long.')), { code: 'query_timeout', detail: 'Too long.' })
    assert.deepEqual(await of(new DataError('busy', 'Later.')), { code: 'overloaded', detail: 'Later.' })
  })

  it('is what the API says of all else', () => {
    const errors = [{ pointer: '/to', message: 'must be later than from' }]
    assert.deepEqual(failureOf(new Problem('unprocessable', { errors }), log), {
      ...{ code: 'unprocessable', detail: '/to must be later than from.' }
    })
    assert.equal(failureOf(new Error('secret words'), log).code, 'internal_error')
  })
})
