import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Effort } from '../fault.ts'
import { SourceText } from './syntax/cursor.ts'
import type { FileNode } from './syntax/nodes.ts'
import { parseFile } from './syntax/parse-file.ts'

/** The files that come with every Protobuf compiler, as facts about their fields. */
const GOOGLE_PROTOBUF: Readonly<Record<string, string>> = {
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

/** Files that are too long to repeat here; protobufjs contains them. */
const FILES_OF_PROTOBUFJS: ReadonlySet<string> = new Set([
  'google/protobuf/api.proto',
  'google/protobuf/descriptor.proto',
  'google/protobuf/source_context.proto',
  'google/protobuf/type.proto'
])

/** Common types that many import without having them at hand. */
const GOOGLE_TYPE: Readonly<Record<string, string>> = {
  'google/type/calendar_period.proto': `enum CalendarPeriod {
    CALENDAR_PERIOD_UNSPECIFIED = 0; DAY = 1; WEEK = 2; FORTNIGHT = 3; MONTH = 4; QUARTER = 5; HALF = 6; YEAR = 7;
  }`,
  'google/type/color.proto': `import "google/protobuf/wrappers.proto";
    message Color { float red = 1; float green = 2; float blue = 3; google.protobuf.FloatValue alpha = 4; }`,
  'google/type/date.proto': 'message Date { int32 year = 1; int32 month = 2; int32 day = 3; }',
  'google/type/datetime.proto': `import "google/protobuf/duration.proto";
    message DateTime {
      int32 year = 1; int32 month = 2; int32 day = 3;
      int32 hours = 4; int32 minutes = 5; int32 seconds = 6; int32 nanos = 7;
      oneof time_offset { google.protobuf.Duration utc_offset = 8; TimeZone time_zone = 9; }
    }
    message TimeZone { string id = 1; string version = 2; }`,
  'google/type/dayofweek.proto': `enum DayOfWeek {
    DAY_OF_WEEK_UNSPECIFIED = 0;
    MONDAY = 1; TUESDAY = 2; WEDNESDAY = 3; THURSDAY = 4; FRIDAY = 5; SATURDAY = 6; SUNDAY = 7;
  }`,
  'google/type/decimal.proto': 'message Decimal { string value = 1; }',
  'google/type/expr.proto':
    'message Expr { string expression = 1; string title = 2; string description = 3; string location = 4; }',
  'google/type/fraction.proto': 'message Fraction { int64 numerator = 1; int64 denominator = 2; }',
  'google/type/interval.proto': `import "google/protobuf/timestamp.proto";
    message Interval { google.protobuf.Timestamp start_time = 1; google.protobuf.Timestamp end_time = 2; }`,
  'google/type/latlng.proto': 'message LatLng { double latitude = 1; double longitude = 2; }',
  'google/type/localized_text.proto': 'message LocalizedText { string text = 1; string language_code = 2; }',
  'google/type/money.proto': 'message Money { string currency_code = 1; int64 units = 2; int32 nanos = 3; }',
  'google/type/month.proto': `enum Month {
    MONTH_UNSPECIFIED = 0;
    JANUARY = 1; FEBRUARY = 2; MARCH = 3; APRIL = 4; MAY = 5; JUNE = 6;
    JULY = 7; AUGUST = 8; SEPTEMBER = 9; OCTOBER = 10; NOVEMBER = 11; DECEMBER = 12;
  }`,
  'google/type/phone_number.proto': `message PhoneNumber {
    message ShortCode { string region_code = 1; string number = 2; }
    oneof kind { string e164_number = 1; ShortCode short_code = 2; }
    string extension = 3;
  }`,
  'google/type/postal_address.proto': `message PostalAddress {
    int32 revision = 1; string region_code = 2; string language_code = 3; string postal_code = 4;
    string sorting_code = 5; string administrative_area = 6; string locality = 7; string sublocality = 8;
    repeated string address_lines = 9; repeated string recipients = 10; string organization = 11;
  }`,
  'google/type/quaternion.proto': 'message Quaternion { double x = 1; double y = 2; double z = 3; double w = 4; }',
  'google/type/timeofday.proto':
    'message TimeOfDay { int32 hours = 1; int32 minutes = 2; int32 seconds = 3; int32 nanos = 4; }'
}

/** What schemas from Confluent's registry import without a reference. */
const CONFLUENT: Readonly<Record<string, string>> = {
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

const TEXTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(GOOGLE_PROTOBUF).map(([path, text]) => [path, `package google.protobuf; ${text}`] as const),
  ...Object.entries(GOOGLE_TYPE).map(([path, text]) => [path, `package google.type; ${text}`] as const),
  ...Object.entries(CONFLUENT)
])
const EFFORT = 100_000
/** At most one for each path above. */
const parsed = new Map<string, FileNode>()

export function isWellKnown(file: FileNode): boolean {
  return parsed.get(file.source.dependency ?? '') === file
}

/** A file that may be imported without being registered. */
export function wellKnownFile(path: string): FileNode | undefined {
  const known = parsed.get(path)
  if (known !== undefined) return known
  const text = textOf(path)
  if (text === undefined) return undefined
  const file = parseFile(new SourceText(text, path), new Effort(EFFORT))
  parsed.set(path, file)
  return file
}

function textOf(path: string): string | undefined {
  const text = TEXTS.get(path)
  if (text !== undefined) return `syntax = "proto3"; ${text}`
  if (!FILES_OF_PROTOBUFJS.has(path)) return undefined
  return readFileSync(createRequire(import.meta.url).resolve(`protobufjs/${path}`), 'utf8')
}
