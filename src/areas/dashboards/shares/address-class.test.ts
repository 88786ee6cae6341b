import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressClass } from './address-class.ts'

describe('the class of an address', () => {
  it('tells this machine, private networks and the internet apart', () => {
    const classes = {
      'this machine': ['127.0.0.1', '::1', '::ffff:127.0.0.1'],
      'private network': [
        '10.1.2.3',
        '192.168.0.9',
        '172.16.0.1',
        '172.31.9.9',
        '169.254.1.1',
        '100.64.0.1',
        'fd00::1',
        'fe80::1'
      ],
      internet: ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2001:db8::1', '::ffff:8.8.8.8']
    }
    for (const [expected, addresses] of Object.entries(classes)) {
      for (const address of addresses) assert.equal(addressClass(address), expected, address)
    }
  })
})
