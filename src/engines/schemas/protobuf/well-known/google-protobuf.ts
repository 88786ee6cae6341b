/** The files that come with every Protobuf compiler, as facts about their fields. */
export const GOOGLE_PROTOBUF: Readonly<Record<string, string>> = {
  'google/protobuf/any.proto': 'message Any { string type_url = 1; bytes value = 2; }',
  'google/protobuf/duration.proto': 'message Duration { int64 seconds = 1; int32 nanos = 2; }',
  'google/protobuf/timestamp.proto': 'message Timestamp { int64 seconds = 1; int32 nanos = 2; }',
  'google/protobuf/empty.proto': 'message Empty {}',
  'google/protobuf/field_mask.proto': 'message FieldMask { repeated string paths = 1; }',
  'google/protobuf/struct.proto': `
    message Struct { map<string, Value> fields = 1; }
    message Value {
      oneof kind {
        NullValue null_value = 1;
        double number_value = 2;
        string string_value = 3;
        bool bool_value = 4;
        Struct struct_value = 5;
        ListValue list_value = 6;
      }
    }
    enum NullValue { NULL_VALUE = 0; }
    message ListValue { repeated Value values = 1; }`,
  'google/protobuf/wrappers.proto': `
    message DoubleValue { double value = 1; }
    message FloatValue { float value = 1; }
    message Int64Value { int64 value = 1; }
    message UInt64Value { uint64 value = 1; }
    message Int32Value { int32 value = 1; }
    message UInt32Value { uint32 value = 1; }
    message BoolValue { bool value = 1; }
    message StringValue { string value = 1; }
    message BytesValue { bytes value = 1; }`
}

/** Those that are too long to be told again; protobufjs brings them. */
export const FILES_OF_PROTOBUFJS: ReadonlySet<string> = new Set([
  'google/protobuf/api.proto',
  'google/protobuf/descriptor.proto',
  'google/protobuf/source_context.proto',
  'google/protobuf/type.proto'
])
