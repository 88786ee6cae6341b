import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fieldChanges } from './audit-trail.ts'

const BOOKKEEPING = ['version', 'updatedAt']

const name = fc.oneof(
  fc.constantFrom('name', 'rank', 'columns', 'constructor', 'toString', ...BOOKKEEPING),
  fc.string({ maxLength: 4 }).filter((candidate) => candidate !== '__proto__')
)
const resource = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 })

const asJson = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>

function withoutBookkeeping(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asJson(value)).filter(([field]) => !BOOKKEEPING.includes(field)))
}

describe('the changes of a resource', () => {
  it('lead from what it was to what it is, and hold nothing that stayed', () => {
    const property = fc.property(resource, resource, (before, after) => {
      const changes = fieldChanges(before, after)
      const state = withoutBookkeeping(before)
      for (const [field, change] of Object.entries(changes)) {
        assert.notEqual(JSON.stringify(change.from), JSON.stringify(change.to), field)
        if ('from' in change) assert.deepEqual(asJson({ x: change.from }).x, state[field])
        else assert.ok(!Object.hasOwn(state, field))
        if ('to' in change) state[field] = asJson({ x: change.to }).x
        else delete state[field]
      }
      assert.deepEqual(state, withoutBookkeeping(after))
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('are none between equal states', () => {
    fc.assert(fc.property(resource, (state) => assert.deepEqual(fieldChanges(state, structuredClone(state)), {})))
    assert.deepEqual(fieldChanges(), {})
  })

  it('leave bookkeeping out', () => {
    assert.deepEqual(
      fieldChanges({ version: 1, updatedAt: 'a', name: 'x' }, { version: 2, updatedAt: 'b', name: 'y' }),
      {
        name: { from: 'x', to: 'y' }
      }
    )
  })

  it('tell what a new resource has and what a removed one had', () => {
    assert.deepEqual(fieldChanges(undefined, { name: 'x', scopes: null }), { name: { to: 'x' }, scopes: { to: null } })
    assert.deepEqual(fieldChanges({ name: 'x' }, undefined), { name: { from: 'x' } })
  })

  it('cut long values and say how long they were', () => {
    const short = 'x'.repeat(1998)
    const { a, b, c } = fieldChanges({ a: `${short}y`, b: [short] }, { a: short, c: '😀'.repeat(2000) })
    assert.deepEqual(a, { from: `"${short}y… (2001 characters)`, to: short })
    assert.deepEqual(b, { from: `["${short}… (2002 characters)` })
    const cut = String(c?.to)
    assert.match(cut, /… \(4002 characters\)$/)
    assert.ok(cut.isWellFormed())
    assert.ok(cut.length < 2030)
  })
})
