import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Assignment } from './assignment.ts'
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
      const offsets = [0, 2 ** 53, 7]
      const messages = taken.map((partition, count) => {
        const offset = String(offsets[partition])
        offsets[partition] = (offsets[partition] as number) + 2
        const received = { key: null, value: null, timestamp: '5', offset }
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
      ['t/0', '99'],
      ['t/2', '30']
    ])
  )
  const first = assignment.replace(['t/0', 't/2', 't/3'])
  assert.deepEqual(Object.fromEntries(first.seek), { 't/0': '10', 't/2': '30' })
  assignment.received('t/0', '15')
  assignment.received('t/3', '3')
  const second = assignment.replace(['t/0', 't/1', 't/3'])
  assert.deepEqual(second.lost, ['t/2'])
  assert.deepEqual(Object.fromEntries(second.seek), { 't/0': '15', 't/1': '20', 't/3': '3' })
  assert.ok(!assignment.has('t/2'))
  // Others have read it in the meantime, and Kafka knows how far.
  assert.deepEqual(Object.fromEntries(assignment.replace(['t/2']).seek), {})
})
