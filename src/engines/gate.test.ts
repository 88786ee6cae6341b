import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Gate } from './gate.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many are in at once at each place, and all come in, in the order in which they came', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ place: fc.constantFrom('a', 'b'), givesUp: fc.boolean() }), { maxLength: 30 }),
      async (atOnce, comers) => {
        const gate = new Gate(atOnce)
        const inside = { a: [] as (() => void)[], b: [] as (() => void)[] }
        const came: number[] = []
        const waiting = new Set<number>()
        const control = comers.map(() => new AbortController())
        const entries = comers.map(async ({ place }, at) => {
          waiting.add(at)
          const leave = await gate.enter(place, (control[at] as AbortController).signal).catch(() => undefined)
          waiting.delete(at)
          if (leave === undefined) return
          came.push(at)
          inside[place].push(leave)
        })
        await settled()
        for (const at of [...waiting]) if (comers[at]?.givesUp) control[at]?.abort(new Error('given up'))
        for (;;) {
          await settled()
          assert.ok(inside.a.length <= atOnce && inside.b.length <= atOnce)
          const leave = inside.a.shift() ?? inside.b.shift()
          if (leave === undefined) break
          leave()
        }
        await Promise.all(entries)
        for (const place of ['a', 'b']) {
          const order = came.filter((at) => comers[at]?.place === place)
          assert.deepEqual(
            order,
            order.toSorted((one, other) => one - other)
          )
        }
        assert.ok(comers.every(({ givesUp }, at) => givesUp || came.includes(at)))
      }
    ),
    { numRuns: 50 }
  )
})

test('who gives up gets the reason, and keeps nobody out', async () => {
  const gate = new Gate(1)
  const leave = await gate.enter('here', never)
  const impatient = new AbortController()
  const waits = gate.enter('here', impatient.signal)
  const next = gate.enter('here', never)
  impatient.abort(new Error('too long'))
  await assert.rejects(waits, /too long/)
  await assert.rejects(gate.enter('here', impatient.signal), /too long/)
  leave()
  await next
})
