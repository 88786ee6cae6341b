import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as protobuf from './index.ts'
import cases from './testing/cases.json' with { type: 'json' }
import { checkBothSides, checkSoundness } from './testing/properties.ts'
import { breaks, brief, compare, modelOf } from './testing/specs.ts'

type Row = readonly [written: string, read: string, ...found: string[]]

const P3 = 'syntax = "proto3"; package s;'
const in3 = (body: string) =>
  `${P3} message M { ${body} } message A { int32 x = 1; } message B { int32 x = 1; } enum E { Z = 0; }`
const in2 = (body: string) => `package s; message M { ${body} }`

/** What breaks is marked with an exclamation mark. */
function check(rows: readonly Row[], wrap: (body: string) => string): void {
  for (const [written, read, ...expected] of rows) {
    const found = compare(modelOf(wrap(written)), modelOf(wrap(read)))
    const marked = found.map((one) => `${brief([one])[0]}${one.rule.breaks ? '!' : ''}`).sort()
    assert.deepEqual(marked, expected.sort(), `${written} → ${read}`)
  }
}

describe('differences of Protobuf fields', () => {
  it('are by number', () => {
    check(
      [
        ['int32 a = 1;', 'int32 a = 1;'],
        ['', 'int32 a = 1;', '/s.M/1 field_added'],
        ['int32 a = 1;', '', '/s.M/1 field_removed'],
        ['int32 a = 1;', 'int32 b = 1;', '/s.M/1 field_name_changed'],
        ['int32 a = 1;', 'int32 a = 1 [json_name = "b"];', '/s.M/1 field_json_name_changed'],
        ['int32 a = 1;', 'int32 a = 2;', '/s.M/1 field_removed', '/s.M/2 field_added'],
        ['int32 a = 1;', 'int32 a = 1 [deprecated = true];', '/s.M/1 options_changed']
      ],
      in3
    )
  })

  it('of types break unless they are written the same way', () => {
    check(
      [
        ['int32 a = 1;', 'int64 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['bool a = 1;', 'uint64 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['E a = 1;', 'int32 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['sint32 a = 1;', 'sint64 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['string a = 1;', 'bytes a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['fixed32 a = 1;', 'sfixed32 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['fixed64 a = 1;', 'sfixed64 a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['int32 a = 1;', 'sint32 a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['int32 a = 1;', 'string a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['fixed32 a = 1;', 'fixed64 a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['fixed32 a = 1;', 'float a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['float a = 1;', 'double a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['A a = 1;', 'B a = 1;', '/s.M/1 field_named_type_changed!'],
        ['A a = 1;', 'bytes a = 1;', '/s.M/1 field_kind_changed!'],
        ['map<string, int32> a = 1;', 'repeated A a = 1;', '/s.M/1 field_kind_changed!'],
        ['map<string, int32> a = 1;', 'map<string, string> a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['map<string, int32> a = 1;', 'map<int32, int32> a = 1;', '/s.M/1 field_scalar_kind_changed!'],
        ['map<int32, A> a = 1;', 'map<int64, A> a = 1;', '/s.M/1 field_scalar_type_changed'],
        ['map<string, A> a = 1;', 'map<string, B> a = 1;', '/s.M/1 field_named_type_changed!']
      ],
      in3
    )
    const group = 'optional group A = 1 { optional int32 x = 1; }'
    const length = 'optional A a = 1; message A { optional int32 x = 1; }'
    check([[group, length, '/s.M/1 field_kind_changed!']], in2)
  })

  it('of labels break for numbers, and where something is required', () => {
    check(
      [
        ['optional int32 a = 1;', 'repeated int32 a = 1;', '/s.M/1 field_numeric_label_changed!'],
        ['repeated int32 a = 1;', 'optional int32 a = 1;', '/s.M/1 field_numeric_label_changed!'],
        ['int32 a = 1;', 'repeated int32 a = 1;', '/s.M/1 field_became_list'],
        ['repeated int32 a = 1;', 'int32 a = 1;', '/s.M/1 field_numeric_label_changed!'],
        ['optional string a = 1;', 'repeated string a = 1;', '/s.M/1 field_became_list'],
        ['repeated string a = 1;', 'string a = 1;', '/s.M/1 field_became_single'],
        ['A a = 1;', 'repeated A a = 1;', '/s.M/1 field_became_list'],
        ['int32 a = 1;', 'optional int32 a = 1;', '/s.M/1 field_presence_changed'],
        ['repeated int32 a = 1;', 'repeated int32 a = 1 [packed = false];', '/s.M/1 field_packing_changed']
      ],
      in3
    )
    check(
      [
        ['', 'required int32 a = 1;', '/s.M/1 required_field_added!'],
        ['required int32 a = 1;', '', '/s.M/1 required_field_removed!'],
        ['required int32 a = 1;', 'optional int32 a = 1;', '/s.M/1 field_numeric_label_changed!'],
        ['required string a = 1;', 'optional string a = 1;', '/s.M/1 field_no_longer_required'],
        ['optional string a = 1;', 'required string a = 1;', '/s.M/1 field_became_required!'],
        ['optional M a = 1;', 'required M a = 1;', '/s.M/1 field_became_required!'],
        ['optional int32 a = 1;', 'optional int32 a = 1 [default = 7];', '/s.M/1 field_default_changed']
      ],
      in2
    )
  })

  it('of extensions are like those of fields', () => {
    const extend = (type: string) =>
      `package s; message M { extensions 10 to 20; } extend M { optional ${type} a = 10; }`
    assert.deepEqual(brief(compare(modelOf(extend('int32')), modelOf(extend('string')))), [
      '/s.M/10 field_scalar_kind_changed'
    ])
  })
})

describe('differences of Protobuf oneofs', () => {
  it('break where data can be lost', () => {
    check(
      [
        ['string a = 1;', 'oneof c { string a = 1; }', '/s.M/1 field_moved_to_oneof', '/s.M/c oneof_added'],
        ['oneof c { string a = 1; }', 'string a = 1;', '/s.M/1 oneof_field_moved_out', '/s.M/c oneof_removed'],
        ['oneof c { string a = 1; }', 'oneof c { string a = 1; int32 b = 2; }', '/s.M/2 oneof_field_added'],
        ['oneof c { string a = 1; int32 b = 2; }', 'oneof c { string a = 1; }', '/s.M/2 oneof_field_removed!'],
        [
          'oneof c { string a = 1; int32 b = 2; }',
          'oneof d { string a = 1; int32 b = 2; }',
          '/s.M/c oneof_removed',
          '/s.M/d oneof_added'
        ],
        [
          'oneof c { string a = 1; int32 b = 2; }',
          'oneof d { string a = 1; }',
          '/s.M/2 oneof_field_removed!',
          '/s.M/c oneof_removed',
          '/s.M/d oneof_added'
        ],
        [
          'oneof c { string a = 1; int32 b = 2; }',
          '',
          '/s.M/1 field_removed',
          '/s.M/2 field_removed',
          '/s.M/c oneof_removed'
        ],
        [
          'string a = 1; string b = 2;',
          'oneof c { string a = 1; string b = 2; }',
          '/s.M/1 field_moved_to_oneof',
          '/s.M/2 field_moved_to_oneof',
          '/s.M/c multiple_fields_moved_to_oneof!',
          '/s.M/c oneof_added'
        ],
        [
          'oneof c { string a = 1; } string b = 2;',
          'oneof c { string a = 1; string b = 2; }',
          '/s.M/2 field_moved_to_oneof',
          '/s.M/c field_moved_to_existing_oneof!'
        ],
        [
          'oneof c { string a = 1; string b = 2; }',
          'oneof c { string a = 1; } string b = 2;',
          '/s.M/2 oneof_field_moved_out',
          '/s.M/c oneof_split'
        ],
        [
          'oneof c { string a = 1; } oneof d { string b = 2; }',
          'oneof c { string a = 1; string b = 2; }',
          '/s.M/c field_moved_to_existing_oneof!',
          '/s.M/d oneof_removed'
        ],
        ['oneof c { string a = 1; }', 'oneof c { int32 a = 1; }', '/s.M/1 field_scalar_kind_changed!'],
        [
          'string a = 1;',
          'oneof c { int32 a = 1; }',
          '/s.M/1 field_moved_to_oneof',
          '/s.M/1 field_scalar_kind_changed!',
          '/s.M/c oneof_added'
        ]
      ],
      in3
    )
  })
})

describe('differences of Protobuf types', () => {
  it('break where messages go or the package changes', () => {
    check(
      [
        ['message A {}', 'message A {} message B {}', '/B message_added'],
        ['message A {} message B {}', 'message A {}', '/B message_removed!'],
        ['message A { message B {} }', 'message A {}', '/A.B message_removed!'],
        ['message A {} message B {}', 'message B {} message A {}', '/A message_moved', '/B message_moved'],
        ['enum E { A = 0; }', '', '/E enum_removed'],
        ['', 'enum E { A = 0; }', '/E enum_added'],
        ['enum E { A = 0; }', 'enum E { A = 0; B = 1; }', '/E/1 enum_value_added'],
        ['enum E { A = 0; B = 1; }', 'enum E { A = 0; }', '/E/1 enum_value_removed'],
        ['enum E { A = 0; }', 'enum E { B = 0; }', '/E/0 enum_value_renamed'],
        ['message A { reserved 1; }', 'message A { reserved "a"; }', '/A reserved_changed'],
        ['service S { rpc A (M) returns (M); } message M {}', 'message M {}', '/services/S service_changed'],
        [
          'package a; message A { optional A a = 1; }',
          'package b; message A { optional string a = 1; }',
          '/A/1 field_kind_changed!',
          '/package package_changed!'
        ],
        [
          'package a; message A { optional A a = 1; }',
          'package b; message A { optional A a = 1; }',
          '/package package_changed!'
        ]
      ],
      (text) => (text === '' ? ';' : text)
    )
  })

  it('see what a changed syntax means', () => {
    const found = compare(modelOf('enum E { A = 0; }'), modelOf('syntax = "proto3"; enum E { A = 0; }'))
    assert.deepEqual(brief(found), ['/E enum_opened', '/syntax syntax_changed'])
  })

  it('reach into imports, as far as fields refer to them', () => {
    const text = `${P3} import "d.proto"; message M { d.D d = 1; }`
    const dependency = (fields: string) => ({
      'd.proto': `syntax = "proto3"; package d; message D { repeated D more = 1; ${fields} } message Unused {}`
    })
    const [old, now] = [modelOf(text, dependency('int32 x = 2;')), modelOf(text, dependency('string x = 2;'))]
    const found = compare(old, now)
    assert.deepEqual(brief(found), ['/d.D/2 field_scalar_kind_changed'])
    assert.ok(breaks(found))
    const without = { 'd.proto': 'syntax = "proto3"; package d; message D { repeated D more = 1; }' }
    assert.ok(!breaks(compare(old, modelOf(text, without))))
  })

  it('take a message of another package for the same if it is', () => {
    const text = (name: string) => `${P3} import "${name}.proto"; message M { ${name}.D d = 1; }`
    const files = (name: string, type: string) => ({
      [`${name}.proto`]: `syntax = "proto3"; package ${name}; message D { ${type} x = 1; }`
    })
    const old = modelOf(text('d'), files('d', 'int32'))
    const moved = compare(old, modelOf(text('e'), files('e', 'int32')))
    assert.deepEqual(brief(moved), ['/s.M/1 field_named_type_moved'])
    const changed = compare(old, modelOf(text('e'), files('e', 'string')))
    assert.deepEqual(brief(changed), ['/D/1 field_scalar_kind_changed', '/s.M/1 field_named_type_moved'])
  })
})

describe('differences of Protobuf from both sides', () => {
  it('are at the same paths, and say something', () => {
    checkBothSides(60)
  })

  it('name only rules that are listed, each code once', () => {
    const codes = Object.values(protobuf.RULES).map(({ code }) => code)
    assert.equal(new Set(codes).size, codes.length)
    assert.ok(
      Object.values(protobuf.RULES)
        .filter((rule) => rule.breaks)
        .every((rule) => rule.assumes === undefined)
    )
  })
})

describe('Protobuf changes that do not break', () => {
  it('lose nothing of what was written, on real bytes', () => {
    checkSoundness(100)
  })
})

/** Why a verdict of ours is another. */
const REASONS: ReadonlyMap<string, string> = new Map()

describe('public cases of Protobuf compatibility', () => {
  for (const { id, mode, old, new: text, compatible } of cases) {
    it(id, () => {
      assert.equal(mode, 'BACKWARD')
      const isOurs = !breaks(compare(modelOf(old), modelOf(text)))
      assert.equal(isOurs === compatible, !REASONS.has(id), REASONS.get(id) ?? 'another verdict')
    })
  }

  it('are all there', () => {
    assert.equal(cases.length, 43)
  })
})
