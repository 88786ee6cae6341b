/** What schemas from Confluent's registry import without a reference. */
export const CONFLUENT: Readonly<Record<string, string>> = {
  'confluent/meta.proto': `package confluent;
    import "google/protobuf/descriptor.proto";
    message Meta { string doc = 1; map<string, string> params = 2; repeated string tags = 3; }
    extend google.protobuf.FileOptions { Meta file_meta = 1088; }
    extend google.protobuf.MessageOptions { Meta message_meta = 1088; }
    extend google.protobuf.FieldOptions { Meta field_meta = 1088; }
    extend google.protobuf.EnumOptions { Meta enum_meta = 1088; }
    extend google.protobuf.EnumValueOptions { Meta enum_value_meta = 1088; }`,
  'confluent/type/decimal.proto': `package confluent.type;
    message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }`
}
