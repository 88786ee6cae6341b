import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldError, Problem } from '../errors.ts'
import { NO_QUERY, serializerCompiler, validatorCompiler, withFixedFields } from './compilers.ts'
import { ListQuery } from './paging.ts'
import { Closed, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import { Type } from './type.ts'

type Part = 'body' | 'querystring' | 'params'

function validate(schema: object, httpPart: Part = 'body') {
  const run = validatorCompiler({ schema, method: 'POST', url: '/', httpPart }) as (value: unknown) => {
    value?: unknown
    error?: Error
  }
  return (value: unknown): FieldError[] => {
    const { error } = run(value)
    if (error === undefined) return []
    assert.ok(error instanceof Problem)
    assert.equal(error.code, httpPart === 'params' ? 'not_found' : 'invalid_request')
    return [...(error.errors ?? [{ pointer: '', message: error.code }])]
  }
}

const Body = Closed({
  name: Name('x'),
  kind: Type.Optional(OneOf(['a', 'b'], 'x')),
  rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  note: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
  at: Type.Optional(Timestamp('x')),
  list: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 100 }))
})

describe('bodies', () => {
  const check = validate(Body)

  it('are taken where they fit', () => {
    assert.deepEqual(check({ name: 'x' }), [])
    assert.deepEqual(
      check({ name: 'x y', kind: 'a', rank: -0, note: null, at: '2026-01-01T00:00:00Z', list: ['a'] }),
      []
    )
  })

  it('are refused with a pointer to each fault and what is expected there', () => {
    const cases: [body: unknown, pointer: string, message: string | RegExp][] = [
      [{}, '/name', 'is required'],
      [null, '', 'must be a JSON object'],
      [[], '', 'must be a JSON object'],
      [{ name: 1 }, '/name', 'must be of type string'],
      [{ name: '' }, '/name', /fewer than 1 character/],
      [{ name: ' x' }, '/name', /^must match /],
      [{ name: 'x', kind: 'c' }, '/kind', 'must be one of a, b'],
      [{ name: 'x', rank: '1' }, '/rank', 'must be of type integer'],
      [{ name: 'x', rank: 1.5 }, '/rank', 'must be of type integer'],
      [{ name: 'x', rank: 11 }, '/rank', 'must be <= 10'],
      [{ name: 'x', rank: Number.POSITIVE_INFINITY }, '/rank', /^must be/],
      [{ name: 'x', note: 1 }, '/note', 'must be of type string,null'],
      [{ name: 'x', list: ['a', 'toolong'] }, '/list/1', /more than 3 characters/],
      [{ name: 'x', more: 1 }, '/more', 'is not a field of this resource'],
      [{ name: 'x', 'a/b~c': 1 }, '/a~1b~0c', 'is not a field of this resource'],
      [{ name: 'x', constructor: 1 }, '/constructor', 'is not a field of this resource'],
      [JSON.parse('{"name":"x","__proto__":1}'), '/__proto__', 'is not a field of this resource']
    ]
    for (const [body, pointer, message] of cases) {
      const [error, ...more] = check(body)
      assert.deepEqual(more, [], JSON.stringify(body))
      assert.equal(error?.pointer, pointer)
      if (typeof message === 'string') assert.equal(error?.message, message)
      else assert.match(error?.message ?? '', message)
    }
  })

  it('of two platforms in one process can have the same name', () => {
    const named = Closed({ name: Type.String({ maxLength: 5 }) }, { $id: 'NamedTwice' })
    for (let platform = 0; platform < 2; platform++) {
      assert.deepEqual(validate(withFixedFields(named, named))({ name: 'x' }), [])
    }
  })

  it('do not inherit what they need', () => {
    const inherits = Object.create({ name: 'x' }) as object
    assert.equal(check(inherits)[0]?.pointer, '/name')
  })

  it('are told all their faults at once, as many as can be read', () => {
    assert.deepEqual(
      check({ kind: 'c', rank: -1, more: 1 })
        .map(({ pointer }) => pointer)
        .sort(),
      ['/kind', '/more', '/name', '/rank']
    )
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]))
    assert.equal(check(many).length, 20)
  })

  it('are told only the first fault where they are so large that looking for all would be felt', () => {
    const list = Array.from({ length: 200_000 }, () => 1)
    assert.equal(check({ name: 'x', list }).length, 1)
    assert.equal(check({ name: 'x', rank: 99 })[0]?.pointer, '/rank', 'the next one has its own faults')
    assert.equal(check({ name: 'x', list: Array.from({ length: 200_000 }, () => 'a') })[0]?.pointer, '/list')
  })

  it('hold times that a clock can show and a database can sort', () => {
    const good = [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.123456789+05:30',
      '0000-01-01T00:00:00Z',
      '2024-02-29T23:59:59-08:00'
    ]
    for (const at of good) assert.deepEqual(check({ name: 'x', at }), [], at)
    const bad = [
      '2016-12-31T23:59:60Z',
      '9999-12-31T23:59:59-00:01',
      '0000-01-01T00:00:00+00:01',
      '2026-02-29T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      'now',
      `2026-01-01T00:00:00.${'1'.repeat(100)}Z`
    ]
    for (const at of bad) assert.equal(check({ name: 'x', at })[0]?.pointer, '/at', at)
  })
})

describe('queries', () => {
  const check = validate(ListQuery(['name'], { on: Type.Optional(Type.Boolean()) }), 'querystring')

  it('are converted from text', () => {
    const query = { limit: '10', on: 'true' }
    assert.deepEqual(check(query), [])
    assert.deepEqual(query, { limit: 10, on: true })
  })

  it('are refused with a pointer below /query', () => {
    const cases: [query: object, pointer: string, message: string][] = [
      [{ limit: 'ten' }, '/query/limit', 'must be of type integer'],
      [{ limit: ['1', '2'] }, '/query/limit', 'must be of type integer'],
      [{ limit: '0' }, '/query/limit', 'must be >= 1'],
      [{ on: '1' }, '/query/on', 'must be of type boolean'],
      [{ sort: '__proto__' }, '/query/sort', 'must be one of name, -name'],
      [{ more: '1' }, '/query/more', 'is not a query parameter of this operation']
    ]
    for (const [query, pointer, message] of cases) assert.deepEqual(check(query), [{ pointer, message }])
  })

  it('are refused whatever they are where none is taken', () => {
    const none = validate(NO_QUERY, 'querystring')
    assert.deepEqual(none({}), [])
    assert.equal(none({ a: '1' })[0]?.pointer, '/query/a')
    assert.equal(none(Object.assign(Object.create(null), { ['__proto__']: '1' }))[0]?.pointer, '/query/__proto__')
  })
})

describe('paths', () => {
  it('that can name nothing are not found', () => {
    const check = validate(Type.Object({ id: Type.String({ maxLength: 64 }) }), 'params')
    assert.deepEqual(check({ id: 'x'.repeat(64) }), [])
    assert.deepEqual(check({ id: 'x'.repeat(65) }), [{ pointer: '', message: 'not_found' }])
  })
})

describe('answers', () => {
  it('hold the fields of their schema and no others', () => {
    const schema = Type.Object({ id: Type.String(), note: Nullable(Type.String()) })
    const write = serializerCompiler({ schema, method: 'GET', url: '/', httpStatus: '200' })
    assert.equal(write({ id: 'a"\u2028', note: null, hash: 'secret' }), JSON.stringify({ id: 'a"\u2028', note: null }))
  })
})
