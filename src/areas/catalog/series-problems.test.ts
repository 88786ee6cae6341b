import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SeriesError, type SeriesErrorCode } from '../../engines/series/index.ts'
import type { Problem } from '../../errors.ts'
import { withSeries } from './series-problems.ts'

async function problemOf(error: Error): Promise<Problem> {
  return withSeries(() => Promise.reject(error)).then(
    () => assert.fail('nothing was thrown'),
    (problem) => problem
  )
}

it('what the engine says is told with a status, and when to come again', async () => {
  const expected: Record<SeriesErrorCode, [status: number, code: string, retryAfter?: string]> = {
    busy: [503, 'series_busy', '1'],
    full: [507, 'series_full'],
    unwritable: [503, 'disk_unwritable', '10'],
    not_shared: [503, 'series_url_missing', '10'],
    kept_elsewhere: [503, 'series_url_missing', '10'],
    unavailable: [503, 'series_unavailable', '5'],
    failed: [502, 'series_failed'],
    damaged: [500, 'series_damaged'],
    too_many_points: [422, 'too_many_points'],
    function_not_applicable: [422, 'function_not_applicable'],
    timeout: [504, 'query_timeout'],
    cancelled: [400, 'malformed_request'],
    closed: [503, 'shutting_down', '5']
  }
  for (const [code, [status, ours, retryAfter]] of Object.entries(expected)) {
    const problem = await problemOf(
      new SeriesError(code as SeriesErrorCode, 'SELECT secret FROM a', { points: 7, limit: 5 })
    )
    assert.deepEqual([problem.status, problem.code, problem.headers?.['retry-after']], [status, ours, retryAfter])
  }
})

it('figures and what the caller can mend are told, what goes on inside is not', async () => {
  const many = await problemOf(new SeriesError('too_many_points', 'x', { points: 7, limit: 5, folder: '/data' }))
  assert.deepEqual(many.members, { points: 7, limit: 5 })
  assert.match(many.detail, /\b7 points\b.*\b5 is the limit\b/)
  const text = await problemOf(new SeriesError('function_not_applicable', 'the tag a holds texts'))
  assert.equal(text.detail, 'The tag a holds texts.')
  const failed = await problemOf(new SeriesError('failed', 'SELECT secret FROM a'))
  assert.doesNotMatch(failed.detail, /SELECT/)
  const other = new Error('not of the engine')
  assert.equal(await problemOf(other), other)
})

it('damage is told by what it is in, not by where that is', async () => {
  const facts = { file: 'points/source=s/day=2026-01-01/1.parquet', day: '2026-01-01', tag: 'a', path: '/data/x' }
  const problem = await problemOf(new SeriesError('damaged', "can't read /data/x", facts))
  const { path: _, ...shown } = facts
  assert.deepEqual(problem.members, shown)
  assert.match(problem.detail, /points of "a" on 2026-01-01 .* points\/source=s\/day=2026-01-01\/1\.parquet is damaged/)
  assert.doesNotMatch(problem.detail, /\/data/)
})

it('a lost index is told by its name, and what to do', async () => {
  const lost = await problemOf(new SeriesError('damaged', 'index.db is missing', { file: 'index.db', path: '/data' }))
  assert.deepEqual(lost.members, { file: 'index.db' })
  assert.match(lost.detail, /^index\.db, .*put back from a backup; 'millrace doctor'/)
})
