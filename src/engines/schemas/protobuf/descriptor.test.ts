import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import descriptor from 'protobufjs/ext/descriptor.js'
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
