import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordsBatch } from '@platformatic/kafka'
import fc from 'fast-check'
import { type Aborted, offsetAfter, readableBatches, timeOf } from './batches.ts'

const TRANSACTIONAL = 0b10_000
const CONTROL = 0b100_000

function batch(firstOffset: bigint, size: number, producer: number, attributes: number, mark?: 0 | 1): RecordsBatch {
  const key = mark === undefined ? null : Buffer.from([0, 0, 0, mark])
  const record = { key, value: null, timestampDelta: 0n, offsetDelta: 0, headers: [], length: 0, attributes: 0 }
  return {
    firstOffset,
    lastOffsetDelta: size - 1,
    producerId: BigInt(producer),
    attributes,
    records: [record],
    firstTimestamp: 100n,
    maxTimestamp: 900n,
    length: 0,
    partitionLeaderEpoch: 0,
    magic: 2,
    crc: 0,
    producerEpoch: 0,
    firstSequence: 0
  }
}

test('of transactions, what was given up is not read, wherever an answer begins and ends', () => {
  const anyStep = fc.record({
    producer: fc.nat({ max: 2 }),
    action: fc.constantFrom('write', 'write', 'write', 'commit', 'abort', 'plain'),
    size: fc.integer({ min: 1, max: 5 })
  })
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 40 }),
      fc.nat({ max: 39 }),
      fc.nat({ max: 40 }),
      (steps, from, count) => {
        const log: RecordsBatch[] = []
        const open = new Map<number, RecordsBatch[]>()
        const aborted: (Aborted & { readonly end: bigint })[] = []
        const unwanted = new Set<RecordsBatch>()
        let at = 0n
        const add = (...rest: [number, number, number, (0 | 1)?]) => {
          const [size, ...more] = rest
          const one = batch(at, size, ...more)
          log.push(one)
          at = offsetAfter(one)
          return one
        }
        const finish = (producer: number, isAborted: boolean) => {
          const mark = add(1, producer, TRANSACTIONAL | CONTROL, isAborted ? 0 : 1)
          unwanted.add(mark)
          const [first] = open.get(producer) ?? []
          if (isAborted && first !== undefined) {
            const producerId = BigInt(producer)
            aborted.push({ producerId, firstOffset: first.firstOffset, end: offsetAfter(mark) })
            for (const one of open.get(producer) ?? []) unwanted.add(one)
          }
          open.delete(producer)
        }
        for (const { producer, action, size } of steps) {
          if (action === 'plain') add(size, 99, 0)
          else if (action === 'write') {
            open.set(producer, [...(open.get(producer) ?? []), add(size, producer, TRANSACTIONAL)])
          } else finish(producer, action === 'abort')
        }
        for (const producer of open.keys()) finish(producer, true)
        const answer = log.slice(from, from + count)
        const [first, last] = [answer[0], answer.at(-1)]
        if (first === undefined || last === undefined) return
        // Brokers name the aborted transactions that overlap the answer.
        const told = aborted.filter(
          ({ firstOffset, end }) => firstOffset < offsetAfter(last) && end > first.firstOffset
        )
        assert.deepEqual(readableBatches(answer, told), new Set(answer.filter((one) => !unwanted.has(one))))
      }
    )
  )
})

test('a time is of the writer, or of the log if that is how the topic is kept', () => {
  assert.equal(timeOf(batch(0n, 1, 1, 0), { timestampDelta: 5n }), 105)
  assert.equal(timeOf(batch(0n, 1, 1, 0b1000), { timestampDelta: 5n }), 900)
})

test('messages of the form from before are refused rather than misread', () => {
  for (const magic of [0, 1]) {
    assert.throws(() => readableBatches([{ ...batch(0n, 1, 1, 0), magic }], []), { code: 'refused' })
  }
})
