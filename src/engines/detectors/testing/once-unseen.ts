import { between, pick, type Random } from '../../seeded-random.ts'
import { card, iban, luhn, NATIONAL_IDS, some } from './check-digits.ts'
import type { Row } from './columns.ts'
import * as people from './people.ts'

/** What was once the second set, to which nothing was fitted, until what was missed of it was mended. */

const hex = (random: Random, count: number) => some(random, count, '0123456789abcdef')
const idOf = (country: string) => NATIONAL_IDS.find(([name]) => name === country)?.[2] as (random: Random) => string
const capitals = (text: string) => text.toUpperCase()
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const ean = (random: Random) => {
  const body = `40${some(random, 10)}`
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

export const ONCE_UNSEEN: readonly Row[] = [
  ['email', ['kundenmail', 'EMAILADR', 'Adresse électronique', 'subscriber', 'po_contact_1'], people.email],
  ['email', ['UserPrincipalName', 'owner_mail'], (random) => capitals(people.email(random))],
  [
    'phone',
    ['Tel. privat', 'TelNo', 'emergency_contact_phone'],
    (random) => `0049 (0)${some(random, 2)} ${some(random, 7)}`
  ],
  ['phone', ['Mobile', 'txtPhone', 'phone2'], (random) => `07${some(random, 3)} ${some(random, 6)}`],
  ['phone', ['sms_to', 'dial'], (random) => `+${between(random, 30, 49)}${some(random, 10)}`],
  ['payment-card', ['CARD_NO', 'cardPan', 'acct', 'kaart'], card],
  ['iban', ['IBANCode', 'creditor', 'bank_details'], (random) => iban(random).toLowerCase()],
  ['national-id', ['Sozialversicherungsnr', 'AHV'], idOf('Switzerland')],
  [
    'national-id',
    ['identifiant', 'Matricule sécu'],
    (random) => idOf('France')(random).replace(/^(.)(..)(..)(..)(...)(...)(..)$/, '$1 $2 $3 $4 $5 $6 $7')
  ],
  ['national-id', ['tax_number', 'person_key'], idOf('Poland')],
  ['national-id', ['Codice', 'cod_fiscale_paziente'], (random) => idOf('Italy')(random).toLowerCase()],
  ['national-id', ['soc_sec', 'SSN_last_known'], (random) => idOf('United States')(random).replaceAll('-', ' ')],
  ['national-id', ['citizen', 'persnr'], (random) => `19${idOf('Sweden')(random).replace('-', '')}`],
  [
    'person-name',
    ['PassengerName', 'guest', 'Zákazník', 'driver'],
    (random) => `${capitals(people.family(random))} ${people.given(random)}`
  ],
  [
    'person-name',
    ['author', 'reviewer', 'Sachbearbeiter'],
    (random) => `${people.given(random)[0]}. ${people.family(random)}`
  ],
  ['person-name', ['emp_lname', 'CustLastName'], people.family],
  ['person-name', ['participant', 'signatory', 'Kundin'], people.fullName],
  [
    'person-name',
    ['姓名', 'name_native'],
    (random) => pick(random, ['王伟', '李娜', '张敏', '刘洋', '陈静', '杨磊', '赵强', '黄丽'])
  ],
  [
    'person-name',
    ['ФИО', 'full_name_ru'],
    (random) =>
      `${pick(random, ['Иван', 'Анна', 'Олег', 'Мария'])} ${pick(random, ['Петров', 'Иванова', 'Смирнов', 'Кузнецова'])}`
  ],
  [
    'postal-address',
    ['deliver_to', 'Address Line 1'],
    (random) =>
      `Flat ${between(random, 1, 30)}, ${between(random, 1, 200)} ${pick(random, ['High', 'Station', 'King'])} ${pick(random, ['St', 'Road'])}, Leeds LS1 4AP`
  ],
  [
    'postal-address',
    ['Zustelladresse', 'strasse_hausnr'],
    (random) => `${pick(random, ['Am Mühlbach', 'Unter den Linden', 'Im Tal', 'Schulstr.'])} ${between(random, 1, 90)}`
  ],
  [
    'postal-address',
    ['domicilio_fiscal', 'dirección'],
    (random) =>
      `C/ ${pick(random, ['Mayor', 'Alcalá', 'Serrano'])}, ${between(random, 1, 90)}, ${between(random, 1, 9)}º`
  ],
  [
    'birth-date',
    ['birthdt', 'Birth'],
    (random) => `${between(random, 1, 28)}-${pick(random, MONTHS)}-${between(random, 1940, 2010)}`
  ],
  ['birth-date', ['naissance', 'gebdat', 'DateBirth'], (random) => people.isoDate(random).replaceAll('-', '')],
  [
    'ip-address',
    ['endpoint', 'peer_addr'],
    (random) => `${Array.from({ length: 4 }, () => between(random, 1, 254)).join('.')}:${between(random, 1024, 65_000)}`
  ],
  [
    'ip-address',
    ['ClientIP', 'x_forwarded_for'],
    (random) => Array.from({ length: 4 }, () => between(random, 1, 254)).join('.')
  ],
  ['mac-address', ['ap', 'ethernet_id'], (random) => `${hex(random, 4)}.${hex(random, 4)}.${hex(random, 4)}`],
  [
    'coordinates',
    ['site_location', 'geo_point'],
    (random) => `${(random() * 80).toFixed(6)};${(random() * 170).toFixed(6)}`
  ],
  ['coordinates', ['y_wgs84', 'LATITUDE_DEG'], (random) => (random() * 80).toFixed(6)],
  [
    'secret',
    ['authorization', 'http_auth'],
    (random) => `Basic ${Buffer.from(`u:${hex(random, 12)}`).toString('base64')}`
  ],
  [
    'secret',
    ['user_pwd', 'db_password', 'smtp_pass'],
    (random) => some(random, 12, 'abcdefghjkmnpqrstuvwxyz23456789!')
  ],
  ['secret', ['deploy_key', 'SLACK'], (random) => `xoxp-${some(random, 12)}-${hex(random, 32)}`],
  ['nothing', ['vin', 'Fahrgestellnummer'], (random) => `WVW${some(random, 14, 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789')}`],
  ['nothing', ['isin', 'security'], (random) => `US${some(random, 10)}`],
  [
    'nothing',
    ['cas_number', 'chemical'],
    (random) => `${some(random, 5, '123456789')}-${some(random, 2)}-${some(random, 1)}`
  ],
  [
    'nothing',
    ['icd10', 'diagnosis'],
    (random) => `${some(random, 1, 'ABCDEFGHIJ')}${some(random, 2)}.${some(random, 1)}`
  ],
  ['nothing', ['barcode', 'article', 'GTIN13'], ean],
  ['nothing', ['account_no', 'contract', 'policy_number'], (random) => some(random, 10, '123456789')],
  ['nothing', ['meter_reading', 'x_pos', 'torque'], (random) => (random() * 80).toFixed(4)],
  [
    'nothing',
    ['character', 'novel_hero'],
    (random) => pick(random, ['Frodo', 'Gandalf', 'Sherlock', 'Hamlet', 'Dracula'])
  ],
  [
    'nothing',
    ['ingredient', 'dish', 'wine'],
    (random) =>
      pick(random, ['Pizza Margherita', 'Caesar Salad', 'Peach Melba', 'Pavlova', 'Earl Grey', 'Beef Wellington'])
  ],
  [
    'nothing',
    ['machine_state', 'line', 'shift'],
    (random) => pick(random, ['Running', 'Idle', 'Setup', 'Early', 'Late', 'Line 4'])
  ],
  ['nothing', ['opcua_node', 'modbus_register'], (random) => `ns=2;s=Pump${between(random, 1, 99)}.Speed`],
  [
    'nothing',
    ['tyre', 'dimension'],
    (random) => `${between(random, 155, 295)}/${between(random, 35, 80)} R${between(random, 13, 20)}`
  ],
  ['nothing', ['score', 'result', 'handicap'], (random) => `${between(random, 0, 9)}:${between(random, 0, 9)}`],
  ['nothing', ['gl_account', 'cost_center'], (random) => some(random, 6)],
  [
    'nothing',
    ['cardinality', 'cardiology_unit', 'telemetry', 'mailbox_size', 'hometown_rank'],
    (random) => `${between(random, 1, 5000)}`
  ],
  [
    'nothing',
    ['passenger_class', 'password_policy', 'addressable', 'iban_valid'],
    (random) => pick(random, ['yes', 'no', 'economy'])
  ],
  ['nothing', ['order_ref', 'shop_reference'], (random) => luhn(some(random, 11, '123456789'))],
  ['nothing', ['published', 'harvest_date', 'calibrated_on', 'eol'], people.isoDate],
  [
    'nothing',
    ['stadium', 'airport', 'venue'],
    (random) => pick(random, ['Wembley', 'Charles de Gaulle', 'John Lennon Airport', 'Anfield', 'Camp Nou'])
  ],
  [
    'nothing',
    ['tag', 'sensor', 'channel'],
    (random) => `plant1.line${between(random, 1, 9)}.temp_${between(random, 1, 99)}`
  ],
  [
    'nothing',
    ['mime', 'encoding', 'locale'],
    (random) => pick(random, ['text/plain', 'utf-8', 'de-DE', 'en-GB', 'image/png'])
  ]
]
