import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseText } from './testing/parsing.ts'
import { checkCanonical } from './testing/properties.ts'

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
