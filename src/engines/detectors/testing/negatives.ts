import { between, pick, type Random } from '../../seeded-random.ts'
import { luhn, some } from './check-digits.ts'
import type { MakeValue } from './columns.ts'
import * as people from './people.ts'

/** Columns that hold nothing sensitive and look as if they did, by their names or by their values. */
interface Negative {
  readonly names: readonly string[]
  /** Made once for a column, so that numbers can count up. */
  make(random: Random): MakeValue
}

const each =
  (make: MakeValue): Negative['make'] =>
  () =>
    make
const oneOf = (...values: readonly string[]) => each((random) => pick(random, values))
const counting =
  (from: number, format = String): Negative['make'] =>
  () => {
    let next = from
    return () => format(next++)
  }
const hex = (random: Random, count: number) => some(random, count, '0123456789abcdef')
const time = (random: Random) =>
  `${people.isoDate(random)}T${String(between(random, 0, 23)).padStart(2, '0')}:${String(between(random, 1, 59)).padStart(2, '0')}:07.000Z`
/** A number whose last digit is never Luhn's. */
const notLuhn = (random: Random) => {
  const right = luhn(`4${some(random, 14)}`)
  return right.slice(0, -1) + ((Number(right.at(-1)) + between(random, 1, 9)) % 10)
}

const PRODUCTS = [
  'Aurora Desk Lamp',
  'Charlotte Velvet Chair',
  'Victoria Sponge Cake',
  'Galaxy Ultra',
  'Thunder Drill Pro',
  'Blue Ocean Perfume',
  'Max Comfort Shoes',
  'Nordic Oak Table',
  'Silver Moon Necklace',
  'Classic Leather Jacket',
  'Oliver Twist Edition',
  'Alpine Coffee Blend',
  'Red Dragon Keyboard',
  'Urban Backpack',
  'Diana Camera',
  'Golden Retriever Plush'
]

export const NEGATIVES: readonly Negative[] = [
  {
    names: ['email_verified', 'is_email', 'has_phone', 'phone_verified', 'card_present', 'emailOptIn'],
    make: oneOf('true', 'false')
  },
  {
    names: ['email_count', 'phone_calls', 'card_count', 'address_count', 'token_count', 'name_length'],
    make: each((random) => `${between(random, 0, 900)}`)
  },
  {
    names: ['email_status', 'phone_type', 'card_type', 'address_type', 'iban_status'],
    make: oneOf('home', 'work', 'active', 'bounced', 'visa')
  },
  {
    names: ['email_template', 'mail_subject'],
    make: oneOf('Welcome aboard', 'Your invoice', 'Reset it', 'Hello again')
  },
  {
    names: ['email_sent_at', 'password_changed_at', 'phone_confirmed_at', 'last_login', 'created_at', 'updated_at'],
    make: each(time)
  },
  {
    names: ['created_on', 'order_date', 'due_date', 'shipped', 'invoice_date', 'valid_from', 'hire_date'],
    make: each(people.isoDate)
  },
  { names: ['birth_place', 'city', 'stadt', 'ville', 'ciudad', 'destination'], make: each(people.city) },
  { names: ['birthday_discount', 'birth_order'], make: each((random) => `${between(random, 1, 20)}`) },
  { names: ['order_id', 'invoice_no', 'card_transaction_id', 'reference', 'tracking_number'], make: each(notLuhn) },
  { names: ['id', 'order_no', 'row', 'customer_id', 'pk'], make: counting(100_000_001) },
  { names: ['document_id', 'batch', 'ticket'], make: counting(71_000_000_001) },
  { names: ['serial', 'sequence', 'message_no'], make: counting(4_000_000_000_000_001) },
  { names: ['random_key', 'hash_bucket', 'quantity_sold'], make: each((random) => some(random, 9, '123456789')) },
  { names: ['nonce', 'device_number', 'meter'], make: each((random) => some(random, 11, '123456789')) },
  { names: ['epoch', 'ts', 'unix_time'], make: each((random) => `17${some(random, 8)}`) },
  { names: ['epoch_ms', 'event_time'], make: each((random) => `17${some(random, 11)}`) },
  { names: ['imei', 'device_imei'], make: each((random) => luhn(`35${some(random, 12)}`)) },
  { names: ['siren', 'siren_client'], make: each((random) => luhn(some(random, 8, '123456789'))) },
  { names: ['product_name', 'product', 'item', 'artikel', 'title', 'produit'], make: oneOf(...PRODUCTS) },
  {
    names: ['company', 'supplier_name', 'firma', 'vendor'],
    make: oneOf(
      'Acme Inc',
      'Müller GmbH',
      'Northwind Traders',
      'Rossi SpA',
      'Blue Sky Holdings',
      'Contoso Ltd',
      'Nordic Oy',
      'Dubois SARL'
    )
  },
  {
    names: ['country', 'land', 'country_name', 'pays'],
    make: oneOf('Germany', 'France', 'United Kingdom', 'South Africa', 'New Zealand', 'Italy')
  },
  {
    names: ['department', 'team', 'job_title', 'role'],
    make: oneOf('Data Engineering', 'Human Resources', 'Sales Manager', 'Plant Operator', 'Finance')
  },
  {
    names: ['category', 'color', 'season', 'weekday'],
    make: oneOf('Blue', 'Summer', 'Garden', 'Monday', 'Electronics', 'May', 'June')
  },
  {
    names: ['comment', 'description', 'notes', 'text'],
    make: oneOf(
      'Delivered on time.',
      'Customer asked for a refund',
      'see attached file',
      'Pump 3 was replaced',
      'no remarks',
      'Level 5 reached'
    )
  },
  {
    names: ['username', 'user_name', 'login', 'handle'],
    make: each((random) => `${pick(random, ['sky', 'pump', 'neo', 'max'])}${some(random, 3)}`)
  },
  { names: ['twitter', 'mention'], make: each((random) => `@${some(random, 7, 'abcdefgh')}`) },
  { names: ['package', 'npm_package'], make: each((random) => `@scope/${some(random, 6, 'abcdefgh')}`) },
  { names: ['asset', 'icon_file'], make: each((random) => `${some(random, 5, 'abcdef')}@2x.png`) },
  {
    names: ['git_remote', 'repo'],
    make: each((random) => `git@git.example.com:team/${some(random, 6, 'abcdef')}.git`)
  },
  {
    names: ['url', 'website', 'callback_url', 'web_address'],
    make: each((random) => `https://www.example.com/${hex(random, 6)}?id=${some(random, 5)}`)
  },
  {
    names: ['hostname', 'server', 'domain', 'host_name'],
    make: each((random) => `node-${between(random, 1, 90)}.example.net`)
  },
  {
    names: ['version', 'firmware_version', 'software_version', 'release'],
    make: each(
      (random) =>
        `${between(random, 1, 12)}.${between(random, 0, 30)}.${between(random, 0, 9)}.${between(random, 0, 99)}`
    )
  },
  {
    names: ['app_version', 'semver'],
    make: each((random) => `${between(random, 1, 12)}.${between(random, 0, 30)}.${between(random, 0, 9)}`)
  },
  {
    names: ['uuid', 'request_id', 'trace', 'session_id'],
    make: each(
      (random) => `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`
    )
  },
  { names: ['sha256', 'checksum', 'etag', 'commit', 'file_hash', 'digest'], make: each((random) => hex(random, 64)) },
  { names: ['object_id', 'span', 'color_code'], make: each((random) => hex(random, 12)) },
  {
    names: ['price', 'amount', 'temperature', 'value', 'latency', 'weight'],
    make: each((random) => (random() * 100).toFixed(between(random, 1, 2)))
  },
  {
    names: ['sensor_reading', 'voltage', 'ratio', 'lat_ms', 'score'],
    make: each((random) => (random() * 90).toFixed(5))
  },
  {
    names: ['change', 'delta', 'offset', 'balance'],
    make: each((random) => `${pick(random, ['+', '-'])}${some(random, 3)}.${some(random, 2)}`)
  },
  { names: ['delta_bytes', 'diff'], make: each((random) => `+${between(random, 1, 9)}${some(random, 8)}`) },
  { names: ['timezone', 'utc_offset'], make: oneOf('+02:00', '+0530', '-08:00', 'Europe/Berlin', 'UTC') },
  {
    names: ['duration', 'time_of_day', 'start_time'],
    make: each((random) => `${between(random, 10, 23)}:${between(random, 10, 59)}:${between(random, 10, 59)}`)
  },
  {
    names: ['part_number', 'sku', 'article_no'],
    make: each((random) => `${some(random, 3)}-${some(random, 2)}-${some(random, 4)}`)
  },
  { names: ['isbn', 'ean', 'gtin'], make: each((random) => `978${some(random, 10)}`) },
  {
    names: ['license_plate', 'flight', 'seat'],
    make: each((random) => `${some(random, 2, 'ABCDEFGH')}${some(random, 4)}`)
  },
  { names: ['vat_id', 'customs_code'], make: each((random) => `DE${some(random, 9)}`) },
  {
    names: ['bic', 'swift'],
    make: each((random) => `${some(random, 4, 'ABCDEFGH')}DE${some(random, 2, 'FXM')}${some(random, 3, '0123456789')}`)
  },
  {
    names: ['container', 'shipment_ref'],
    make: each((random) => `${some(random, 4, 'ABCDEFGHIJ')}${some(random, 7)}`)
  },
  { names: ['postcode', 'zip', 'plz'], make: each((random) => some(random, 5, '123456789')) },
  {
    names: ['ip_version', 'mac_vendor', 'secret_santa', 'password_hint', 'token_type'],
    make: oneOf('Bearer', 'blue', 'IPv4', 'none')
  },
  {
    names: ['log_line', 'message', 'event'],
    make: oneOf('GET /index 200', 'disk 80 % full', 'via port 8080', 'restarted after 5 s', 'Route 66 closed')
  },
  { names: ['address_hex', 'memory_address', 'wallet_address'], make: each((random) => `0x${hex(random, 40)}`) },
  { names: ['room', 'floor', 'shelf'], make: each((random) => `Room ${between(random, 1, 90)}`) },
  { names: ['class_name', 'cpp_type'], make: oneOf('std::string', 'net::Socket', 'a::b', 'core::Vec') },
  { names: ['empty', 'unused_email'], make: each(() => null) },
  { names: ['json', 'payload'], make: each((random) => `{"id": ${between(random, 1, 99)}, "kind": "a"}`) },
  { names: ['month', 'period'], make: each((random) => `2026-0${between(random, 1, 9)}`) },
  { names: ['status', 'gender', 'currency', 'language'], make: oneOf('A', 'B', 'EUR', 'USD', 'de', 'open') },
  { names: ['file_name', 'document'], make: each((random) => `report_${some(random, 4)}.pdf`) },
  {
    names: ['planet', 'ship_name', 'pet_name', 'project'],
    make: oneOf('Aurora', 'Luna', 'Bella', 'Apollo', 'Mercury', 'Titan', 'Max')
  },
  { names: ['street_count', 'house_type', 'road_class'], make: oneOf('A1', 'B12', 'primary 2', 'class 3') },
  {
    names: ['song', 'movie_title', 'book'],
    make: oneOf('Dancing Queen', 'Billie Jean', 'Forrest Gump', 'The Great Gatsby', 'Purple Rain', 'Hotel California')
  }
]
