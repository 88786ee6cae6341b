import { isAsciiLetter, isDigit } from '../chars.ts'
import { BROKEN, detector, type Found, MATCH, NO } from '../detector.ts'

/** The place of two letters of a country in a list of all, in whatever case. */
const placeOf = (text: string): number => ((text.charCodeAt(0) & 31) << 5) | (text.charCodeAt(1) & 31)

/** How long the IBAN of each country is, by the place of its letters; 0 where there is none. */
const LENGTHS = new Uint8Array(32 * 32)
for (const entry of (
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 ' +
  'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
  'MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ' +
  'SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
).split(' ')) {
  LENGTHS[placeOf(entry)] = Number(entry.slice(2))
}

/** What a character counts: up to 35, nothing where it stands between others, or there is none such. */
const BETWEEN = 36
const NONE_SUCH = 37
/** Of all characters, so that none has to be asked whether it is in the table. */
const COUNTS = new Uint8Array(0x10000).fill(NONE_SUCH)
for (let code = 0; code < 128; code++) {
  if (isDigit(code)) COUNTS[code] = code - 48
  else if (isAsciiLetter(code)) COUNTS[code] = (code & 31) + 9
}
COUNTS[32] = BETWEEN
COUNTS[45] = BETWEEN

/** Some write before the number what it is. */
const PREFIX = /^IBAN[: ]{1,2}(?!IBAN)/

/** Up to here a number can take two more digits and stay a small one. */
const MOST_BEFORE_REST = 9_999_999

/** With the first four characters at the end, and letters as numbers from 10 on, the rest by 97 is 1. */
function look(value: string): Found {
  if (value.length < 15 || value.length > 48) return NO
  const first = value.charCodeAt(0)
  const second = value.charCodeAt(1)
  if (!isAsciiLetter(first) || !isAsciiLetter(second)) return NO
  const third = value.charCodeAt(2)
  const fourth = value.charCodeAt(3)
  if (!isDigit(third) || !isDigit(fourth))
    return first === 73 && PREFIX.test(value) ? look(value.replace(PREFIX, '')) : NO
  const length = LENGTHS[((first & 31) << 5) | (second & 31)] as number
  if (length === 0) return NO
  let number = 0
  let count = 4
  for (let at = 4; at < value.length; at++) {
    const part = COUNTS[value.charCodeAt(at)] as number
    if (part < 10) number = number * 10 + part
    else if (part < BETWEEN) number = number * 100 + part
    else if (part === BETWEEN) continue
    else return NO
    if (number > MOST_BEFORE_REST) number %= 97
    count++
  }
  if (count !== length) return BROKEN
  const country = ((first & 31) + 9) * 100 + (second & 31) + 9
  const check = (third - 48) * 10 + fourth - 48
  return (((number % 97) * 10_000 + country) * 100 + check) % 97 === 1 ? MATCH : BROKEN
}

export const iban = detector({ kind: 'iban', form: 'IBAN', alone: 0.98, chance: 0.01, look })
