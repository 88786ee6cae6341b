import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError, type OutboundErrorCode } from '../../outbound/errors.ts'
import { StoreError, type StoreErrorCode } from '../errors.ts'
import { fromNetwork, LostConnection } from './network-errors.ts'

test('every failure of the way to a store has a code of ours, and says what was said', () => {
  const codes: [OutboundErrorCode, StoreErrorCode][] = [
    ['refused_by_policy', 'address_refused'],
    ['unknown_host', 'unknown_host'],
    ['bad_url', 'unknown_host'],
    ['connection_refused', 'connection_refused'],
    ['unreachable', 'connection_refused'],
    ['tls', 'tls_failed'],
    ['timeout', 'timed_out'],
    ['protocol', 'store_failed'],
    ['too_large', 'store_failed']
  ]
  for (const [code, ours] of codes) {
    const error = fromNetwork(new OutboundError(code, 'what was said'))
    assert.deepEqual([error?.code, error?.message, error?.cause], [ours, 'what was said', undefined])
  }
  const broken = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  for (const lost of [new LostConnection('gone'), broken, new DOMException('', 'AbortError')]) {
    assert.equal(fromNetwork(lost)?.code, 'store_failed')
  }
})

test('what was told before is passed on, and what is not of the network left alone', () => {
  const told = new StoreError('clock_off', 'late')
  assert.equal(fromNetwork(told), told)
  assert.equal(fromNetwork(new Error('a mistake of ours')), undefined)
})
