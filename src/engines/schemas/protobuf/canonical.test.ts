import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import descriptor from 'protobufjs/ext/descriptor.js'
import { checkCanonical } from './testing/properties.ts'
import { faultOf, parseText } from './testing/specs.ts'

function compiled(file: Record<string, unknown>): string {
  const { FileDescriptorProto } = descriptor
  return Buffer.from(FileDescriptorProto.encode(FileDescriptorProto.fromObject(file)).finish()).toString('base64')
}

const [INT32, STRING, BYTES, MESSAGE, ENUM] = [5, 9, 12, 11, 14]
const [OPTIONAL, REPEATED] = [1, 3]

const FILE = {
  name: 'order.proto',
  package: 'shop',
  syntax: 'proto3',
  dependency: ['google/protobuf/timestamp.proto'],
  options: { javaPackage: 'A', javaMultipleFiles: true, optimizeFor: 'CODE_SIZE' },
  messageType: [
    {
      name: 'Order',
      field: [
        { name: 'unit_price', number: 1, label: OPTIONAL, type: INT32, jsonName: 'unitPrice' },
        {
          name: 'tags',
          number: 2,
          label: REPEATED,
          type: MESSAGE,
          typeName: '.shop.Order.TagsEntry',
          jsonName: 'tags'
        },
        {
          name: 'note',
          number: 3,
          label: OPTIONAL,
          type: STRING,
          oneofIndex: 1,
          proto3Optional: true,
          jsonName: 'note'
        },
        { name: 'a', number: 4, label: OPTIONAL, type: STRING, oneofIndex: 0, jsonName: 'a' },
        { name: 'b', number: 5, label: OPTIONAL, type: ENUM, typeName: '.shop.State', oneofIndex: 0, jsonName: 'B!' },
        {
          name: 'at',
          number: 6,
          label: OPTIONAL,
          type: MESSAGE,
          typeName: '.google.protobuf.Timestamp',
          jsonName: 'at'
        },
        { name: 'n', number: 7, label: REPEATED, type: INT32, options: { packed: false }, jsonName: 'n' }
      ],
      nestedType: [
        {
          name: 'TagsEntry',
          options: { mapEntry: true },
          field: [
            { name: 'key', number: 1, label: OPTIONAL, type: STRING },
            { name: 'value', number: 2, label: OPTIONAL, type: BYTES }
          ]
        }
      ],
      oneofDecl: [{ name: 'c' }, { name: '_note' }],
      reservedRange: [{ start: 10, end: 13 }],
      reservedName: ['old']
    }
  ],
  enumType: [
    {
      name: 'State',
      value: [
        { name: 'NEW', number: 0 },
        { name: 'OLD', number: 1, options: { deprecated: true } }
      ],
      reservedRange: [{ start: 5, end: 5 }]
    }
  ],
  service: [
    { name: 'S', method: [{ name: 'Get', inputType: '.shop.Order', outputType: '.shop.Order', serverStreaming: true }] }
  ]
}

const TEXT = `syntax = "proto3"; package shop; import "google/protobuf/timestamp.proto";
  option java_package = "A"; option java_multiple_files = true; option optimize_for = CODE_SIZE;
  message Order { int32 unit_price = 1; map<string, bytes> tags = 2; optional string note = 3;
    oneof c { string a = 4; State b = 5 [json_name = "B!"]; } google.protobuf.Timestamp at = 6;
    repeated int32 n = 7 [packed = false]; reserved 10 to 12; reserved "old"; }
  enum State { NEW = 0; OLD = 1 [deprecated = true]; reserved 5; }
  service S { rpc Get (Order) returns (stream Order); }`

describe('compiled Protobuf in base64', () => {
  it('is the same schema as its text', () => {
    assert.equal(parseText(compiled(FILE)).canonical, parseText(TEXT).canonical)
  })

  it('can be of proto2, with groups, defaults and extensions, or of an edition', () => {
    const two = compiled({
      messageType: [
        {
          name: 'M',
          field: [
            { name: 's', number: 1, label: OPTIONAL, type: STRING, defaultValue: 'ä"' },
            { name: 'raw', number: 2, label: 2, type: BYTES, defaultValue: '\\001\\"' },
            { name: 'g', number: 3, label: REPEATED, type: 10, typeName: '.M.G' }
          ],
          nestedType: [{ name: 'G' }],
          extensionRange: [{ start: 100, end: 201 }]
        }
      ],
      extension: [{ name: 'x', number: 150, label: OPTIONAL, type: INT32, extendee: '.M' }]
    })
    const text = `message M { optional string s = 1 [default = 'ä"']; required bytes raw = 2 [default = "\\001\\""];
      repeated group G = 3 {} extensions 100 to 200; } extend M { optional int32 x = 150; }`
    assert.equal(parseText(two).canonical, parseText(text).canonical)
    const edition = compiled({
      syntax: 'editions',
      edition: 1000,
      messageType: [
        {
          name: 'M',
          field: [
            { name: 'a', number: 1, label: OPTIONAL, type: INT32, options: { features: { fieldPresence: 'IMPLICIT' } } }
          ]
        }
      ]
    })
    const written = 'edition = "2023"; message M { int32 a = 1 [features = { field_presence: IMPLICIT }]; }'
    assert.equal(parseText(edition).canonical, parseText(written).canonical)
  })

  it('can be what another schema imports', () => {
    const text = 'syntax = "proto3"; import "order.proto"; message M { shop.Order order = 1; }'
    assert.ok(parseText(text, { 'order.proto': compiled(FILE) }).model.types.has('shop.Order'))
  })

  it('is refused where it is none or has nonsense for names', () => {
    assert.match(faultOf('aGVsbG8').message, /neither/)
    for (const name of ['', 'a b', 'a;', '1a', 'x'.repeat(2_000)]) {
      assert.match(faultOf(compiled({ messageType: [{ name }] })).message, /is not a name/)
    }
    assert.match(faultOf(compiled({ messageType: [{ name: 'M', field: [{ name: 'a', number: 0 }] }] })).message, /./)
    assert.match(faultOf(compiled({ syntax: 'proto9' })).message, /not known/)
  })
})

const canonicalOf = (text: string) => parseText(text).canonical

const ONE = `syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";
option java_package = "x";
option go_package = "y";
message Order {
  string id = 1;
  Line line = 2 [deprecated = true, json_name = "theLine"];
  oneof c { int32 a = 4; int32 b = 5; }
  enum E { A = 0; B = 2; C = 1; }
  reserved 9, 10; reserved "y", "x";
}
message Line { repeated int32 n = 1 [packed = true]; }`

const SAME = `
  /* the same */ syntax = 'proto3'; import 'google/protobuf/struct.proto';
  option go_package = "\\171"; import "google/protobuf/timestamp.proto"; package shop; option java_package = "x";
  option java_multiple_files = false;
  message Order { // in another order
    reserved "x", "y"; oneof c { int32 b = 0x5; int32 a = 04; } reserved 9 to 10;
    enum E { A = 0; C = 1; B = 2 [deprecated = false]; }
    optional .shop.Line line = 2 [json_name = "theLine", deprecated = true];
    string id = 1 [json_name = "id"];;
  }
  message Line { repeated int32 n = 1; }`

describe('the canonical text of Protobuf', () => {
  it('is one for all spellings of a schema', () => {
    assert.equal(canonicalOf(SAME), canonicalOf(ONE))
  })

  it('is another for everything that means something', () => {
    const changes: readonly (readonly [string, string])[] = [
      ['proto3', 'proto2'],
      ['package shop', 'package shops'],
      ['java_package = "x"', 'java_package = "z"'],
      ['string id = 1', 'string id = 3'],
      ['string id = 1', 'string ident = 1'],
      ['string id = 1', 'bytes id = 1'],
      ['string id = 1', 'optional string id = 1'],
      ['string id = 1', 'repeated string id = 1'],
      ['"theLine"', '"line2"'],
      ['[packed = true]', '[packed = false]'],
      ['B = 2', 'B = 3'],
      ['reserved 9, 10', 'reserved 9'],
      ['reserved "y", "x"', 'reserved "x"'],
      ['int32 b = 5;', ''],
      ['oneof c', 'oneof d']
    ]
    const texts = changes.map(([from, to]) => {
      const text = ONE.replace(from, to)
      return from === 'proto3' ? text.replace(/^ {2}(string|Line)/gm, '  optional $1') : text
    })
    const all = [ONE, ...texts].map(canonicalOf)
    assert.equal(new Set(all).size, all.length)
  })

  it('keeps the order of messages, which data refer to', () => {
    const [a, b] = ['message A { message C {} message D {} }', 'message B {}']
    assert.notEqual(canonicalOf(`${a} ${b}`), canonicalOf(`${b} ${a}`))
    assert.notEqual(canonicalOf(a), canonicalOf('message A { message D {} message C {} }'))
  })

  it('keeps the first value of an enum, which is the default', () => {
    assert.notEqual(canonicalOf('enum E { A = 1; B = 2; }'), canonicalOf('enum E { B = 2; A = 1; }'))
    assert.equal(canonicalOf('enum E { A = 1; B = 2; C = 3; }'), canonicalOf('enum E { A = 1; C = 3; B = 2; }'))
  })

  it('is itself a schema with the same canonical text', () => {
    const odd = `syntax = "proto3"; import "confluent/meta.proto"; option (a).b = { c: "ü\\377" d: [1, -2.50, inf] };
      message M { string a = 1 [(confluent.field_meta) = { doc: "The \\"a\\"" tags: "x" tags: "y" }]; }`
    for (const text of [ONE, odd]) assert.equal(canonicalOf(canonicalOf(text)), canonicalOf(text))
  })

  it('is the same exactly where nothing is different', () => {
    checkCanonical(60)
  })
})
