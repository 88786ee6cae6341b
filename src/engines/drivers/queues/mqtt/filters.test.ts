// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isFilter, isWithin } from './filters.ts'

const level = fc.constantFrom('a', 'b', '')
const levelOfFilter = fc.constantFrom('a', 'b', '', '+')
const topic = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'))
const filter = fc
  .tuple(fc.array(levelOfFilter, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([levels, hasMore]) => [...levels, ...(hasMore ? ['#'] : [])].join('/'))

/** By what the specification says of filters, as a pattern. */
function stands(wide: string, name: string): boolean {
  const pattern = wide
    .split('/')
    .map((part) => (part === '+' ? '[^/]*' : part))
    .join('/')
    .replace(/\/#$/, '(/.*)?')
  return new RegExp(`^${pattern === '#' ? '.*' : pattern}$`).test(name)
}

describe('filters of topics', () => {
  it('hold the topics that they stand for, and no others', () => {
    fc.assert(fc.property(filter, topic, (wide, name) => assert.equal(isWithin(name, wide), stands(wide, name))))
  })

  it('hold filters all of whose topics they stand for', () => {
    fc.assert(
      fc.property(filter, filter, topic, (wide, narrow, name) => {
        if (isWithin(narrow, wide) && stands(narrow, name)) assert.ok(stands(wide, name), `${narrow} in ${wide}`)
        assert.ok(isWithin(wide, wide))
        assert.ok(isWithin(narrow, '#') && isFilter(narrow) === (narrow !== ''))
      })
    )
    assert.equal(isWithin('$SYS/uptime', '#'), false)
    assert.ok(isWithin('$SYS/uptime', '$SYS/#'))
    for (const text of ['', 'a#', '#/a', 'a/b+', '\0']) assert.equal(isFilter(text), false, text)
  })
})
