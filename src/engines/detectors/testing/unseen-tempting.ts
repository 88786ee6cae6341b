import { between, pick } from '../../seeded-random.ts'
import { luhn, some } from './check-digits.ts'
import type { UnseenRow } from './unseen.ts'
import {
  BASE64,
  capitals,
  checkedInFront,
  DIGITS,
  fours,
  gs1,
  hex,
  pairs,
  recent,
  time,
  UPPER,
  words
} from './unseen-makers.ts'

/** Columns of the second set that hold nothing, and look as if they did. */
export const TEMPTING: readonly UnseenRow[] = [
  ['nothing', ['Serien-Nr.'], (random) => `SN${between(random, 15, 25)}-${some(random, 6)}`],
  [
    'nothing',
    ['MLFB'],
    (random) =>
      `6ES7 ${between(random, 131, 518)}-${some(random, 1)}${some(random, 2, UPPER)}${some(random, 2)}-0${some(random, 2, 'ABXYD')}0`
  ],
  [
    'nothing',
    ['Art.-Nr. Lieferant'],
    (random) => `0${pick(random, ['893', '713', '614', '890', '500'])} ${some(random, 3)} ${some(random, 3)}`
  ],
  [
    'nothing',
    ['Kartoffelsorte'],
    (random) =>
      pick(random, words('Linda Laura Annabelle Agria Bintje Sieglinde Belana Nicola Charlotte Gala Marabel Bellinda'))
  ],
  [
    'nothing',
    ['artikelbezeichnung'],
    (random) =>
      `${pick(random, ['Damenstiefel', 'Boxspringbett', 'Sessel', 'Sommerkleid', 'Esstisch'])} ${pick(random, ['Julia', 'Emma', 'Oskar', 'Marlene', 'Henry', 'Paula'])} ${pick(random, ['schwarz', 'natur', 'Gr. 38', 'grau', '180x200'])}`
  ],
  [
    'nothing',
    ['vessel_name'],
    (random) =>
      pick(random, [
        'MSC Francesca',
        'Emma Maersk',
        'Ever Given',
        'CMA CGM Jules Verne',
        'Ludwigshafen Express',
        'MSC Anna'
      ])
  ],
  [
    'nothing',
    ['meeting_room'],
    (random) =>
      pick(random, [
        'Ada Lovelace (2.14)',
        'Alan Turing (2.15)',
        'Marie Curie (3.02)',
        'Raum Einstein',
        'Konrad Zuse (EG)'
      ])
  ],
  [
    'nothing',
    ['op_instrument'],
    (random) =>
      pick(random, [
        'Kocher-Klemme',
        'Mayo-Schere',
        'Langenbeck-Haken',
        'Metzenbaum-Schere',
        'Allis-Klemme',
        'Weitlaner'
      ])
  ],
  [
    'nothing',
    ['sturmereignis'],
    (random) =>
      `${pick(random, ['Orkan', 'Sturmtief'])} ${pick(random, words('Kyrill Sabine Friederike Xynthia Lothar Zeynep'))}`
  ],
  [
    'nothing',
    ['titre_du_livre'],
    (random) =>
      pick(random, [
        'Anna Karénine',
        'Jane Eyre',
        'Madame Bovary',
        'Oliver Twist',
        'Le Père Goriot',
        'Thérèse Raquin',
        'Nana'
      ])
  ],
  [
    'nothing',
    ['Lieferant'],
    (random) =>
      pick(random, [
        'Robert Bosch GmbH',
        'Carl Zeiss AG',
        'Ernst Klett Verlag GmbH',
        'Johnson Controls Sp. z o.o.',
        'Schneider Electric SE',
        'Adolf Würth GmbH & Co. KG',
        'Fischer Polska Sp. z o.o.',
        'Bürkert Werke SE & Co. KG'
      ])
  ],
  [
    'nothing',
    ['取引先'],
    (random) =>
      pick(random, [
        '株式会社日立製作所',
        'トヨタ自動車株式会社',
        '有限会社鈴木商店',
        '本田技研工業株式会社',
        '株式会社村田製作所'
      ])
  ],
  ['nothing', ['部署名'], (random) => pick(random, ['営業部', '人事部', '総務課', '品質保証部', '製造一課', '経理部'])],
  [
    'nothing',
    ['kreditinstitut'],
    (random) =>
      pick(random, [
        'Deutsche Bank',
        'Commerzbank',
        'Sparkasse KölnBonn',
        'Bankhaus Metzler',
        'Berenberg',
        'VR Bank Main-Kinzig'
      ])
  ],
  [
    'nothing',
    ['bic_swift'],
    (random) =>
      pick(random, ['DEUTDEFF500', 'COBADEFFXXX', 'BNPAFRPP', 'INGBNL2A', 'BPKOPLPW', 'TGBATRISXXX', 'NDEASESS'])
  ],
  [
    'nothing',
    ['departamento'],
    (random) =>
      pick(random, ['Recursos Humanos', 'Compras', 'Urgencias', 'Atención al Cliente', 'Mantenimiento', 'Calidad'])
  ],
  [
    'nothing',
    ['stan_maszyny'],
    (random) => pick(random, ['praca', 'postój', 'awaria', 'przezbrojenie', 'brak zlecenia'])
  ],
  ['nothing', ['makine_durumu'], (random) => pick(random, ['ÇALIŞIYOR', 'DURDU', 'ARIZA', 'BAKIMDA', 'AYAR'])],
  [
    'nothing',
    ['miejscowość'],
    (random) => pick(random, words('Poznań Wrocław Szczecin Bydgoszcz Lublin Katowice Rzeszów Augustów'))
  ],
  ['nothing', ['Город'], (random) => pick(random, words('Казань Екатеринбург Владимир Самара Омск Харьков Пермь'))],
  [
    'nothing',
    ['haltestelle'],
    (random) =>
      pick(random, ['Goethestraße', 'Rathausplatz', 'Hauptbahnhof', 'Am Stadtpark', 'Karl-Marx-Allee', 'Klinikum Nord'])
  ],
  [
    'nothing',
    ['fw_release', 'Softwarestand'],
    (random) =>
      `${between(random, 1, 12)}.${between(random, 0, 9)}.${between(random, 0, 30)}.${between(random, 0, 200)}`
  ],
  [
    'nothing',
    ['snmp_oid'],
    (random) => `1.3.6.1.2.1.${between(random, 1, 31)}.${between(random, 1, 20)}.1.${between(random, 1, 20)}`
  ],
  [
    'nothing',
    ['user_agent'],
    (random) =>
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${between(random, 100, 131)}.0.0.${between(random, 0, 200)} Safari/537.36`
  ],
  ['nothing', ['ip_schutzart'], (random) => `IP${pick(random, ['20', '44', '54', '65', '67', '68', '69K'])}`],
  ['nothing', ['sha256_datei'], (random) => hex(random, 64)],
  [
    'nothing',
    ['correlationId'],
    (random) =>
      `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${some(random, 1, '89ab')}${hex(random, 3)}-${hex(random, 12)}`
  ],
  ['nothing', ['cert_fingerprint'], (random) => capitals(pairs(hex(random, 40), ':'))],
  ['nothing', ['ssh_pubkey'], (random) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${some(random, 43, BASE64)}`],
  ['nothing', ['imei_handscanner'], (random) => luhn(`35${some(random, 12)}`)],
  [
    'nothing',
    ['isbn'],
    (random) => gs1(`9783${some(random, 8)}`).replace(/^(...)(.)(.....)(...)(.)$/, '$1-$2-$3-$4-$5')
  ],
  ['nothing', ['nve_palette'], (random) => gs1(`3${some(random, 16)}`)],
  [
    'nothing',
    ['chassis_id'],
    (random) =>
      `${pick(random, ['WBA', 'VF1', 'ZFA', 'TMB'])}${some(random, 8, 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789')}${some(random, 6)}`
  ],
  ['nothing', ['Bestell-Nr.'], (random) => luhn(`202${between(random, 1, 5)}${some(random, 11)}`)],
  ['nothing', ['rf_creditor_reference'], (random) => fours(checkedInFront('RF', some(random, 16)))],
  ['nothing', ['siret_fournisseur'], (random) => luhn(`${luhn(some(random, 8, '345678'))}000${between(random, 1, 9)}`)],
  [
    'nothing',
    ['zaehlpunkt'],
    (random) => `DE000${some(random, 3)}${some(random, 5)}${some(random, 20, `${UPPER}${DIGITS}`)}`
  ],
  ['nothing', ['lat_ms'], (random) => (8 + random() * 80).toFixed(3)],
  ['nothing', ['druck_bar'], (random) => (40 + random() * 20).toFixed(4).replace('.', ',')],
  ['nothing', ['fx_eur_pln'], (random) => (4.1 + random() * 0.6).toFixed(6)],
  [
    'nothing',
    ['achsposition'],
    (random) => `X${(random() * 400).toFixed(3)} Y${(random() * 250).toFixed(3)} Z-${(random() * 90).toFixed(3)}`
  ],
  [
    'nothing',
    ['Eintrittsdatum', 'gwarancja_do', 'Erstzulassung'],
    (random) => recent(random).split('-').reverse().join('.')
  ],
  ['nothing', ['password_changed_at'], (random) => `${recent(random)} ${time(random)}`],
  [
    'nothing',
    ['landesvorwahl'],
    (random) => `+${pick(random, ['49', '33', '48', '358', '1', '90', '351', '420', '380'])}`
  ],
  [
    'nothing',
    ['email_domain'],
    (random) => pick(random, ['gmail.com', 'web.de', 'orange.fr', 'wp.pl', 'seznam.cz', 'naver.com'])
  ],
  [
    'nothing',
    ['mail_template'],
    (random) =>
      `${pick(random, ['welcome', 'invoice', 'reset_password', 'shipping'])}_${pick(random, ['de', 'fr', 'pl'])}_v${between(random, 1, 9)}.html`
  ],
  ['nothing', ['address_type'], (random) => pick(random, ['BILLING', 'SHIPPING', 'HOME', 'HQ', 'PLANT'])],
  ['nothing', ['Chargen-Nr.'], (random) => `${recent(random).replaceAll('-', '').slice(2)}-${some(random, 4)}`]
]
