import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { descriptorLimit, serverLimits } from './limits.ts'

it('connections and a file for each request leave descriptors for the engines', () => {
  fc.assert(
    fc.property(fc.integer({ min: 256, max: 10_000_000 }), (descriptors) => {
      const { connections, places } = serverLimits(descriptors)
      assert.ok(descriptors - connections - places >= descriptors / 4)
      assert.ok(connections <= 10_000 && places <= 2000)
    })
  )
})

it('one address may have the 200 connections of a proxy or a pool with the usual 1,024 descriptors', () => {
  assert.ok(serverLimits(1024).connections / 2 >= 200)
})

it('the limit of this process is found out', () => {
  assert.ok(descriptorLimit() >= 256)
})
