import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Assignment, type Claim } from './assignment.ts'
import { KafkaMessage, parsePartitionName, partitionName } from './message.ts'
import { Progress } from './progress.ts'

const anyTopic = fc.stringMatching(/^[a-z0-9._-]{1,20}$/)

test('the name of a partition can be read back, whatever the topic', () => {
  fc.assert(
    fc.property(anyTopic, fc.nat(), (topic, partition) => {
      assert.deepEqual(parsePartitionName(partitionName(topic, partition)), { topic, partition })
    })
  )
})

test('what is told to Kafka is the end of what was dealt with, of every partition', () => {
  const partitions = fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 60 })
  const cuts = fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(partitions, cuts, fc.boolean(), (taken, marks, isTold) => {
      const offsets = [0n, 2n ** 53n, 7n]
      const messages = taken.map((partition, count) => {
        const offset = offsets[partition] as bigint
        offsets[partition] = offset + 2n
        const received = { key: null, value: null, timeMs: 5, offset }
        return new KafkaMessage('t', partitionName('t', partition), received, count)
      })
      const progress = new Progress()
      const half = Math.floor(messages.length / 2)
      progress.take(messages.slice(0, half))
      progress.take(messages.slice(half))
      const told = new Map<string, string>()
      for (const mark of marks.map((one) => Math.min(one, messages.length - 1)).sort((a, b) => a - b)) {
        progress.settle(messages[mark] as KafkaMessage)
        const untold = progress.untold()
        for (const [of, at] of untold) told.set(of, at)
        if (isTold) progress.told(untold)
        const expected = new Map(messages.slice(0, mark + 1).map(({ position }) => [position.of, position.at]))
        assert.deepEqual(new Map([...told].sort()), new Map([...expected].sort()))
      }
      if (isTold) assert.equal(progress.untold().size, 0)
      progress.forget('t/0')
      assert.ok(!progress.untold().has('t/0'))
    })
  )
})

test('partitions that stay go on, new ones begin where they were asked to, and lost ones are let go', () => {
  const assignment = new Assignment({ 't/0': '10', 't/1': '20' })
  assignment.addStarts(
    new Map([
      ['t/0', 99n],
      ['t/2', 30n]
    ])
  )
  const next = () => Object.fromEntries(assignment.claims.map((claim) => [claim.of, claim.next]))
  const claimOf = (of: string) => assignment.claims.find((claim) => claim.of === of) as Claim
  assert.deepEqual(assignment.replace(['t/0', 't/2', 't/3']), [])
  assert.deepEqual(next(), { 't/0': 10n, 't/2': 30n, 't/3': undefined })
  const stays = claimOf('t/0')
  const goes = claimOf('t/2')
  stays.next = 15n
  claimOf('t/3').next = 3n
  assert.deepEqual(assignment.replace(['t/0', 't/1', 't/3']), ['t/2'])
  assert.deepEqual(next(), { 't/0': 15n, 't/1': 20n, 't/3': 3n })
  assert.equal(claimOf('t/0'), stays)
  assert.ok(goes.isLost && !stays.isLost && !assignment.has('t/2'))
  // Other members have read it meanwhile, and Kafka knows how far.
  assignment.replace(['t/2'])
  assert.deepEqual(next(), { 't/2': undefined })
  assert.notEqual(claimOf('t/2'), goes)
})
