import { between, pick, type Random } from '../../seeded-random.ts'

/**
 * Numbers with right check digits. Written from the published rules and apart from the detectors, with plain texts and big
 * numbers, so that a mistake in one of the two is found.
 */
type Make = (random: Random) => string

export const some = (random: Random, count: number, from = '0123456789'): string =>
  Array.from({ length: count }, () => pick(random, [...from])).join('')

const pad = (number: number | bigint, count: number) => String(number).padStart(count, '0')
const sumOf = (text: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, at) => sum + weight * Number(text[at]), 0)

/** Tries until the rule finds a check digit for a beginning. */
function until<T>(make: () => T | undefined): T {
  for (;;) {
    const made = make()
    if (made !== undefined) return made
  }
}

export function luhn(body: string): string {
  let sum = 0
  ;[...body].reverse().forEach((digit, at) => {
    const doubled = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += [...String(doubled)].reduce((total, one) => total + Number(one), 0)
  })
  return `${body}${(10 - (sum % 10)) % 10}`
}

const birth = (random: Random) => ({
  year: between(random, 1940, 2005),
  month: between(random, 1, 12),
  day: between(random, 1, 28)
})

const yymmdd = (random: Random) => {
  const { year, month, day } = birth(random)
  return `${pad(year % 100, 2)}${pad(month, 2)}${pad(day, 2)}`
}
const ddmmyy = (random: Random) => {
  const { year, month, day } = birth(random)
  return `${pad(day, 2)}${pad(month, 2)}${pad(year % 100, 2)}`
}

export const card: Make = (random) => {
  const [prefix, length] = pick(random, [
    ['4', 16],
    [`5${between(random, 1, 5)}`, 16],
    ['37', 15],
    ['6011', 16],
    ['3530', 16],
    ['2315', 16]
  ] as const)
  return luhn(prefix + some(random, length - prefix.length - 1))
}

const IBANS: readonly (readonly [country: string, form: string])[] = [
  ['DE', '999999999999999999'],
  ['GB', 'AAAA99999999999999'],
  ['FR', '99999999999999999999999'],
  ['NL', 'AAAA9999999999'],
  ['ES', '99999999999999999999'],
  ['IT', 'A9999999999999999999999'],
  ['CH', '99999999999999999'],
  ['PL', '999999999999999999999999'],
  ['BE', '999999999999']
]

export const iban: Make = (random) => {
  const [country, form] = pick(random, IBANS)
  const body = [...form].map((c) => some(random, 1, c === '9' ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')).join('')
  const numbers = [...`${body}${country}00`].map((c) => Number.parseInt(c, 36)).join('')
  return `${country}${pad(98n - (BigInt(numbers) % 97n), 2)}${body}`
}

const ssn: Make = (random) =>
  `${pad(pick(random, [between(random, 1, 665), between(random, 667, 899)]), 3)}-${pad(between(random, 1, 99), 2)}-${pad(between(random, 1, 9999), 4)}`

const nino: Make = (random) =>
  `${some(random, 1, 'ABCEHJLMPRSTW')}${some(random, 1, 'ABCEHJLMPRSTW')}${some(random, 6)}${some(random, 1, 'ABCD')}`.replace(
    /^(BG|GB|NK|KN|TN|NT|ZZ)/,
    'AB'
  )

/** The German rule: one digit of the first ten twice, one missing, then ISO 7064. */
const steuerId: Make = (random) => {
  const order = [...'0123456789'].sort(() => random() - 0.5)
  order[9] = order[between(random, 0, 8)] as string
  const shuffled = order.sort(() => random() - 0.5).join('')
  if (shuffled.startsWith('0')) return steuerId(random)
  return shuffled + mod11and10(shuffled)
}

function mod11and10(body: string): string {
  let product = 10
  for (const digit of body) {
    let sum = (Number(digit) + product) % 10
    if (sum === 0) sum = 10
    product = (2 * sum) % 11
  }
  const check = 11 - product
  return String(check === 10 ? 0 : check === 11 ? 1 : check)
}

const nir: Make = (random) => {
  const body = `${between(random, 1, 2)}${pad(between(random, 0, 99), 2)}${pad(between(random, 1, 12), 2)}${pad(between(random, 1, 95), 2)}${some(random, 6)}`
  return `${body}${pad(97n - (BigInt(body) % 97n), 2)}`
}

const CF_ODD = 'BAKPLCQDREVOSFTGUHMINJWZYX'

/** In odd places a letter counts by its place in another alphabet, and a digit as the letter of the same number. */
const codiceFiscale: Make = (random) => {
  const letters = (count: number) => some(random, count, 'BCDFGLMNPRST')
  const body = `${letters(6)}${pad(between(random, 40, 99), 2)}${some(random, 1, 'ABCDEHLMPRST')}${pad(between(random, 1, 28), 2)}${letters(1)}${some(random, 3)}`
  const sum = [...body].reduce((total, c, at) => {
    const letter = /\d/.test(c) ? String.fromCharCode(65 + Number(c)) : c
    return total + (at % 2 === 0 ? CF_ODD.indexOf(letter) : letter.charCodeAt(0) - 65)
  }, 0)
  return body + String.fromCharCode(65 + (sum % 26))
}

const dni: Make = (random) => {
  const isNie = random() < 0.3
  const number = between(random, 0, isNie ? 29_999_999 : 99_999_999)
  const letter = 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]
  const text = pad(number, 8)
  return `${isNie ? 'XYZ'[Number(text[0])] + text.slice(1) : text}${letter}`
}

const bsn: Make = (random) =>
  until(() => {
    const body = some(random, 8)
    const rest = sumOf(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
    return rest === 10 || /^0+$/.test(body) ? undefined : `${body}${rest}`
  })

const belgian: Make = (random) => {
  const { year, month, day } = birth(random)
  const body = `${pad(year % 100, 2)}${pad(month, 2)}${pad(day, 2)}${pad(between(random, 1, 997), 3)}`
  const check = 97 - (Number(year >= 2000 ? `2${body}` : body) % 97)
  return `${body}${pad(check, 2)}`
}

const pesel: Make = (random) => {
  const { year, month, day } = birth(random)
  const body = `${pad(year % 100, 2)}${pad(month + (year >= 2000 ? 20 : 0), 2)}${pad(day, 2)}${some(random, 4)}`
  return `${body}${(10 - (sumOf(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10}`
}

const personnummer: Make = (random) => {
  const number = luhn(yymmdd(random) + some(random, 3))
  return `${number.slice(0, 6)}-${number.slice(6)}`
}

const hetu: Make = (random) => {
  const { year, month, day } = birth(random)
  const date = `${pad(day, 2)}${pad(month, 2)}${pad(year % 100, 2)}`
  const number = pad(between(random, 2, 899), 3)
  return `${date}${year >= 2000 ? 'A' : '-'}${number}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + number) % 31]}`
}

const cpr: Make = (random) => `${ddmmyy(random)}-${some(random, 4)}`

const norwegian: Make = (random) =>
  until(() => {
    const body = ddmmyy(random) + some(random, 3)
    const first = 11 - (sumOf(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)
    const one = first === 11 ? 0 : first
    const second = 11 - (sumOf(`${body}${one}`, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)
    return one === 10 || second === 10 ? undefined : `${body}${one}${second === 11 ? 0 : second}`
  })

const cpf: Make = (random) => {
  let body = some(random, 9)
  for (const count of [9, 10]) {
    const rest = [...body].reduce((sum, digit, at) => sum + Number(digit) * (count + 1 - at), 0) % 11
    body += rest < 2 ? 0 : 11 - rest
  }
  return random() < 0.5 ? body : `${body.slice(0, 3)}.${body.slice(3, 6)}.${body.slice(6, 9)}-${body.slice(9)}`
}

const D5 = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210'
]
const PERMUTATION = '1576283094'

/** Verhoeff by his own table of the dihedral group; the permutation of a place is that of the place before, once more. */
const aadhaar: Make = (random) => {
  const body = some(random, 1, '23456789') + some(random, 10)
  const right = [...'0123456789'].find((check) => {
    let state = 0
    ;[...(body + check)].reverse().forEach((digit, place) => {
      let turned = Number(digit)
      for (let times = 0; times < place % 8; times++) turned = Number(PERMUTATION[turned])
      state = Number(D5[state]?.[turned])
    })
    return state === 0
  })
  const number = `${body}${right}`
  return random() < 0.5 ? number : `${number.slice(0, 4)} ${number.slice(4, 8)} ${number.slice(8)}`
}

/** ISO 7064, modulus 11 and 2, digit by digit. */
const chinese: Make = (random) => {
  const { year, month, day } = birth(random)
  const body = `${pick(random, ['110105', '310104', '440106', '510107'])}${year}${pad(month, 2)}${pad(day, 2)}${some(random, 3)}`
  let product = 0
  for (const digit of body) product = ((product + Number(digit)) * 2) % 11
  const check = (12 - product) % 11
  return `${body}${check === 10 ? 'X' : check}`
}

const sin: Make = (random) => luhn(`${between(random, 1, 7)}${some(random, 7)}`)

const ahv: Make = (random) => {
  const body = `756${some(random, 9)}`
  const number = `${body}${(10 - (sumOf(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10}`
  return `${number.slice(0, 3)}.${number.slice(3, 7)}.${number.slice(7, 11)}.${number.slice(11)}`
}

const turkish: Make = (random) => {
  const body = some(random, 1, '123456789') + some(random, 8)
  const odd = [0, 2, 4, 6, 8].reduce((sum, at) => sum + Number(body[at]), 0)
  const even = [1, 3, 5, 7].reduce((sum, at) => sum + Number(body[at]), 0)
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return `${body}${tenth}${(odd + even + tenth) % 10}`
}

const southAfrican: Make = (random) => luhn(`${yymmdd(random)}${some(random, 4)}${between(random, 0, 1)}8`)

const cnp: Make = (random) => {
  const body = `${between(random, 1, 2)}${yymmdd(random)}${pad(between(random, 1, 46), 2)}${pad(between(random, 1, 999), 3)}`
  const rest = sumOf(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return `${body}${rest === 10 ? 1 : rest}`
}

export const NATIONAL_IDS: readonly (readonly [country: string, names: readonly string[], make: Make])[] = [
  ['United States', ['ssn', 'SocialSecurityNumber', 'social_security_no', 'taxpayer'], ssn],
  ['United Kingdom', ['nino', 'national_insurance_number', 'NI Number', 'ref'], nino],
  ['Germany', ['steuer_id', 'IdNr', 'steuerIdentnummer', 'kennung'], steuerId],
  ['France', ['nir', 'numero_securite_sociale', 'num_secu', 'assure'], nir],
  ['Italy', ['codice_fiscale', 'CF', 'cod_fisc', 'codiceFiscale'], codiceFiscale],
  ['Spain', ['dni', 'dni_nie', 'documento', 'NIF'], dni],
  ['Netherlands', ['bsn', 'burgerservicenummer', 'BSN_nummer', 'klant_bsn'], bsn],
  ['Belgium', ['rijksregisternummer', 'niss', 'nrn', 'registre_national'], belgian],
  ['Poland', ['pesel', 'nr_pesel', 'PESEL', 'klient_nr'], pesel],
  ['Sweden', ['personnummer', 'pnr', 'person_nr', 'kund'], personnummer],
  ['Finland', ['hetu', 'henkilotunnus', 'henkilötunnus', 'tunnus'], hetu],
  ['Denmark', ['cpr', 'cpr_nummer', 'CPRNR', 'borger'], cpr],
  ['Norway', ['fodselsnummer', 'fødselsnummer', 'fnr', 'person'], norwegian],
  ['Brazil', ['cpf', 'CPF_cliente', 'nr_cpf', 'documento'], cpf],
  ['India', ['aadhaar', 'aadhaar_no', 'uid', 'AadharNumber'], aadhaar],
  ['China', ['id_card_no', 'shenfenzheng', 'sfz', 'idCardNumber'], chinese],
  ['Canada', ['sin', 'SIN_number', 'social_insurance', 'employee_sin'], sin],
  ['Switzerland', ['ahv_nr', 'ahvNummer', 'avs', 'versicherte'], ahv],
  ['Turkey', ['tckn', 'tc_kimlik_no', 'kimlik', 'vatandas'], turkish],
  ['South Africa', ['id_number', 'sa_id', 'IDNumber', 'client_ref'], southAfrican],
  ['Romania', ['cnp', 'CNP_client', 'cod_numeric', 'cnp_nr'], cnp]
]
