import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { addressGroup } from './address-group.ts'

it('an address of IPv4 is itself, also where it is written as IPv6', () => {
  assert.equal(addressGroup('192.0.2.7'), '192.0.2.7')
  assert.equal(addressGroup('::ffff:192.0.2.7'), '192.0.2.7')
})

it('addresses of one IPv6 network are one, however they are written', () => {
  const group = addressGroup('2001:db8:0:7::1')
  for (const same of ['2001:db8:0:7:8:9:a:b', '2001:DB8::7:1:2:3:4', '2001:0db8:0000:0007::', '2001:db8:0:7::1%eth0'])
    assert.equal(addressGroup(same), group, same)
  for (const other of ['2001:db8:0:8::1', '2001:db8::1', '::1', 'fe80::1']) assert.notEqual(addressGroup(other), group)
})

it('whatever a proxy says is an address, it is short', () => {
  fc.assert(fc.property(fc.string({ maxLength: 5000 }), (text) => addressGroup(text).length <= 70))
})
