import { between, pick, type Random } from '../../seeded-random.ts'
import { card, NATIONAL_IDS, some } from './check-digits.ts'

export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const LOWER = UPPER.toLowerCase()
export const DIGITS = '0123456789'
export const BASE64 = `${UPPER}${LOWER}${DIGITS}+/`
export const hex = (random: Random, count: number) => some(random, count, '0123456789abcdef')
export const capitals = (text: string) => text.toUpperCase()
export const pad = (number: number) => String(number).padStart(2, '0')
export const fours = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ')
export const idOf = (country: string) =>
  NATIONAL_IDS.find(([name]) => name === country)?.[2] as (random: Random) => string
/** The check digit of the bar codes, whatever their length: the last digit of the body counts three times. */
export function gs1(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}
/** The two check digits that ISO 7064 asks for behind a text of digits and letters. */
function mod97(text: string): string {
  const numbers = [...`${text}00`].map((c) => Number.parseInt(c, 36)).join('')
  return pad(98 - Number(BigInt(numbers) % 97n))
}
export const checkedInFront = (prefix: string, body: string) => `${prefix}${mod97(body + prefix)}${body}`
/** A card number as it is embossed: in fours, or as 4, 6 and 5 digits. */
export const embossed = (random: Random, separator: string) =>
  card(random)
    .replace(/^(\d{4})(\d{6})(\d{5})$/, '$1 $2 $3')
    .replace(/^(\d{4})(\d{4})(\d{4})(\d{4})$/, '$1 $2 $3 $4')
    .replaceAll(' ', separator)
export const words = (text: string) => text.split(' ')
export const born = (random: Random) => ({
  year: between(random, 1938, 2011),
  month: between(random, 1, 12),
  day: between(random, 1, 28)
})
export const recent = (random: Random) =>
  `${between(random, 1998, 2025)}-${pad(between(random, 1, 12))}-${pad(between(random, 1, 28))}`
export const time = (random: Random) =>
  `${pad(between(random, 0, 23))}:${pad(between(random, 0, 59))}:${pad(between(random, 0, 59))}`
export const north = (random: Random) => 47.3 + random() * 7.4
export const east = (random: Random) => 6.1 + random() * 8.7
export const privateAddress = (random: Random) =>
  `${pick(random, ['10.44', '192.168', '172.20'])}.${between(random, 0, 99)}.${between(random, 1, 254)}`
export const sixteen = (random: Random) => between(random, 256, 65_535).toString(16)
export const maker = (random: Random) => pick(random, ['001b1b', '000e8c', '3cd92b', 'b827eb', '005056', 'f45c89'])
export const pairs = (text: string, separator: string) => (text.match(/../g) ?? []).join(separator)

export const POLISH = words('Grzegorz Wojciech Halina Zofia Mirosław Aleksandra Jadwiga Zbigniew Marek Beata')
export const FINNISH = words('Eero Aino Tapio Sirpa Jukka Tuula Veikko Outi Marjatta Ilkka')
export const MAIDEN = words(
  'Lindner Albrecht Krämer Vogt Pohl Sauer Engelhardt Chevalier Perrot Marchand Gauthier Bouchet Reinhardt'
)
export const TURKISH = words('AYŞE MEHMET HATİCE MUSTAFA ELİF EMRE FATMA HÜSEYİN MERVE OĞUZ GÜLŞEN')
export const TURKISH_FAMILY = words('ÖZTÜRK ŞAHİN ÇELİK AYDIN ARSLAN DOĞAN KILIÇ ASLAN ÇETİN KOÇ')
export const JAPANESE_FAMILY = words('佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤')
export const JAPANESE_GIVEN = words('太郎 花子 健一 美咲 翔太 陽子 大輔 恵子 直樹 由美')
export const KANA_FAMILY = words('サトウ スズキ タカハシ ワタナベ イトウ ヤマモト ナカムラ コバヤシ')
export const KANA_GIVEN = words('タロウ ハナコ ケンイチ ミサキ ショウタ ヨウコ ダイスケ ケイコ')
export const KOREAN = words('김민수 이서연 박지훈 최유진 정현우 강수빈 조은영 윤도현 임하늘 한지민 오세훈 신예은')
export const GREEK_FAMILY = words('Παπαδόπουλος Γεωργίου Νικολάου Δημητρίου Οικονόμου Αντωνίου Βασιλείου')
export const GREEK_GIVEN = words('Γεώργιος Μαρία Κωνσταντίνος Ελένη Δημήτρης Αικατερίνη Νίκος')
export const UKRAINIAN = words('Шевченко Бондаренко Ткаченко Кравченко Олійник Коваленко Лисенко Гончар Мельник')
export const RUSSIAN = [
  [
    words('Соколов Морозов Волков Лебедев Козлов'),
    words('Сергей Дмитрий Алексей'),
    words('Иванович Петрович Андреевич')
  ],
  [
    words('Соколова Морозова Волкова Лебедева Козлова'),
    words('Елена Татьяна Наталья'),
    words('Ивановна Петровна Андреевна')
  ]
] as const
export const BRAZILIAN = words('Aparecida Raimundo Thiago Luciana Vinícius Márcia Edson Juliana Rogério Patrícia')
export const BRAZILIAN_FAMILY = [
  'de Souza',
  'da Costa',
  'Rodrigues',
  'Alves',
  'do Nascimento',
  'Lima',
  'Carvalho',
  'Barbosa'
]
export const DUTCH = [
  'van der Berg',
  'de Vries',
  'van Dijk',
  'Hendriks',
  'Mulder',
  'de Groot',
  'van den Heuvel',
  'Smits'
]
export const INDIAN = words('Rajesh Lakshmi Venkatesh Sunita Arjun Kavita Suresh Meenakshi Vikram Anjali')
export const INDIAN_FAMILY = words('Iyer Reddy Nair Gupta Chatterjee Deshmukh Banerjee Kulkarni Rao Verma')
export const MONTHS_GERMAN = words('Januar Februar März April Mai Juni Juli August September Oktober November Dezember')
export const MONTHS_ENGLISH = words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')
