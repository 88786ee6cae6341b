import { between, pick, type Random, seeded } from '../../seeded-random.ts'
import type { Kind } from '../kinds.ts'
import { ABROAD, NOTHING_ABROAD } from './abroad.ts'
import { card, iban, NATIONAL_IDS, some } from './check-digits.ts'
import { NEGATIVES } from './negatives.ts'
import { ONCE_UNSEEN } from './once-unseen.ts'
import * as people from './people.ts'

/** A column of which it is known what it holds. */
export interface LabelledColumn {
  readonly name: string
  readonly values: readonly (string | null)[]
  readonly kinds: readonly Kind[]
  /** For messages: which generator made it. */
  readonly from: string
}

export type MakeValue = (random: Random) => string | null

/** Columns of one kind, or of none that is sensitive. */
export type Row = readonly [kind: Kind | 'nothing', names: readonly string[], make: MakeValue]

interface Recipe {
  readonly kind: Kind
  readonly names: readonly string[]
  readonly make: MakeValue
}

const hex = (random: Random, count: number) => some(random, count, '0123456789abcdef')
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const grouped = (text: string, by: string) => (text.match(/.{1,4}/g) ?? []).join(by)
const degrees = (random: Random, most: number) => (random() * 2 * most - most).toFixed(between(random, 4, 7))
const ipv4 = (random: Random) => Array.from({ length: 4 }, () => between(random, 0, 255)).join('.')
const ipv6 = (random: Random) =>
  random() < 0.5
    ? Array.from({ length: 8 }, () => hex(random, 4)).join(':')
    : `2001:db8:${hex(random, 4)}::${hex(random, between(random, 1, 4))}${between(random, 0, 9)}`.replace(
        /([0-9a-f]{4})[0-9]$/,
        '$1'
      )
const mac = (random: Random) => Array.from({ length: 6 }, () => hex(random, 2)).join(':')
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (random: Random) =>
  `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ sub: hex(random, 8) })}.${some(random, 43, `${base62}-_`)}`

const RECIPES: readonly Recipe[] = [
  {
    kind: 'email',
    names: [
      'email',
      'E-Mail',
      'customerEmail',
      'contact',
      'correo_electronico',
      'courriel',
      'user_id',
      'mailadresse',
      'sähköposti',
      'login',
      'notify_to',
      'value'
    ],
    make: people.email
  },
  {
    kind: 'email',
    names: ['from', 'reply_to', 'email_raw'],
    make: (random) => `${people.fullName(random)} <${people.email(random)}>`
  },
  {
    kind: 'phone',
    names: ['phone', 'Telefon', 'mobile_number', 'tel', 'contact', 'c7', 'whatsapp', 'caller'],
    make: people.phoneAbroad
  },
  { kind: 'phone', names: ['phone_us', 'cell', 'contact_number', 'callback', 'home'], make: people.phoneAmerican },
  {
    kind: 'phone',
    names: ['telefono', 'telefonnummer', 'mobil', 'numéro_téléphone', 'handy_nr', 'puhelinnumero', 'fax'],
    make: people.phoneAtHome
  },
  { kind: 'phone', names: ['phone_number', 'msisdn', 'telefoon', 'celular'], make: people.phoneDigits },
  {
    kind: 'payment-card',
    names: ['card_number', 'creditCard', 'pan', 'cc_no', 'payment', 'Kreditkartennummer', 'tarjeta', 'field_12'],
    make: card
  },
  {
    kind: 'payment-card',
    names: ['card', 'numero_carte', 'kartennummer', 'payment_ref'],
    make: (random) => grouped(card(random), ' ')
  },
  { kind: 'payment-card', names: ['cc', 'carte_bancaire'], make: (random) => grouped(card(random), '-') },
  {
    kind: 'iban',
    names: ['iban', 'IBAN_Nr', 'bank_account', 'kontonummer', 'konto', 'account', 'payee', 'rekening'],
    make: iban
  },
  { kind: 'iban', names: ['iban_formatted', 'cuenta', 'bankverbindung'], make: (random) => grouped(iban(random), ' ') },
  {
    kind: 'person-name',
    names: [
      'full_name',
      'name',
      'customer',
      'Ansprechpartner',
      'patient',
      'created_by',
      'nombre_completo',
      'assigned_to'
    ],
    make: people.fullName
  },
  {
    kind: 'person-name',
    names: ['last_first', 'employee_name', 'mitarbeiter', 'contact_person'],
    make: people.familyFirst
  },
  { kind: 'person-name', names: ['customer_name', 'signed_by', 'doctor'], make: people.withTitle },
  { kind: 'person-name', names: ['account_holder', 'beneficiary'], make: people.withMiddle },
  {
    kind: 'person-name',
    names: ['first_name', 'Vorname', 'prénom', 'firstName', 'given_name', 'imię', 'förnamn'],
    make: people.given
  },
  {
    kind: 'person-name',
    names: ['last_name', 'Nachname', 'apellidos', 'surname', 'cognome', 'nazwisko', 'sukunimi', 'achternaam'],
    make: people.family
  },
  {
    kind: 'postal-address',
    names: ['address', 'Anschrift', 'adresse', 'delivery', 'wohnort', 'shipping_address'],
    make: people.addressGerman
  },
  {
    kind: 'postal-address',
    names: ['street_address', 'addr1', 'billing_address', 'location', 'home_address'],
    make: people.addressEnglish
  },
  { kind: 'postal-address', names: ['adresse_postale', 'adresse', 'rue', 'domicile'], make: people.addressFrench },
  { kind: 'postal-address', names: ['indirizzo', 'dirección', 'endereço', 'morada'], make: people.addressSouthern },
  { kind: 'postal-address', names: ['adress', 'adres', 'osoite', 'street'], make: people.addressNorthern },
  {
    kind: 'birth-date',
    names: ['birth_date', 'dob', 'Geburtsdatum', 'date_naissance', 'birthDate', 'fecha_nacimiento', 'born_on'],
    make: people.isoDate
  },
  {
    kind: 'birth-date',
    names: ['geb_datum', 'data_urodzenia', 'syntymäaika', 'date_of_birth'],
    make: people.dottedDate
  },
  { kind: 'birth-date', names: ['DOB', 'birthday', 'patient_birth_date'], make: people.slashedDate },
  {
    kind: 'birth-date',
    names: ['birth_ts', 'dateOfBirth'],
    make: (random) => `${people.isoDate(random)}T00:00:00.000Z`
  },
  { kind: 'ip-address', names: ['ip', 'client_ip', 'remote_addr', 'host', 'source', 'ipAddress'], make: ipv4 },
  { kind: 'ip-address', names: ['ipv6', 'peer', 'addr', 'src'], make: ipv6 },
  {
    kind: 'ip-address',
    names: ['last_login_ip', 'gateway'],
    make: (random) => (random() < 0.7 ? ipv4(random) : ipv6(random))
  },
  { kind: 'mac-address', names: ['mac', 'hw_address', 'device', 'bssid'], make: mac },
  {
    kind: 'mac-address',
    names: ['mac_address', 'nic'],
    make: (random) => mac(random).replaceAll(':', '-').toUpperCase()
  },
  { kind: 'mac-address', names: ['macAddress', 'mac_addr'], make: (random) => mac(random).replaceAll(':', '') },
  { kind: 'coordinates', names: ['latitude', 'lat', 'gps_lat', 'Breitengrad'], make: (random) => degrees(random, 90) },
  { kind: 'coordinates', names: ['longitude', 'lng', 'geo_lon', 'Längengrad'], make: (random) => degrees(random, 180) },
  {
    kind: 'coordinates',
    names: ['position', 'coords', 'where', 'gps'],
    make: (random) => `${degrees(random, 90)}, ${degrees(random, 180)}`
  },
  {
    kind: 'coordinates',
    names: ['geom', 'location_wkt'],
    make: (random) => `POINT (${degrees(random, 180)} ${degrees(random, 90)})`
  },
  { kind: 'secret', names: ['token', 'session', 'auth', 'bearer'], make: jwt },
  { kind: 'secret', names: ['github_token', 'credential', 'x'], make: (random) => `ghp_${some(random, 36, base62)}` },
  {
    kind: 'secret',
    names: ['aws_access_key_id', 'key'],
    make: (random) => `AKIA${some(random, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`
  },
  {
    kind: 'secret',
    names: ['stripe_key', 'slack_webhook_token', 'config_value'],
    make: (random) =>
      pick(random, [`sk_live_${some(random, 24, base62)}`, `xoxb-${some(random, 12)}-${some(random, 24, base62)}`])
  },
  {
    kind: 'secret',
    names: ['password_hash', 'pw', 'hash'],
    make: (random) => `$2b$12$${some(random, 53, `${base62}./`)}`
  },
  {
    kind: 'secret',
    names: ['password', 'passwort', 'contraseña', 'client_secret'],
    make: (random) => some(random, between(random, 8, 16), `${base62}!#%&*`)
  },
  { kind: 'secret', names: ['api_key', 'secret_key', 'apiKey'], make: (random) => some(random, 40, base62) },
  {
    kind: 'secret',
    names: ['private_key', 'pem'],
    make: (random) => `-----BEGIN PRIVATE KEY-----\n${some(random, 64, base62)}`
  },
  ...NATIONAL_IDS.map(([, names, make]): Recipe => ({ kind: 'national-id', names, make }))
]

/** Two kinds in one column, or one beside other text. */
const MIXTURES: readonly {
  readonly names: readonly string[]
  readonly kinds: readonly Kind[]
  readonly make: MakeValue
}[] = [
  {
    names: ['contact', 'erreichbar', 'contact_info'],
    kinds: ['email', 'phone'],
    make: (random) => (random() < 0.5 ? people.email(random) : people.phoneAbroad(random))
  },
  {
    names: ['account_ref', 'zahlung', 'payment_details'],
    kinds: ['iban', 'payment-card'],
    make: (random) => (random() < 0.5 ? iban(random) : card(random))
  },
  {
    names: ['remark', 'bemerkung'],
    kinds: ['email'],
    make: (random) => (random() < 0.4 ? people.email(random) : pick(random, ['call back', 'ok', 'see ticket', 'keine']))
  },
  {
    names: ['login_name', 'principal'],
    kinds: ['email'],
    make: (random) => (random() < 0.6 ? people.email(random) : `svc-${hex(random, 6)}`)
  },
  { names: ['email', 'mail'], kinds: ['email'], make: (random) => (random() < 0.3 ? people.email(random) : null) }
]

const ROWS = 120
const DIRT: readonly MakeValue[] = [
  () => null,
  () => '',
  () => 'n/a',
  () => 'unknown',
  () => '-',
  () => '?',
  () => 'TODO',
  () => '0'
]

/** So many columns, the same for the same seed: sensitive ones, mixtures, and others that look alike. */
export function labelledColumns(seed: number): LabelledColumn[] {
  const random = seeded(seed)
  const columnOf = (name: string, make: MakeValue, kinds: readonly Kind[], from: string): LabelledColumn => {
    const dirt = pick(random, [0, 0.01, 0.03, 0.05])
    const values = Array.from({ length: ROWS }, () => (random() < dirt ? pick(random, DIRT)(random) : make(random)))
    return { name, values, kinds, from }
  }
  return [
    ...RECIPES.flatMap(({ kind, names, make }) => names.map((name) => columnOf(name, make, [kind], kind))),
    ...MIXTURES.flatMap(({ names, kinds, make }) => names.map((name) => columnOf(name, make, kinds, 'mixture'))),
    ...[...ONCE_UNSEEN, ...ABROAD, ...NOTHING_ABROAD].flatMap(([kind, names, make]) =>
      names.map((name) => columnOf(name, make, kind === 'nothing' ? [] : [kind], kind))
    ),
    ...NEGATIVES.flatMap(({ names, make }) => names.map((name) => columnOf(name, make(random), [], 'nothing')))
  ]
}
