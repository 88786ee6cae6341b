import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Effort } from '../fault.ts'
import * as protobuf from './index.ts'
import { checkAnyText, exampleOf, faultsIn } from './testing/properties.ts'
import { compare, faultOf, modelOf, parseText } from './testing/specs.ts'

const PROTO3 = 'syntax = "proto3";'
const message = (body: string) => `${PROTO3}\nmessage M {\n${body}\n}`

/** What is wrong → where and what is said of it. */
const FAULTS: readonly (readonly [text: string, line: number | undefined, said: RegExp])[] = [
  ['', 1, /empty/],
  ['hello', undefined, /neither a \.proto text nor a compiled one/],
  ['hello;', 1, /Expected a statement/],
  ['syntax = "proto4";', 1, /"proto4" is not known/],
  ['edition = "2099";', 1, /"2099" is not known/],
  ['message M {}\nsyntax = "proto3";', 2, /must be the first statement/],
  [message('string a = 1'), 4, /Expected ';' after the field a/],
  [message('string a;'), 3, /Expected '=' between the field a and its number/],
  [message('string a = "1";'), 3, /Expected the number of a field, found a string/],
  [message('string a = 1;\nstring b = 1;'), 4, /a and b of M have the same number 1/],
  [message('string a = 1;\nint32 a = 2;'), 4, /The name M\.a is taken already/],
  [message('string a = 0;'), 3, /1 to 536870911/],
  [message('string a = 536870912;'), 3, /1 to 536870911/],
  [message('string a = 99999999999;'), 3, /out of range/],
  [message('string a = 19500;'), 3, /19000 to 19999/],
  [message('reserved 2 to 4;\nstring a = 3;'), 4, /3, which is reserved/],
  [message('reserved "a";\nstring a = 3;'), 4, /The name a is reserved/],
  [message('reserved a;'), 3, /must be in quotes/],
  [message('reserved 4 to 2;'), 3, /ends before it begins/],
  [message('reserved 1 to 5, 3;'), 3, /in two ranges/],
  [message('Nothing a = 1;'), 3, /The type Nothing is not declared/],
  [message('required string a = 1;'), 3, /proto3 has no required fields/],
  [message('optional group A = 1 {}'), 3, /Only proto2 has groups/],
  [message('map<double, string> a = 1;'), 3, /Keys of a map are integers, bool or string/],
  [message('map<M, string> a = 1;'), 3, /Keys of a map/],
  [message('repeated map<string, string> a = 1;'), 3, /A map has no label/],
  [message('map<string, string> a = 1;\nmessage AEntry {}'), 4, /AEntry is taken already/],
  [message('oneof c {}'), 3, /has no fields/],
  [message('oneof c { repeated string a = 1; }'), 3, /have no label/],
  [message('oneof c { map<string, string> a = 1; }'), 3, /A map cannot be in a oneof/],
  [message('extensions 100 to max;'), 3, /proto3 has no extensions/],
  [message('string a = 1 [default = "x"];'), 3, /proto3 has no default values/],
  [message('string a = 1 [json_name = "x", json_name = "y"];'), 3, /json_name is there twice/],
  [message('repeated int32 a = 1 [packed = maybe];'), 3, /must be true or false/],
  [`${PROTO3}\nmessage M {}\nenum M { A = 0; }`, 3, /The name M is taken already/],
  [`${PROTO3}\nenum E {}`, 2, /has no values/],
  [`${PROTO3}\nenum E { A = 1; }`, 2, /must be 0, which A is not/],
  [`${PROTO3}\nenum E { A = 0; B = 0; }`, 2, /allow_alias/],
  [`${PROTO3}\nenum E { A = 0; }\nenum F { A = 0; }`, 3, /The name A is taken already/],
  [`${PROTO3}\nenum E { A = 0;\nreserved 2; B = 2; }`, 3, /2, which is reserved/],
  ['message M { string a = 1; }', 1, /needs a label in proto2/],
  ['message M { extensions 5 to 9;\noptional string a = 6; }', 2, /kept for extensions/],
  ['message M { extensions 5; }\nextend M { optional string a = 6; }', 2, /does not have 6 among its extensions/],
  [
    'message M { extensions 5; }\nextend M { optional string a = 5; optional string b = 5; }',
    2,
    /a and b extend M with/
  ],
  ['message M { repeated string a = 1 [default = "x"]; }', 1, /Only single values can have a default/],
  ['edition = "2023";\nmessage M { optional string a = 1; }', 2, /Editions have no 'optional'/],
  ['edition = "2023";\nmessage M { reserved "a"; }', 2, /must not be in quotes/],
  [`${PROTO3}\nservice S { rpc A (E) returns (E); }\nenum E { A = 0; }`, 2, /E is not a message/],
  [`${PROTO3}\nimport "a.proto"; import "a.proto";`, 2, /imported/],
  [`${PROTO3}\npackage a;\npackage b;`, 3, /second package/],
  [`${PROTO3}\nmessage M { /* for ever`, 2, /comment has no end/],
  [`${PROTO3}\noption a = "for ever\n`, 2, /string has no end/],
  [`${PROTO3}\noption a = "\\q";`, 2, /escape that Protobuf does not know/],
  [`${PROTO3}\nmessage M { string a = 1x; }`, 2, /runs into a name/]
]

describe('parsing Protobuf', () => {
  for (const [text, line, said] of FAULTS) {
    it(`refuses ${JSON.stringify(text.slice(-50))}`, () => {
      const { kind, place, message: sentence } = faultOf(text)
      assert.match(sentence, said)
      if (line !== undefined) assert.equal(place.line, line)
      assert.equal(kind, sentence.includes('not among the references') ? 'missing_reference' : 'invalid')
    })
  }

  it('says the column', () => {
    assert.deepEqual(faultOf(message('  string a = 19500;')).place, { line: 3, column: 14, dependency: undefined })
  })

  it('takes what is odd but right', () => {
    for (const text of [
      '\ufeff// nothing at all\n;',
      'syntax = "proto" "3"; enum E { option allow_alias = true; A = 0; B = 0x0; C = -1; D = 010; }',
      message('message message { } optional message optional = 1; reserved 5 to max; .M oneof_ = 2;'),
      message('string syntax = 1; string package = 2; string to = 3; string max = 4; string map = 5;'),
      'message M { optional group Data = 1 { optional int32 a = 1; } oneof c { group Other = 2 {} } }',
      'message M { optional float f = 1 [default = -inf]; optional string s = 2 [default = "a" \'b\']; extensions 100 to 199 [verification = UNVERIFIED]; }',
      'edition = "2023"; message M { string a = 1 [features.field_presence = LEGACY_REQUIRED]; reserved b, c; }',
      'edition = "2024"; export message M { local enum E { A = 0; } E e = 1; } import option "x.proto";',
      'syntax = "proto3"; import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { string tag = 50000; } message M { string a = 1 [(tag) = "x", (other.one).two = { a: 1 b < c: [1, 2] > [x.y/z.Z]: "q"; }]; }',
      'syntax = "proto3"; service S { option deprecated = true; rpc A (stream M) returns (M) { option idempotency_level = IDEMPOTENT; } rpc B (.M) returns (stream M); } message M {}'
    ]) {
      parseText(text)
    }
  })

  it('resolves names from within outwards', () => {
    const model = modelOf(`${PROTO3} package a.b;
      message T { message T { T t = 1; .a.b.T u = 2; b.T v = 3; a.b.T.T w = 4; } }`)
    const fields = model.types.get('a.b.T.T')
    const types =
      fields?.kind === 'message' ? [...fields.fields.values()].map(({ type }) => 'name' in type && type.name) : []
    assert.deepEqual(types, ['a.b.T.T', 'a.b.T', 'a.b.T', 'a.b.T.T'])
  })

  it('gives fields the presence, packing and label of their syntax', () => {
    const facts = (text: string) => {
      const [field] = [...(modelOf(text).file.messages[0]?.fields.values() ?? [])]
      return [field?.label, field?.hasPresence, field?.isPacked, field?.isDelimited]
    }
    assert.deepEqual(facts('message M { optional int32 a = 1; }'), ['optional', true, false, false])
    assert.deepEqual(facts('message M { repeated int32 a = 1; }'), ['repeated', false, false, false])
    assert.deepEqual(facts('message M { repeated int32 a = 1 [packed = true]; }'), ['repeated', false, true, false])
    assert.deepEqual(facts(message('int32 a = 1;')), [undefined, false, false, false])
    assert.deepEqual(facts(message('optional int32 a = 1;')), ['optional', true, false, false])
    assert.deepEqual(facts(message('repeated int32 a = 1;')), ['repeated', false, true, false])
    assert.deepEqual(facts('edition = "2023"; message M { int32 a = 1; }'), [undefined, true, false, false])
    const expanded =
      'edition = "2023"; option features = { repeated_field_encoding: EXPANDED }; message M { repeated int32 a = 1; }'
    assert.deepEqual(facts(expanded), ['repeated', false, false, false])
    const required =
      'edition = "2023"; message M { M a = 1 [features.field_presence = LEGACY_REQUIRED, features.message_encoding = DELIMITED]; }'
    assert.deepEqual(facts(required), ['required', true, false, true])
  })
})

describe('imports of Protobuf', () => {
  const uses = `${PROTO3} import "a.proto"; message M { A a = 1; }`

  it('are found among the references', () => {
    assert.ok(modelOf(uses, { 'a.proto': `${PROTO3} message A {}` }).types.has('A'))
  })

  it('are missing by their path, with the file that wants them', () => {
    const fault = faultOf(uses)
    assert.equal(fault.kind, 'missing_reference')
    assert.match(fault.message, /"a\.proto"/)
    const deep = faultOf(uses, { 'a.proto': `${PROTO3}\nimport "b.proto"; message A {}` })
    assert.deepEqual([deep.kind, deep.place.dependency, deep.place.line], ['missing_reference', 'a.proto', 2])
  })

  it('are visible to those who import them, and further only if public', () => {
    const b = `${PROTO3} message A {}`
    assert.ok(modelOf(uses, { 'a.proto': `${PROTO3} import public "b.proto";`, 'b.proto': b }).types.has('A'))
    const { message: said } = faultOf(uses, { 'a.proto': `${PROTO3} import "b.proto";`, 'b.proto': b })
    assert.match(said, /The type A is in "b\.proto"; import that/)
  })

  it('must not go in a circle', () => {
    const { message: said } = faultOf(uses, {
      'a.proto': `${PROTO3} import "b.proto";`,
      'b.proto': `${PROTO3} import "a.proto";`
    })
    assert.match(said, /circle: "a\.proto" imports "b\.proto" imports "a\.proto"/)
  })

  it('say in which file a fault is', () => {
    assert.deepEqual(faultOf(uses, { 'a.proto': `${PROTO3}\nmessage A { B b = 1; }` }).place, {
      line: 2,
      column: 13,
      dependency: 'a.proto'
    })
  })

  it('know the files that need no reference', () => {
    const files = [
      ...[
        'any',
        'api',
        'descriptor',
        'duration',
        'empty',
        'field_mask',
        'source_context',
        'struct',
        'timestamp',
        'type',
        'wrappers'
      ].map((name) => `google/protobuf/${name}`),
      ...['calendar_period', 'color', 'date', 'datetime', 'dayofweek', 'decimal', 'expr', 'fraction', 'interval'].map(
        (name) => `google/type/${name}`
      ),
      ...[
        'latlng',
        'localized_text',
        'money',
        'month',
        'phone_number',
        'postal_address',
        'quaternion',
        'timeofday'
      ].map((name) => `google/type/${name}`),
      'confluent/meta',
      'confluent/type/decimal'
    ]
    const text = `${PROTO3} ${files.map((file) => `import "${file}.proto";`).join('\n')}
      message M { google.protobuf.Timestamp at = 1; google.type.Money price = 2; confluent.type.Decimal d = 3 [(confluent.field_meta).doc = "x"]; }`
    assert.equal(modelOf(text).file.imports.length, files.length)
  })

  it('prefer a reference to what is known', () => {
    const text = `${PROTO3} import "google/type/date.proto"; message M { google.type.Date day = 1; }`
    const own = { 'google/type/date.proto': `${PROTO3} package google.type; message Date { string text = 1; }` }
    const date = modelOf(text, own).types.get('google.type.Date')
    assert.deepEqual(date?.kind === 'message' && [...date.fields.values()].map(({ name }) => name), ['text'])
  })
})

const DEEP = 10_000

describe('hostile Protobuf', () => {
  it('is not followed for ever inwards', () => {
    const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP)
    for (const text of [
      nested('message M {', '}'),
      `option a = ${nested('{ a: ', '}')};`,
      `option a = { ${nested('a <', '>')} };`,
      `option a = { b: ${nested('[', ']')} };`,
      nested('message M { optional group G = 1 {', '} }')
    ]) {
      assert.equal(faultOf(text).kind, 'too_complex')
    }
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`${n}.proto`, `import "${n + 1}.proto";`])
    )
    assert.equal(faultOf('import "0.proto";', files).kind, 'too_complex')
  })

  it('is not read when it is too long, with all that it imports', () => {
    const long = `${PROTO3} // ${'x'.repeat(600_000)}`
    assert.equal(faultOf(long, { 'a.proto': long }).kind, 'too_complex')
    assert.equal(faultOf(`${' '.repeat(900_000)}x;`).kind, 'invalid')
    assert.equal(faultOf(`message ${'M'.repeat(5_000)} {}`).kind, 'invalid')
    const names = `message ${'M'.repeat(900)} {`.repeat(5) + '}'.repeat(5)
    assert.equal(faultOf(names).kind, 'too_complex')
  })

  it('is answered where it is only long', () => {
    const fields = Array.from({ length: 20_000 }, (_, n) => `string f${n} = ${n < 18_999 ? n + 1 : n + 1_001};`)
    const { model } = parseText(`${PROTO3} message M { ${fields.join('\n')} }`)
    assert.equal(model.file.messages[0]?.fields.size, fields.length)
    assert.equal(compare(model, modelOf(`${PROTO3} message M {}`)).length, fields.length)
  })

  it('costs effort, and no more than it is given', () => {
    const text = `${PROTO3} message M { ${Array.from({ length: 500 }, (_, n) => `M f${n} = ${n + 1};`).join(' ')} }`
    const poor = () => new Effort(100)
    assert.throws(() => protobuf.parse({ text, dependencies: [] }, poor()), { kind: 'too_complex' })
    const model = modelOf(text)
    assert.throws(() => protobuf.differences(model, modelOf(`${PROTO3} message M {}`), poor()), { kind: 'too_complex' })
    // Each message holds the next one twice: as a shape it would have 2^60 parts.
    const doubling = Array.from({ length: 60 }, (_, n) => `message M${n} { M${n + 1} a = 1; M${n + 1} b = 2; }`)
    const fanOut = modelOf(`${PROTO3} ${doubling.join(' ')} message M60 {}`)
    assert.throws(() => protobuf.toShape(fanOut, new Effort(10_000)), { kind: 'too_complex' })
    exampleOf(fanOut, 1)
  })

  it('values end somewhere too', () => {
    const model = modelOf(
      `${PROTO3} import "google/protobuf/struct.proto"; message M { M m = 1; google.protobuf.Value v = 2; }`
    )
    let [deep, free]: [object, unknown] = [{}, 1]
    for (let depth = 0; depth < DEEP; depth++) [deep, free] = [{ m: deep }, [free]]
    assert.throws(() => faultsIn(model, deep), { kind: 'too_complex' })
    assert.throws(() => faultsIn(model, { v: free }), { kind: 'too_complex' })
    assert.equal(faultsIn(model, Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, 1]))).length, 100)
  })

  it('of names that mean something in JavaScript is like any other', () => {
    const text = `${PROTO3} package constructor; message __proto__ { string __proto__ = 1; toString valueOf = 2; }
      message toString { hasOwnProperty constructor = 1 [prototype = 1]; } enum hasOwnProperty { __defineGetter__ = 0; }`
    assert.deepEqual(compare(modelOf(text), modelOf(text)), [])
    assert.match(faultOf(`${PROTO3} message M { constructor a = 1; }`).message, /not declared/)
    assert.equal(faultOf('import "__proto__";').kind, 'missing_reference')
  })

  it('is answered or refused, never anything else', () => {
    checkAnyText(500)
  })
})
