import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toKafkaError } from './errors.ts'

test('a broker that answers with an error is not said to be silent, and is asked again', () => {
  const answer = Object.assign(new Error('The server experienced an unexpected error.'), {
    apiId: 'UNKNOWN_SERVER_ERROR'
  })
  const error = toKafkaError(new Error('Joining the group failed.', { cause: answer }), 'kafka:9092')
  assert.equal(
    error.message,
    'kafka:9092 answers with an error: The server experienced an unexpected error. (UNKNOWN_SERVER_ERROR)'
  )
  assert.equal(error.isTransient, true)
})

test('a broker that gives no answer is said to be silent', () => {
  const lost = Object.assign(new Error('Connection closed'), { code: 'PLT_KFK_NETWORK' })
  assert.match(toKafkaError(lost, 'kafka:9092').message, /^kafka:9092 does not answer \(Connection closed\)/)
})
