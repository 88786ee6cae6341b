import { between, pick, type Random, seeded } from '../../seeded-random.ts'
import type { Kind } from '../kinds.ts'
import { card, iban, some } from './check-digits.ts'
import type { LabelledColumn } from './columns.ts'
import * as people from './people.ts'
import {
  BRAZILIAN,
  BRAZILIAN_FAMILY,
  born,
  capitals,
  checkedInFront,
  DIGITS,
  DUTCH,
  east,
  embossed,
  FINNISH,
  fours,
  GREEK_FAMILY,
  GREEK_GIVEN,
  hex,
  INDIAN,
  INDIAN_FAMILY,
  idOf,
  JAPANESE_FAMILY,
  JAPANESE_GIVEN,
  KANA_FAMILY,
  KANA_GIVEN,
  KOREAN,
  LOWER,
  MAIDEN,
  MONTHS_ENGLISH,
  MONTHS_GERMAN,
  maker,
  north,
  POLISH,
  pad,
  pairs,
  privateAddress,
  RUSSIAN,
  sixteen,
  TURKISH,
  TURKISH_FAMILY,
  UKRAINIAN,
  UPPER
} from './unseen-makers.ts'
import { TEMPTING } from './unseen-tempting.ts'

/**
 * A second set, with names and ways of writing that the first has none of. The detectors are not to be fitted to it: where
 * it finds a mistake, the mistake goes into the first set, and another column comes here.
 */
export type UnseenRow = readonly [
  kind: Kind | 'nothing',
  names: readonly string[],
  make: (random: Random) => string | null
]

const SENSITIVE: readonly UnseenRow[] = [
  [
    'email',
    ['correo_e', 'e-posta adresi'],
    (random) => ` ${people.email(random).replace(/^[a-z]|[._][a-z](?=.*@)/g, capitals)}  `
  ],
  ['email', ['proxyAddresses'], (random) => `SMTP:${people.email(random)}`],
  ['email', ['verteiler_cc'], (random) => `${people.email(random)}; ${people.email(random)}`],
  [
    'email',
    ['c7', 'メールアドレス'],
    (random) =>
      `${pick(random, ['h-', 'k_', 'info.', ''])}${pick(random, ['yamada', 'kobayashi', 'ishikawa', 'nakano'])}${between(random, 1, 99)}@${pick(random, ['example.co.jp', 'docomo.ne.jp', 'mx.hospital.or.jp'])}`
  ],
  ['phone', ['携帯番号'], (random) => `0${pick(random, ['7', '8', '9'])}0-${some(random, 4)}-${some(random, 4)}`],
  ['phone', ['手机'], (random) => `1${pick(random, ['38', '39', '59', '86', '77'])}${some(random, 8)}`],
  ['phone', ['휴대폰'], (random) => `010-${between(random, 2000, 9999)}-${some(random, 4)}`],
  ['phone', ['cep_no'], (random) => `0 (5${some(random, 2)}) ${some(random, 3)} ${some(random, 2)} ${some(random, 2)}`],
  [
    'phone',
    ['tbl_cli_celular'],
    (random) => `(${pick(random, ['11', '21', '31', '48', '85'])}) 9${some(random, 4)}-${some(random, 4)}`
  ],
  [
    'phone',
    ['nr_kom'],
    (random) => `${pick(random, ['50', '60', '69', '78'])}${some(random, 1)}-${some(random, 3)}-${some(random, 3)}`
  ],
  [
    'phone',
    ['contacto_telemóvel'],
    (random) => `9${pick(random, ['1', '2', '3', '6'])}${some(random, 1)} ${some(random, 3)} ${some(random, 3)}`
  ],
  [
    'phone',
    ['Телефон'],
    (random) => `8 (9${some(random, 2)}) ${some(random, 3)}-${some(random, 2)}-${some(random, 2)}`
  ],
  ['phone', ['MSISDN_A'], (random) => `4917${some(random, 1)}${some(random, 8, '123456789')}`],
  [
    'phone',
    ['Rückrufnr.'],
    (random) =>
      `0${pick(random, ['89', '30', '711', '221'])} / ${some(random, 3, '23456789')} ${some(random, 3)}-${between(random, 10, 99)}`
  ],
  ['phone', ['portable_salarié'], (random) => `0${pick(random, ['6', '7'])}.${pairs(some(random, 8), '.')}`],
  [
    'phone',
    ['after_hours_contact'],
    (random) => `(${between(random, 201, 989)}) 555-01${some(random, 2)} x${between(random, 100, 999)}`
  ],

  ['payment-card', ['nr_karty'], (random) => embossed(random, ' ')],
  ['payment-card', ['cc_num_legacy'], (random) => embossed(random, '-')],
  ['payment-card', ['feld_9'], (random) => ` ${card(random)}`],

  ['iban', ['kd_bankverb', 'f_18'], (random) => fours(iban(random))],
  [
    'iban',
    ['hesap_no'],
    (random) => checkedInFront('TR', `${pick(random, ['00062', '00064', '00046', '00010'])}0${some(random, 16)}`)
  ],
  ['iban', ['zahler_konto'], (random) => `IBAN: ${fours(iban(random))}`],

  ['national-id', ['vers_ausweis_13'], (random) => idOf('Switzerland')(random).replaceAll('.', '')],
  [
    'national-id',
    ['Steuer-ID des AN'],
    (random) => idOf('Germany')(random).replace(/^(..)(...)(...)(...)$/, '$1 $2 $3 $4')
  ],
  ['national-id', ['nat_ins'], (random) => idOf('United Kingdom')(random).replace(/(..)(?=.)/g, '$1 ')],
  ['national-id', ['sofinr'], (random) => idOf('Netherlands')(random).replace(/^(....)(..)(...)$/, '$1.$2.$3')],
  ['national-id', ['doc_titular_pf'], (random) => idOf('Brazil')(random).replace(/\D/g, '').replace(/(..)$/, '-$1')],
  ['national-id', ['UIDAI_NUM'], (random) => fours(idOf('India')(random).replaceAll(' ', '')).replaceAll(' ', '-')],
  ['national-id', ['身份证号'], (random) => idOf('China')(random).toLowerCase()],
  ['national-id', ['potilas_tunnus'], (random) => idOf('Finland')(random).toLowerCase()],
  [
    'national-id',
    ['medlem'],
    (random) => {
      const number = idOf('Sweden')(random)
      return `${Number(number.slice(0, 2)) <= 5 ? '20' : '19'}${number}`
    }
  ],
  [
    'national-id',
    ['doc_identidad'],
    (random) =>
      idOf('Spain')(random)
        .replace(/^(\d\d)(...)(...)(.)$/, '$1.$2.$3-$4')
        .replace(/^([XYZ])(\d{7})(.)$/, '$1-$2-$3')
  ],
  [
    'national-id',
    ['cod.fisc. paz.'],
    (random) => idOf('Italy')(random).replace(/^(...)(...)(.....)(....)(.)$/, '$1 $2 $3 $4 $5')
  ],

  ['person-name', ['PatientName'], (random) => `${people.family(random)}^${people.given(random)}`],
  [
    'person-name',
    ['pnr_pax'],
    (random) =>
      capitals(
        `${pick(random, ['harrison', 'whitfield', 'lindner', 'okada', 'ferreira', 'novotny'])}/${pick(random, ['jane', 'martin', 'helen', 'kenji', 'rita', 'pavel'])} ${pick(random, ['mr', 'mrs', 'ms'])}`
      )
  ],
  ['person-name', ['担当者'], (random) => `${pick(random, JAPANESE_FAMILY)}　${pick(random, JAPANESE_GIVEN)}`],
  ['person-name', ['フリガナ'], (random) => `${pick(random, KANA_FAMILY)} ${pick(random, KANA_GIVEN)}`],
  ['person-name', ['고객명'], (random) => pick(random, KOREAN)],
  ['person-name', ['Ονοματεπώνυμο'], (random) => `${pick(random, GREEK_FAMILY)} ${pick(random, GREEK_GIVEN)}`],
  [
    'person-name',
    ['П.І.Б.'],
    (random) => `${pick(random, UKRAINIAN)} ${some(random, 1, 'АВІМНОПТЮ')}. ${some(random, 1, 'АВГІМОПС')}.`
  ],
  [
    'person-name',
    ['Сотрудник'],
    (random) =>
      pick(random, RUSSIAN)
        .map((part) => pick(random, part))
        .join(' ')
  ],
  ['person-name', ['SICIL_AD_SOYAD'], (random) => `${pick(random, TURKISH)} ${pick(random, TURKISH_FAMILY)}`],
  [
    'person-name',
    ['titular_da_conta'],
    (random) => `${pick(random, BRAZILIAN)} ${pick(random, BRAZILIAN_FAMILY)} ${pick(random, BRAZILIAN_FAMILY)}`
  ],
  [
    'person-name',
    ['contactpersoon'],
    (random) =>
      `${pick(random, ['dhr.', 'mw.'])} ${some(random, 1, UPPER)}.${some(random, 1, UPPER)}. ${pick(random, DUTCH)}`
  ],
  [
    'person-name',
    ['manager_dn'],
    (random) =>
      `CN=${people.fullName(random)},OU=${pick(random, ['Sales', 'Plant 2', 'IT', 'Finance'])},DC=corp,DC=local`
  ],
  [
    'person-name',
    ['beh_arzt'],
    (random) => `${pick(random, ['Prof. Dr. med.', 'Dr. med.', 'OÄ Dr.', 'PD Dr.'])} ${people.family(random)}`
  ],
  ['person-name', ['etunimi'], (random) => pick(random, FINNISH)],
  ['person-name', ['imię_pracownika'], (random) => pick(random, POLISH)],
  ['person-name', ['Geburtsname'], (random) => pick(random, MAIDEN)],
  [
    'person-name',
    ['field_12'],
    (random) => `${pick(random, INDIAN)} ${some(random, 1, 'KMNRSV')} ${pick(random, INDIAN_FAMILY)}`
  ],

  [
    'postal-address',
    ['shipto_full'],
    (random) =>
      `${between(random, 12, 9800)} ${pick(random, ['Evergreen Ter', 'Sycamore Cir', 'W Jefferson Pkwy', 'County Hwy 12'])}, ${pick(random, ['Springfield, IL 62704', 'Boise, ID 83702', 'Tulsa, OK 74103', 'Macon, GA 31201'])}`
  ],
  [
    'postal-address',
    ['住所', 'JUSHO_1'],
    (random) =>
      `${pick(random, ['東京都新宿区西新宿', '大阪府大阪市北区梅田', '神奈川県横浜市中区本町', '愛知県名古屋市中区栄'])}${between(random, 1, 6)}-${between(random, 1, 30)}-${between(random, 1, 20)}`
  ],
  [
    'postal-address',
    ['收货信息'],
    (random) =>
      `${pick(random, ['北京市朝阳区建国路', '上海市浦东新区世纪大道', '广东省深圳市南山区科技南路'])}${between(random, 1, 900)}号${between(random, 1, 30)}室`
  ],
  [
    'postal-address',
    ['logradouro_completo'],
    (random) =>
      `${pick(random, ['Av. Paulista', 'R. XV de Novembro', 'Trav. do Comércio', 'Al. Santos'])}, ${between(random, 10, 2500)} - ${pick(random, ['Bela Vista, São Paulo - SP', 'Centro, Curitiba - PR'])}, ${some(random, 5)}-${some(random, 3)}`
  ],
  [
    'postal-address',
    ['miejsce_zamieszkania'],
    (random) =>
      `ul. ${pick(random, ['Marszałkowska', 'Piłsudskiego', 'Kościuszki', 'Polna'])} ${between(random, 1, 150)}/${between(random, 1, 20)} m. ${between(random, 1, 60)}, ${some(random, 2)}-${some(random, 3)} ${pick(random, ['Warszawa', 'Łódź', 'Gdańsk'])}`
  ],
  [
    'postal-address',
    ['ikametgah'],
    (random) =>
      `${pick(random, ['Atatürk Cad.', 'Cumhuriyet Mah. Gül Sok.', 'İnönü Blv.'])} No:${between(random, 1, 140)} D:${between(random, 1, 20)} ${pick(random, ['Kadıköy/İstanbul', 'Çankaya/Ankara', 'Konak/İzmir'])}`
  ],
  [
    'postal-address',
    ['Место жительства'],
    (random) =>
      `г. ${pick(random, ['Москва', 'Казань', 'Самара'])}, ул. ${pick(random, ['Ленина', 'Садовая', 'Мира'])}, д. ${between(random, 1, 120)}, кв. ${between(random, 1, 200)}`
  ],
  [
    'postal-address',
    ['Woonplaats_straat'],
    (random) =>
      `${pick(random, ['Keizersgracht', 'Lange Voorhout', 'Oudegracht'])} ${between(random, 1, 400)}-${pick(random, ['I', 'II', 'hs'])}, ${between(random, 1011, 3599)} ${some(random, 2, 'ABCDEGHJKLMN')} ${pick(random, ['Amsterdam', 'Utrecht', 'Den Haag'])}`
  ],
  [
    'postal-address',
    ['ANSCHR_VERSICH'],
    (random) =>
      capitals(
        `${pick(random, ['Rosenheimer Str.', 'An der Alten Mühle', 'Kölner Landstr.'])} ${between(random, 1, 210)} // ${some(random, 5, '3456789')} ${pick(random, ['Würzburg', 'Düren', 'Bad Tölz'])}`
      )
  ],

  [
    'birth-date',
    ['fecha_nac'],
    (random) => {
      const { year, month, day } = born(random)
      return `${pad(day)}/${pad(month)}/${year}`
    }
  ],
  [
    'birth-date',
    ['生年月日'],
    (random) => {
      const { year, month, day } = born(random)
      return `${year}年${month}月${day}日`
    }
  ],
  ['birth-date', ['bornAt'], (random) => `${people.isoDate(random)}T00:00:00Z`],
  [
    'birth-date',
    ['geb. am'],
    (random) => {
      const { year, month, day } = born(random)
      return `${day}. ${MONTHS_GERMAN[month - 1]} ${year}`
    }
  ],
  [
    'birth-date',
    ['datum_narození'],
    (random) => {
      const { year, month, day } = born(random)
      return `${day}. ${month}. ${year}`
    }
  ],
  [
    'birth-date',
    ['D.O.B. (dependant)'],
    (random) => {
      const { year, month, day } = born(random)
      return `${MONTHS_ENGLISH[month - 1]} ${day}, ${year}`
    }
  ],
  ['birth-date', ['Дата рождения'], (random) => `${people.dottedDate(random)} г.`],

  ['ip-address', ['nat_source_v6'], (random) => `2a02:8108:${sixteen(random)}:${sixteen(random)}::${sixteen(random)}`],
  ['ip-address', ['SPS-Netzadresse'], (random) => `${privateAddress(random)}/24`],
  ['ip-address', ['letzte_anmeldung_von'], (random) => `::ffff:${privateAddress(random)}`],
  [
    'ip-address',
    ['CAM_ADDR'],
    (random) =>
      privateAddress(random)
        .split('.')
        .map((part) => part.padStart(3, '0'))
        .join('.')
  ],
  [
    'ip-address',
    ['proxy_kette'],
    (random) =>
      `${between(random, 77, 95)}.${between(random, 1, 250)}.${between(random, 1, 250)}.${between(random, 1, 250)}, ${privateAddress(random)}`
  ],

  ['mac-address', ['netzwerkkarte', 'x_nic'], (random) => capitals(pairs(maker(random) + hex(random, 6), '-'))],
  ['mac-address', ['WLAN_HW_ADR'], (random) => capitals(maker(random) + hex(random, 6))],
  [
    'mac-address',
    ['ifPhysAddress'],
    (random) => pairs(maker(random) + hex(random, 6), ':').replace(/\b0(?=[0-9a-f])/g, '')
  ],

  [
    'coordinates',
    ['konum'],
    (random) =>
      `${between(random, 36, 41)}°${pad(between(random, 0, 59))}'${pad(between(random, 0, 59))}.${between(random, 0, 9)}"N ${between(random, 26, 44)}°${pad(between(random, 0, 59))}'${pad(between(random, 0, 59))}.${between(random, 0, 9)}"E`
  ],
  ['coordinates', ['the_geom'], (random) => `POINT(${east(random).toFixed(7)} ${north(random).toFixed(7)})`],
  ['coordinates', ['Breitengrad'], (random) => north(random).toFixed(5).replace('.', ',')],
  ['coordinates', ['dl_geogr'], (random) => (14.2 + random() * 9.8).toFixed(5).replace('.', ',')],
  ['coordinates', ['緯度経度'], (random) => `${(33 + random() * 9).toFixed(6)}, ${(131 + random() * 10).toFixed(6)}`],
  ['coordinates', ['vehiclePos'], (random) => `{"lat":${north(random).toFixed(5)},"lng":${east(random).toFixed(5)}}`],

  ['secret', ['wert'], (random) => `glpat-${some(random, 20, `${UPPER}${LOWER}${DIGITS}`)}`],
  [
    'secret',
    ['dsn_prod'],
    (random) =>
      `Server=sql${pad(between(random, 1, 20))};Database=${pick(random, ['erp', 'mes', 'lims'])};User Id=svc_etl;Password=${some(random, 14, `${UPPER}${LOWER}${DIGITS}!#`)};`
  ],
  ['secret', ['wlan_schluessel'], (random) => some(random, 20)],
  ['secret', ['alarmanlage_pin'], (random) => some(random, 6)],
  ['secret', ['totp_seed'], (random) => some(random, 32, `${UPPER}234567`)],
  ['secret', ['encrypted_password'], (random) => `$2a$12$${some(random, 53, `./${UPPER}${LOWER}${DIGITS}`)}`],
  [
    'secret',
    ['blob_sas'],
    (random) =>
      `https://stplant${between(random, 1, 9)}.blob.core.windows.net/export?sv=2022-11-02&sp=rl&sig=${some(random, 43, `${UPPER}${LOWER}${DIGITS}`)}%3D`
  ],
  [
    'secret',
    ['hasło'],
    (random) =>
      `${pick(random, ['Wakacje', 'Krakow', 'Kotek', 'qwerty', 'Misiek', 'zosia'])}${between(random, 1960, 2025)}${pick(random, ['', '!', '#', '?', '*'])}`
  ]
]

const VALUES = 60

export function unseenColumns(seed: number): LabelledColumn[] {
  const random = seeded(seed)
  return [...SENSITIVE, ...TEMPTING].flatMap(([kind, names, make]) =>
    names.map((name) => ({
      name,
      values: Array.from({ length: VALUES }, () =>
        random() < 0.04 ? pick(random, [null, '', 'n/a', '-']) : make(random)
      ),
      kinds: kind === 'nothing' ? [] : [kind],
      from: kind
    }))
  )
}
