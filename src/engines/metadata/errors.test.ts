import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnavailable, isUniqueViolation } from './index.ts'
import { postgresRetryable } from './postgres-errors.ts'

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)
const sqlite = (errcode: number) => failure('', { code: 'ERR_SQLITE_ERROR', errcode })

test('a database out of reach, full or shutting down is unavailable', () => {
  const unavailable = [
    sqlite(5), // busy
    sqlite(13), // full
    sqlite(517), // busy in a way that has a code of its own
    sqlite(778), // a write that failed
    failure('database is not open', { code: 'ERR_INVALID_STATE' }),
    failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
    failure('too many clients already', { code: '53300' }),
    failure('could not extend file', { code: '53100' }),
    failure('terminating connection due to administrator command', { code: '57P01' }),
    failure('Connection terminated due to connection timeout'),
    failure('timeout exceeded when trying to connect'),
    failure('Client has encountered a connection error and is not queryable')
  ]
  for (const error of unavailable) assert.ok(isUnavailable(error), `${error}`)
})

test('the fault of a statement, and what is no error of a database, is not unavailability', () => {
  const others = [
    sqlite(1),
    sqlite(19),
    failure('', { errcode: 13 }),
    failure('stream is closed', { code: 'ERR_INVALID_STATE' }),
    failure('syntax error', { code: '42601' }),
    failure('canceling statement due to statement timeout', { code: '57014' }),
    failure('it said: Connection terminated'),
    undefined,
    null,
    'Connection',
    0
  ]
  for (const error of others) assert.ok(!isUnavailable(error), `${error}`)
})

test('only a unique index makes a unique violation', () => {
  for (const error of [sqlite(2067), sqlite(1555), failure('', { code: '23505' })]) assert.ok(isUniqueViolation(error))
  const others = [sqlite(1299), sqlite(787), failure('', { code: '23503' }), undefined, null, 'unique']
  for (const error of others) assert.ok(!isUniqueViolation(error))
})

test('only what may go well a second time is tried again', () => {
  for (const code of ['40001', '40P01', '23505', '23503']) assert.ok(postgresRetryable({ code }))
  for (const error of [{ code: '23502' }, { code: 'ECONNRESET' }, undefined, null]) assert.ok(!postgresRetryable(error))
})
