import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SeenObjects, type Written } from './seen.ts'

const at = (ms: number) => new Date(1_750_000_000_000 + ms).toISOString()
const written = fc.record({ key: fc.string({ maxLength: 4 }), modifiedAt: fc.integer({ min: 0, max: 59_000 }).map(at) })

describe('which objects have been read', () => {
  test('within a minute, exactly those that were added', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 40 }), fc.array(written, { maxLength: 10 }), (added, others) => {
        let seen = new SeenObjects(undefined)
        for (const object of added) {
          seen.add(object)
          seen = new SeenObjects(JSON.parse(JSON.stringify(seen.position)))
        }
        const names = new Set(added.map(nameOf))
        for (const object of [...added, ...others]) assert.equal(seen.has(object), names.has(nameOf(object)))
      })
    )
  })

  test('over a long time, those that were added, and nothing later than the last of them, in little room', () => {
    const times = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 60 })
    fc.assert(
      fc.property(times, (list) => {
        const seen = new SeenObjects(undefined)
        const objects = list.map((ms, i): Written => ({ key: `k${i}`, modifiedAt: at(ms) }))
        for (const object of objects) seen.add(object)
        for (const object of objects) assert.ok(seen.has(object))
        assert.equal(seen.has({ key: 'x', modifiedAt: at(10_000_001) }), false)
        const { seen: kept } = seen.position as { seen: [string, string][] }
        const newest = kept.at(-1)?.[0] ?? ''
        for (const [time] of kept) assert.ok(Date.parse(time) >= Date.parse(newest) - 60_000)
      })
    )
  })

  test('however many at once and however long their names', () => {
    const seen = new SeenObjects(undefined)
    const objects = Array.from({ length: 3000 }, (_, n): Written => {
      return { key: `${'k'.repeat(n % 2 === 0 ? 1000 : 1)}${n}`, modifiedAt: at(n % 7) }
    })
    for (const object of objects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) seen.add(object)
    for (const object of objects) assert.ok(seen.has(object))
    assert.ok(JSON.stringify(seen.position).length < 200_000)
  })
})

const nameOf = ({ key, modifiedAt }: Written) => `${modifiedAt} ${key}`
