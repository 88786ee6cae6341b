import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Shape } from '../format.ts'
import * as protobuf from './index.ts'
import { checkAnyShape, checkThereAndBack, INT, shapeOf } from './testing/properties.ts'
import { modelOf } from './testing/specs.ts'

describe('Protobuf as a shape', () => {
  it('has the fields of the first message, and says what is lost', () => {
    const { result, lost } = shapeOf(`syntax = "proto3"; package s; import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto"; import "google/protobuf/struct.proto"; import "confluent/meta.proto";
      import "confluent/type/decimal.proto";
      message M {
        int32 a = 1; optional string b = 2; repeated M c = 3; map<string, bytes> d = 4; E e = 5;
        google.protobuf.Timestamp f = 6; google.protobuf.BoolValue g = 7; google.protobuf.Value h = 8;
        oneof x { int32 i = 9; int32 j = 12; }
        confluent.type.Decimal k = 13 [(confluent.field_meta) = {
          params: [{ key: "precision", value: "9" }, { key: "scale", value: "2" }] }];
      }
      enum E { A = 0; B = 5; }`)
    const field = (name: string, shape: Shape, optional: boolean, value?: unknown) => {
      return { name, shape, optional, ...(value === undefined ? {} : { default: value }) }
    }
    assert.deepEqual(result, {
      kind: 'record',
      name: 's.M',
      open: false,
      fields: [
        field('a', INT, false, 0),
        field('b', { kind: 'string' }, true),
        field('c', { kind: 'list', items: { kind: 'recursion', name: 's.M' } }, false, []),
        field('d', { kind: 'map', values: { kind: 'bytes' } }, false, {}),
        field('e', { kind: 'enum', name: 's.E', values: ['A', 'B'] }, false, 'A'),
        field('f', { kind: 'string', format: 'date-time' }, true),
        field('g', { kind: 'union', options: [{ kind: 'boolean' }, { kind: 'null' }] }, true),
        field('h', { kind: 'any' }, true),
        field('i', INT, true),
        field('j', INT, true),
        field('k', { kind: 'decimal', precision: 9, scale: 2 }, true)
      ]
    })
    assert.deepEqual(
      lost.map(({ path }) => path),
      ['/s.M', '/s.M/x', '/s.M/5']
    )
  })

  it('and back is the same, whatever the schema', () => {
    checkThereAndBack(40)
  })
})

describe('a shape as Protobuf', () => {
  it('is a text that people can read', () => {
    const { result, lost } = protobuf.fromShape({
      kind: 'record',
      name: 'shop.Order',
      doc: 'An order.\nOf a customer.',
      fields: [
        { name: 'id', doc: 'Its number', shape: { kind: 'integer', bits: 64, signed: true }, optional: false },
        { name: 'unit price', shape: { kind: 'decimal', precision: 10, scale: 2 }, optional: true },
        { name: 'state', shape: { kind: 'enum', name: 'State', values: ['OPEN', 'shipped off'] }, optional: false },
        {
          name: 'lines',
          shape: {
            kind: 'list',
            items: {
              kind: 'record',
              name: 'Line',
              fields: [{ name: 'sku', shape: { kind: 'string', format: 'uuid' }, optional: true }]
            }
          },
          optional: false
        },
        { name: 'at', shape: { kind: 'string', format: 'date-time' }, optional: false },
        { name: 'ref', shape: { kind: 'union', options: [{ kind: 'string' }, INT, { kind: 'null' }] }, optional: true },
        { name: 'grid', shape: { kind: 'list', items: { kind: 'list', items: INT } }, optional: false },
        { name: 'parent', shape: { kind: 'recursion', name: 'shop.Order' }, optional: true },
        {
          name: 'tags',
          shape: { kind: 'map', values: { kind: 'union', options: [{ kind: 'string' }, { kind: 'null' }] } },
          optional: false
        },
        { name: 'rest', shape: { kind: 'any' }, optional: true }
      ]
    })
    assert.equal(
      result,
      `syntax = "proto3";

package shop;

import "confluent/meta.proto";
import "confluent/type/decimal.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";

// An order.
// Of a customer.
message Order {
  // Its number
  int64 id = 1;
  confluent.type.Decimal unit_price = 2 [(confluent.field_meta) = { params: [{ key: "precision", value: "10" }, { key: "scale", value: "2" }] }, json_name = "unit price"];
  State state = 3;
  repeated Line lines = 4;
  google.protobuf.Timestamp at = 5;
  oneof ref_choice {
    string ref_string = 6;
    int32 ref_integer = 7;
  }
  repeated Grid grid = 8;
  Order parent = 9;
  map<string, string> tags = 10;
  google.protobuf.Value rest = 11;

  enum State {
    STATE_UNSPECIFIED = 0;
    OPEN = 1;
    shipped_off = 2;
  }
}

message Line {
  optional string sku = 1;
}

message Grid {
  repeated int32 value = 1;
}
`
    )
    modelOf(result)
    const paths = lost.map(({ path }) => path).sort()
    assert.deepEqual(paths, ['/at', '/grid/*', '/lines/*/sku', '/ref', '/state', '/state', '/tags/*'])
  })

  it('has names that stand for nothing else', () => {
    const text = (name: string, ...fields: [name: string, shape: Shape][]) => {
      const shape: Shape = {
        kind: 'record',
        name,
        fields: fields.map(([field, inner]) => ({ name: field, shape: inner, optional: true }))
      }
      const { result } = protobuf.fromShape(shape)
      return [...(modelOf(result).file.messages[0]?.fields.values() ?? [])].map((field) => [field.name, field.jsonName])
    }
    const map: Shape = { kind: 'map', values: INT }
    // A map has a message of this name, which nobody sees.
    assert.deepEqual(text('A', ['AEntry', INT], ['a', map]), [
      ['AEntry', 'AEntry'],
      ['a2', 'a']
    ])
    const time: Shape = {
      kind: 'record',
      name: 'com.google.A',
      fields: [{ name: 'at', shape: { kind: 'string', format: 'date-time' }, optional: true }]
    }
    assert.match(protobuf.fromShape(time).result, / \.google\.protobuf\.Timestamp at = 1;/)
    assert.deepEqual(text('A', ['a_b', INT], ['aB', INT]), [
      ['a_b', 'a_b'],
      ['aB', 'aB']
    ])
    assert.deepEqual(text('A', ['aB', INT], ['a_b', INT], ['a__b', INT]), [
      ['aB', 'aB'],
      ['a_b', 'a_b'],
      ['a__b', 'a__b']
    ])
  })

  it('is a schema for every shape', () => {
    checkAnyShape(60)
  })
})
