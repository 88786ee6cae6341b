import { between, pick, type Random } from '../../seeded-random.ts'
import { some } from './check-digits.ts'
import type { Row } from './columns.ts'
import * as people from './people.ts'

/** Columns of tables in many languages and alphabets, and the ways in which people there write names, addresses, dates and numbers. */

const two = (random: Random, from: number, to: number) => String(between(random, from, to)).padStart(2, '0')
const oneOf =
  (text: string) =>
  (random: Random): string =>
    pick(random, text.split('|'))
const year = (random: Random) => between(random, 1938, 2012)
const day = (random: Random) => between(random, 1, 28)
const month = (random: Random) => between(random, 1, 12)

const chinese = oneOf(
  '王伟|李娜|张敏|刘洋|陈静|杨磊|赵强|黄丽|周建国|吴晓燕|徐志明|孙美玲|胡佳怡|朱俊杰|林雨欣|何梓涵|郭浩然|欧阳文'
)
const japanese = oneOf(
  '佐藤太郎|鈴木花子|高橋健一|田中美咲|伊藤翔太|渡辺直樹|山本由美|中村 大輔|小林 さくら|加藤 誠|吉田 恵子|長谷川 拓也'
)
const korean = oneOf('김민준|이서연|박지훈|최수빈|정하은|강도윤|조현우|윤지우|장예린|임시우|한소희|오승현')
const russian = oneOf(
  'Иванов Иван Иванович|Петрова Анна Сергеевна|Смирнов Олег Петрович|Кузнецова Мария|Попов Дмитрий|Соколова Елена Викторовна|Лебедев А. В.|Новикова И.П.'
)
const ukrainian = oneOf(
  'Шевченко Тарас Григорович|Коваленко Олена|Бондаренко Андрій Миколайович|Ткаченко Ірина|Мельник Оксана Іванівна'
)
const greek = oneOf(
  'Γιώργος Παπαδόπουλος|Μαρία Νικολαΐδου|Δημήτρης Οικονόμου|Ελένη Γεωργίου|Κώστας Βλάχος|Παπαδάκης Νίκος'
)
const turkish = oneOf(
  'Ayşe Yılmaz|Mehmet Kaya|Zeynep Demir|Mustafa Çelik|Elif Şahin|Emre Öztürk|Fatma Arslan|Burak Doğan'
)
const indian = oneOf(
  'Priya Sharma|Rahul Verma|Anjali Gupta|Vikram Singh|Sunita Patel|Arjun Reddy|Deepa Nair|Karthik Iyer|Lakshmi Menon'
)
const czech = oneOf('Novák Jan|Svobodová Jana|Dvořák Petr|Černá Eva|Procházka Tomáš|Kučerová Lenka|Horák Jiří')
const hungarian = oneOf('Nagy István|Kovács Anna|Tóth László|Szabó Katalin|Horváth Gábor|Varga Zsuzsanna')
const dutch = oneOf('J. de Vries|A.M. Bakker|van der Berg, P.|Jansen, W.|M. van Dijk|K. Smit|de Boer, H.J.')
const pinyin = oneOf('Wang Wei|Li Xiaoming|Zhang Jie|Chen Hui|Liu Tao|Zhao Ying')

export const ABROAD: readonly Row[] = [
  ['person-name', ['客户姓名', '联系人', '收货人姓名', 'cust_name_cn', '病人姓名', '经办人'], chinese],
  ['person-name', ['氏名', '担当者', '患者氏名', '契約者名', 'customer_name_kanji', '口座名義'], japanese],
  [
    'person-name',
    ['フリガナ', '氏名カナ'],
    oneOf('サトウ タロウ|スズキ ハナコ|タカハシ ケンイチ|ミヤモト ユイ|オオサワ ケン')
  ],
  ['person-name', ['이름', '고객명', '담당자명', '예금주', '환자 성명', 'user_kr'], korean],
  ['person-name', ['Клиент', 'ФИО сотрудника', 'Водитель', 'Ответственный', 'pacient_fio', 'ДержательКарты'], russian],
  ['person-name', ['ПІБ', 'Прізвище, імʼя', 'лікар'], ukrainian],
  ['person-name', ['Ονοματεπώνυμο', 'πελάτης', 'ΑΣΘΕΝΗΣ'], greek],
  ['person-name', ['Müşteri', 'AD SOYAD', 'hasta_adi', 'sürücü', 'yetkili kişi'], turkish],
  ['person-name', ['policy_holder', 'nominee_name', 'father_name', 'raised_by'], indian],
  ['person-name', ['Jméno a příjmení', 'zaměstnanec', 'Pacient'], czech],
  ['person-name', ['Név', 'ügyfél neve', 'Beteg'], hungarian],
  ['person-name', ['medewerker', 'contactpersoon', 'behandelend_arts', 'huurder'], dutch],
  ['person-name', ['operator_name', 'staff', 'engineer_on_duty'], pinyin],
  ['person-name', ['NACHN', 'cust_lname', 'LASTNM', 'familienname_alt', 'nom_de_famille', 'Apellido1'], people.family],
  ['person-name', ['VORNA', 'fname', 'FIRSTNM', 'prenom_usuel', 'Имя', 'imię_pacjenta'], people.given],
  [
    'person-name',
    [
      'Fahrer',
      'Schichtführer',
      'product_owner',
      'TECHNICIEN',
      'responsable_tienda',
      'Kierownik',
      'insured_party',
      'claimant'
    ],
    (random) => `${people.family(random)} ${people.given(random)}`
  ],
  [
    'person-name',
    ['arztname', 'behandelnder Arzt', 'physician'],
    (random) => `Dr. med. ${people.given(random)} ${people.family(random)}`
  ],
  [
    'person-name',
    ['Prüfer', 'checked by', 'zatwierdził'],
    (random) => `${people.family(random)}, ${people.given(random)[0]}.`
  ],
  [
    'phone',
    ['手机号', '联系电话', 'shouji', '客户手机号码'],
    (random) => `1${some(random, 1, '3578')}${some(random, 9)}`
  ],
  [
    'phone',
    ['電話番号', '携帯電話', 'TEL', '連絡先電話番号'],
    (random) => `0${some(random, 1, '789')}0-${some(random, 4)}-${some(random, 4)}`
  ],
  ['phone', ['전화번호', '휴대폰', '고객 연락처'], (random) => `010-${some(random, 4)}-${some(random, 4)}`],
  [
    'phone',
    ['Телефон', 'моб. тел.', 'КонтактныйТелефон'],
    (random) => `8 (9${some(random, 2)}) ${some(random, 3)}-${some(random, 2)}-${some(random, 2)}`
  ],
  [
    'phone',
    ['kd_tel', 'TELNR_PRIV', 'custphone', 'Kundentelefon', 'invoice_phone', 'gsm_no', 'cep_tel'],
    (random) => `0${some(random, 3)} ${some(random, 7)}`
  ],
  ['phone', ['τηλέφωνο', 'ΚΙΝΗΤΟ'], (random) => `69${some(random, 8)}`],
  [
    'phone',
    ['work_line', 'switchboard'],
    (random) =>
      `+1 ${between(random, 201, 989)}-${between(random, 201, 989)}-${some(random, 4)} ext. ${some(random, 3)}`
  ],
  [
    'postal-address',
    ['地址', '收货地址', '客户地址', 'delivery_cn'],
    (random) =>
      `${oneOf('北京市朝阳区建国路|上海市浦东新区世纪大道|广东省深圳市南山区科技路|杭州市西湖区文三路')(random)}${between(random, 1, 300)}号`
  ],
  [
    'postal-address',
    ['住所', '現住所', 'address_jp'],
    (random) =>
      `${oneOf('東京都千代田区丸の内|大阪府大阪市北区梅田|神奈川県横浜市西区みなとみらい')(random)}${between(random, 1, 9)}-${between(random, 1, 20)}-${between(random, 1, 20)}`
  ],
  [
    'postal-address',
    ['주소', '배송지 주소', 'addr_kr'],
    (random) =>
      `${oneOf('서울특별시 강남구 테헤란로|부산광역시 해운대구 센텀로|경기도 성남시 분당구 판교로')(random)} ${between(random, 1, 300)}`
  ],
  [
    'postal-address',
    ['Адрес', 'АдресДоставки', 'location_ru'],
    (random) =>
      `г. ${oneOf('Москва|Казань|Самара')(random)}, ул. ${oneOf('Ленина|Тверская|Мира')(random)}, д. ${between(random, 1, 99)}, кв. ${between(random, 1, 200)}`
  ],
  [
    'postal-address',
    ['Διεύθυνση', 'οδός'],
    (random) => `${oneOf('Ερμού|Σταδίου|Αγίου Δημητρίου')(random)} ${between(random, 1, 200)}`
  ],
  [
    'postal-address',
    ['adres', 'teslimat'],
    (random) =>
      `Atatürk ${oneOf('Caddesi|Cad.|Bulvarı|Sokak')(random)} No:${between(random, 1, 99)} D:${between(random, 1, 20)}`
  ],
  [
    'postal-address',
    ['Lieferanschrift', 'Rechnungsadresse', 'wohnadresse', 'STRAS', 'Straße und Nr.'],
    (random) =>
      `${oneOf('Am Mühlbach|Unter den Linden|Im Tal|Auf der Höhe|Zum Anger')(random)} ${between(random, 1, 90)}`
  ],
  [
    'postal-address',
    ['bydliště', 'ulice a číslo', 'lakcím', 'adresa', 'bezoekadres', 'hemadress', 'kotiosoite'],
    (random) => `${oneOf('Dlouhá|Kossuth|Lipová|Herengracht|Esplanadi|Birger Jarls')(random)} ${between(random, 1, 90)}`
  ],
  [
    'postal-address',
    ['residential_address', 'permanent address', 'ship_to'],
    (random) =>
      `Flat ${between(random, 1, 40)}B, ${oneOf('Shanti Apartments|Green Residency|Lotus Heights')(random)}, Andheri West, Mumbai ${some(random, 6)}`
  ],
  ['birth-date', ['出生日期', '生日'], (random) => `${year(random)}年${month(random)}月${day(random)}日`],
  [
    'birth-date',
    ['生年月日', '患者生年月日'],
    (random) => `${year(random)}/${two(random, 1, 12)}/${two(random, 1, 28)}`
  ],
  [
    'birth-date',
    ['생년월일', 'GBDAT', 'GEB_DATUM', 'fec_nac', 'dtNascimento', 'fdn_nacimiento'],
    (random) => `${year(random)}${two(random, 1, 12)}${two(random, 1, 28)}`
  ],
  [
    'birth-date',
    ['ДатаРождения', 'дата рождения', 'дата народження', 'Ημ. Γέννησης', 'doğum tarihi', 'datum narození', 'data ur.'],
    (random) => `${two(random, 1, 28)}.${two(random, 1, 12)}.${year(random)}`
  ],
  [
    'birth-date',
    ['syntymäpäivä', 'født', 'gebdat_kunde', 'Geburtstag'],
    (random) => `${day(random)}.${month(random)}.${year(random)}`
  ],
  [
    'birth-date',
    ['D.O.B.', 'BIRTHDT', 'member_birth_date'],
    (random) => `${oneOf('January|March|June|September|December')(random)} ${day(random)}, ${year(random)}`
  ],
  [
    'birth-date',
    ['date de naissance', 'né(e) le'],
    (random) => `${day(random)} ${oneOf('janvier|février|août|décembre')(random)} ${year(random)}`
  ],
  ['birth-date', ['geboren', 'geb.'], (random) => `${two(random, 1, 28)}.${two(random, 1, 12)}.${two(random, 30, 99)}`],
  [
    'birth-date',
    ['birth_timestamp', 'dob_utc'],
    (random) => `${year(random)}-${two(random, 1, 12)}-${two(random, 1, 28)}T${pick(random, ['22', '23'])}:00:00.000Z`
  ],
  [
    'ip-address',
    ['bind_addr', 'upstream', 'collector'],
    (random) =>
      `10.${between(random, 0, 255)}.${between(random, 0, 255)}.${between(random, 1, 254)}:${between(random, 80, 9999)}`
  ],
  [
    'ip-address',
    ['forwarded', 'via_proxies'],
    (random) => `203.0.113.${between(random, 1, 254)}, 10.1.${between(random, 0, 255)}.${between(random, 1, 254)}`
  ],
  [
    'ip-address',
    ['listen', 'peer6'],
    (random) => `[2001:db8::${some(random, 3, '123456789')}]:${between(random, 80, 9999)}`
  ],
  [
    'mac-address',
    ['station_mac', 'switch_port_mac', 'client'],
    (random) => `${some(random, 4, 'abcdef012')}-${some(random, 4, 'abcdef345')}-${some(random, 4, 'abcdef678')}`
  ],
  [
    'coordinates',
    ['纬度', '緯度', '위도', 'широта', 'y_coord', 'geogr_breite', 'WGS84_X', 'enlem'],
    (random) => (random() * 80).toFixed(6)
  ],
  [
    'coordinates',
    ['gps_pos', 'fix'],
    (random) =>
      `${between(random, 10, 80)}°${two(random, 0, 59)}'${two(random, 0, 59)}.${some(random, 1)}"N ${between(random, 0, 170)}°${two(random, 0, 59)}'${two(random, 0, 59)}.${some(random, 1)}"E`
  ],
  ['coordinates', ['latitude_dec', 'Breite'], (random) => (random() * 80).toFixed(6).replace('.', ',')],
  [
    'coordinates',
    ['latlng', 'standort_gps'],
    (random) => `(${(random() * 80).toFixed(5)}, ${(random() * 170).toFixed(5)})`
  ],
  [
    'secret',
    [
      '密码',
      'パスワード',
      '비밀번호',
      'Пароль',
      'şifre',
      'heslo',
      'κωδικός πρόσβασης',
      'salasana',
      'usrpwd',
      'DBPASS',
      'wifi_psk',
      'WLAN-Schlüssel'
    ],
    (random) => some(random, 11, 'abcdefghjkmnpqrstuvwxyz23456789!@$')
  ],
  [
    'secret',
    ['dsn', 'jdbc', 'broker_url'],
    (random) =>
      `${oneOf('postgres|amqp|mongodb+srv|redis')(random)}://svc:${some(random, 12, 'abcdefgh23456789')}@db${between(random, 1, 9)}.internal:5432/app`
  ],
  ['secret', ['header', 'Authorization'], (random) => `Bearer ${some(random, 40, 'abcdefghABCDEFGH23456789-_')}`]
]

/** Columns that hold none of it, and whose names or values are near to some of the above. */
export const NOTHING_ABROAD: readonly Row[] = [
  ['nothing', ['产品名称', '颜色', '状态', '班次'], oneOf('黄色|白色|红色|正常|停止|高温|低温|白班|夜班|周一|周二')],
  ['nothing', ['城市', '所在城市'], oneOf('北京|上海|广州|深圳|成都|杭州|武汉|西安|南京|苏州')],
  ['nothing', ['部署', '製品名', '都市'], oneOf('営業部|開発部|東京|大阪|山口県|福島|千葉|石川県|電動ドリル')],
  ['nothing', ['부서', '제품', '도시명'], oneOf('영업부|개발팀|서울시|부산|전주시|안동시|고구마|이불|정수기|유리컵')],
  [
    'nothing',
    ['Город', 'Товар', 'Цех'],
    oneOf('Москва|Казань|Насос|Клапан|Цех 4|Платье Анна|Шоколад Алёнка|Двигатель')
  ],
  ['nothing', ['Πόλη', 'προϊόν'], oneOf('Αθήνα|Θεσσαλονίκη|Αντλία|Βαλβίδα|Πάτρα')],
  [
    'nothing',
    ['pump_name', 'line_name', 'Anlagenname', 'alarm_text', 'signal_name'],
    oneOf('Main Pump|Feed Pump|Cooling Line|Door Open|Max Temp|Low Level|Emergency Stop|Vent Fan')
  ],
  [
    'nothing',
    ['patient_group', 'customer_segment', 'employee_type', 'Kundengruppe', 'author_role', 'driver_class'],
    oneOf('Premium|Basic|Private|Corporate|Standard|Other')
  ],
  [
    'nothing',
    ['user_status', 'phone_model', 'address_kind', 'Kundenstatus'],
    oneOf('Active|Inactive|Galaxy|Pixel|Home|Work')
  ],
  [
    'nothing',
    ['pass_fail', 'test_result', 'pass_type', 'token_kind'],
    oneOf('passed|failed|skipped|single|monthly|refresh')
  ],
  [
    'nothing',
    ['Wareneingang', 'Lieferdatum', 'data produkcji', '生产日期', '入社日', 'дата заказа'],
    (random) => `${two(random, 1, 28)}.${two(random, 1, 12)}.${between(random, 2015, 2026)}`
  ],
  [
    'nothing',
    ['Auftragsnr', 'Chargennummer', 'заказ', '订单号', '注文番号', '주문번호'],
    (random) => some(random, 10, '123456789')
  ],
  ['nothing', ['Werk', 'Standortname', 'werkshalle'], oneOf('Werk Nord|Halle 3|Linz|Graz|Tor 5|Halle 12')],
  [
    'nothing',
    ['hersteller', 'fabricante', 'producent', 'メーカー'],
    oneOf('Siemens|Bosch Rexroth|ABB|Festo|Schneider Electric|Omron|Mitsubishi Electric')
  ],
  [
    'nothing',
    ['rezept', 'receta', 'przepis'],
    oneOf('Gulasch|Tarte Tatin|Salade Niçoise|Pad Thai|Caesar Salad|Peking Duck')
  ],
  ['nothing', ['breite_mm', 'length_m', 'x', 'y', 'druck_bar'], (random) => (random() * 80).toFixed(4)],
  ['nothing', ['power', 'drehzahl', 'torque_nm'], (random) => `${between(random, 1, 400)} W`],
  [
    'nothing',
    ['plan', 'tarif', 'abo'],
    oneOf('Basic Subscription|Premium Insurance|Token Ring Network|Basic Training Course')
  ],
  ['nothing', ['zeit', 'uhrzeit', 'час'], (random) => `${two(random, 0, 23)}:${two(random, 0, 59)}`],
  [
    'nothing',
    ['software_version', 'fw', 'build_no'],
    (random) => `${between(random, 1, 9)}.${between(random, 0, 20)}.${between(random, 0, 30)}`
  ],
  [
    'nothing',
    ['vessel', 'Schiff', 'buque'],
    oneOf('Maria Celeste|Queen Mary|Ever Given|Sea Cloud|Santa Ana|Anna Karin')
  ],
  [
    'nothing',
    ['passport_country', 'card_brand', 'iban_country', 'tel_prefix', 'birth_country'],
    oneOf('DE|FR|Germany|Visa|Mastercard|+49')
  ],
  [
    'nothing',
    ['lot', 'Seriennummer', 'equipment_no'],
    (random) => `${some(random, 4)}-${some(random, 4)}-${some(random, 4)}`
  ],
  [
    'nothing',
    ['sponsor', 'carrier', 'payee', 'Spediteur'],
    oneOf('Stadtwerke Ulm|DHL Express|Kuehne Nagel|Deutsche Post|Maersk Line|Rhenus Logistics')
  ]
]
