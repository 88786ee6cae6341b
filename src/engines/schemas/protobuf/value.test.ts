import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SchemaFault } from '../fault.ts'
import { checkVerdicts, exampleOf, faultsIn } from './testing/properties.ts'
import { modelOf } from './testing/specs.ts'

const ALL = modelOf(`syntax = "proto3"; package s;
  import "google/protobuf/any.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/empty.proto";
  import "google/protobuf/field_mask.proto"; import "google/protobuf/struct.proto";
  import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
  message M {
    int32 i32 = 1; uint32 u32 = 2; int64 i64 = 3; uint64 u64 = 4; float f = 5; double d = 6; bool b = 7; string s = 8;
    bytes raw = 9; E e = 10; repeated int32 list = 11; map<string, M> by_name = 12; map<int32, bool> flags = 13; M inner = 14;
    oneof choice { string one = 15; M two = 16; }
    google.protobuf.Timestamp at = 20; google.protobuf.Duration took = 21; google.protobuf.Int64Value count = 22;
    google.protobuf.Struct extra = 23; google.protobuf.Value any_value = 24; google.protobuf.Any any = 25;
    google.protobuf.ListValue items = 26; google.protobuf.FieldMask mask = 27; google.protobuf.Empty nothing = 28;
    google.protobuf.NullValue null_only = 29; int32 other_name = 30 [json_name = "@odd/name"];
  }
  enum E { A = 0; B = 1; }`)

const RIGHT: readonly (readonly [name: string, ...values: unknown[]])[] = [
  ['i32', 0, -2147483648, '12', '1e3', 1.0, null],
  ['u32', 4294967295, '0'],
  ['i64', 5, '9223372036854775807', '-9223372036854775808'],
  ['u64', '18446744073709551615'],
  ['f', 1.5, '1.5', 'NaN', '-Infinity', 3.4e38],
  ['d', 1e300, 'Infinity', '-0.5e-7'],
  ['b', true, false],
  ['s', '', 'grün', '😀'],
  ['raw', '', 'YQ==', 'YQ', '_-8'],
  ['e', 'A', 1, 77],
  ['list', [], [1, '2'], null],
  ['byName', {}, { a: {}, b: { s: 'x' } }],
  ['by_name', { a: { inner: { one: 'x' } } }],
  ['flags', { 1: true, '-5': false }],
  ['at', '2026-01-31T12:00:00Z', '2024-02-29T00:00:00.123456789+02:00', '0001-01-01T00:00:00Z'],
  ['took', '1s', '-1.5s', '0.000000001s'],
  ['count', '5', 5, null],
  ['extra', { a: [1, null, { b: 'x' }] }],
  ['anyValue', null, 1, 'x', [], {}],
  [
    'any',
    { '@type': 'a/s.M', s: 'x' },
    { '@type': 'a/unknown.Type', whatever: 1 },
    { '@type': 'a/google.protobuf.Duration', value: '1s' }
  ],
  ['items', [1, 'x', null]],
  ['mask', 'a,b.cD', ''],
  ['nothing', {}],
  ['nullOnly', null],
  ['@odd/name', 3],
  ['other_name', 3]
]

const WRONG: readonly (readonly [name: string, pointer: string, said: RegExp, ...values: unknown[]])[] = [
  ['i32', '/i32', /whole number/, 1.5, 'x', '', true, {}, [1], '0x10', '1.5', ' 1'],
  ['i32', '/i32', /between/, 2147483648, '-2147483649'],
  ['u32', '/u32', /between 0 and/, -1],
  ['u64', '/u64', /between 0 and/, '18446744073709551616'],
  ['f', '/f', /fits a float/, 1e39, 'nan', true],
  ['b', '/b', /true or false/, 'true', 1],
  ['s', '/s', /a text/, 1, '\ud800'],
  ['raw', '/raw', /base64/, 'a', '*', 'YQ=', 5],
  ['e', '/e', /a value of E/, 'C', true, '1'],
  ['e', '/e', /whole number|between/, 1.5, 3e9],
  ['list', '/list', /a list/, 1, {}],
  ['list', '/list/1', /whole number/, [1, 'x'], [1, null]],
  ['by_name', '/by_name/a~1b', /an object/, { 'a/b': 1 }],
  ['flags', '/flags', /has a key that must be a whole number/, { x: true }],
  ['inner', '/inner/nope', /not a field of M/, { nope: 1 }],
  ['inner', '/inner', /an object/, 'x', []],
  ['inner', '/inner', /at most one field of the oneof choice, not one, two/, { one: 'x', two: {} }],
  ['at', '/at', /a time/, '2026-01-31', '2026-02-30T00:00:00Z', '2026-01-31T25:00:00Z', 1],
  ['took', '/took', /duration/, '1', '1m', 5],
  ['count', '/count', /whole number/, { value: 1 }],
  ['extra', '/extra', /an object/, [], 1],
  ['items', '/items', /a list/, {}],
  ['any', '/any', /@type/, { s: 'x' }],
  ['any', '/any/i32', /whole number/, { '@type': 'a/s.M', i32: 'x' }],
  ['mask', '/mask', /paths/, 'a,', 5]
]

describe('values of Protobuf in JSON', () => {
  it('fit', () => {
    for (const [name, ...values] of RIGHT) {
      for (const value of values)
        assert.deepEqual(faultsIn(ALL, { [name]: value }), [], `${name}: ${JSON.stringify(value)}`)
    }
  })

  it('do not fit, and it is said where and why', () => {
    for (const [name, pointer, said, ...values] of WRONG) {
      for (const value of values) {
        const [fault, ...others] = faultsIn(ALL, { [name]: value })
        assert.deepEqual([fault?.pointer, others], [pointer, []], `${name}: ${JSON.stringify(value)}`)
        assert.match(fault?.message ?? '', said)
      }
    }
    assert.match(faultsIn(ALL, 5)[0]?.message ?? '', /an object/)
    assert.match(faultsIn(ALL, { by_name: {}, byName: {} })[0]?.message ?? '', /the same field as by_name/)
  })

  it('must have what is required, and only named values of closed enums', () => {
    const model = modelOf('message M { required int32 a = 1; optional E e = 2; } enum E { A = 1; }')
    assert.deepEqual(faultsIn(model, { a: null }), [{ pointer: '', message: 'must have the field a' }])
    assert.match(faultsIn(model, { a: 1, e: 2 })[0]?.message ?? '', /a value of E/)
  })

  it('are of the first message, and of none where there is none', () => {
    assert.deepEqual(faultsIn(modelOf('message A { optional B b = 1; } message B {}'), { b: {} }), [])
    assert.throws(() => faultsIn(modelOf('enum E { A = 0; }'), {}), { kind: 'unsupported' })
  })

  it('may have names that mean something in JavaScript', () => {
    const model = modelOf('message M { optional string __proto__ = 1; optional string constructor = 2; }')
    assert.deepEqual(faultsIn(model, JSON.parse('{ "__proto__": "x", "constructor": "y" }')), [])
    assert.equal(faultsIn(modelOf('message M {}'), JSON.parse('{ "__proto__": 1, "toString": 2 }')).length, 2)
    assert.deepEqual(faultsIn(model, exampleOf(model, 3)), [])
  })

  it('are judged like protobufjs does', () => {
    checkVerdicts(60)
  })
})

describe('examples of Protobuf', () => {
  it('fit their schema, are the same for the same seed, and many', () => {
    for (let seed = 0; seed < 20; seed++) {
      assert.deepEqual(faultsIn(ALL, exampleOf(ALL, seed)), [])
      assert.deepEqual(exampleOf(ALL, seed), exampleOf(ALL, seed))
    }
    assert.notDeepEqual(exampleOf(ALL, 1), exampleOf(ALL, 2))
  })

  it('are not made of messages that require themselves', () => {
    const model = modelOf('message M { required M m = 1; }')
    assert.throws(
      () => exampleOf(model, 1),
      (error) => error instanceof SchemaFault && error.kind === 'unsupported'
    )
  })
})
