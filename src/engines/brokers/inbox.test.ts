import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokerError } from './errors.ts'
import { Inbox } from './inbox.ts'
import type { Message } from './index.ts'

const all = { max: 1000, maxBytes: 1_000_000, waitMs: 0 }

function message(size: number, topic = 't'): Message {
  return { topic, key: undefined, payload: new Uint8Array(size - 1), timeMs: undefined, position: undefined }
}

const step = fc.oneof(
  fc.record({ put: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ max: fc.integer({ min: 1, max: 8 }), maxBytes: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ dropEvery: fc.integer({ min: 2, max: 4 }) })
)

test('it gives out what was put in, in order and within limits, and says when there is room again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const inbox = new Inbox({ maxWaiting: 10, maxWaitingBytes: 200 })
      let isStopped = false
      inbox.onRoom = () => {
        assert.ok(isStopped, 'nobody waits for room')
        isStopped = false
      }
      let model: Message[] = []
      const bytes = (messages: Message[]) => messages.reduce((sum, { payload }) => sum + payload.length + 1, 0)
      for (const one of steps) {
        if ('put' in one) {
          if (isStopped) continue
          const next = message(one.put)
          inbox.put(next)
          model.push(next)
          isStopped = inbox.isFull
          assert.equal(isStopped, model.length >= 10 || bytes(model) >= 200)
        } else if ('max' in one) {
          const taken = await inbox.take({ ...one, waitMs: 0 })
          assert.deepEqual(taken, model.slice(0, taken.length))
          model = model.slice(taken.length)
          const more = [...taken, ...model.slice(0, 1)]
          assert.ok(taken.length <= one.max && (taken.length <= 1 || bytes(taken) <= one.maxBytes))
          assert.ok(model.length === 0 || more.length > one.max || bytes(more) > one.maxBytes, 'it could give more')
        } else {
          const unwanted = new Set(model.filter((_, i) => i % one.dropEvery === 0))
          inbox.drop((candidate) => unwanted.has(candidate))
          model = model.filter((candidate) => !unwanted.has(candidate))
        }
        assert.equal(inbox.waiting, model.length)
        assert.equal(inbox.room.bytes, 200 - bytes(model))
        if (model.length <= 5 && bytes(model) <= 100) assert.ok(!isStopped, 'it is half empty and has not said so')
      }
    }),
    { numRuns: 300 }
  )
})

test('what waits can still be taken after a failure, and then the failure is told', async () => {
  const inbox = new Inbox({ maxWaiting: 10, maxWaitingBytes: 200 })
  const waiting = inbox.take({ ...all, waitMs: 60_000 })
  await assert.rejects(inbox.take(all), { code: 'invalid' })
  inbox.put(message(1))
  assert.equal((await waiting).length, 1)
  inbox.put(message(2))
  inbox.fail(new BrokerError('unauthorized', 'no'))
  assert.equal((await inbox.take(all)).length, 1)
  await assert.rejects(inbox.take({ ...all, waitMs: 60_000 }), { code: 'unauthorized' })
  inbox.close()
  inbox.put(message(3))
  assert.equal(inbox.waiting, 0)
  await assert.rejects(inbox.take(all), { code: 'closed' })
})
