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

/** Up to here a number can take two more digits and stay a small one. */
const MOST_BEFORE_REST = 9_999_999

/** With the first four characters at the end, and letters as numbers from 10 on, the rest by 97 is 1. */
function look(value: string): Found {
  if (value.length < 15 || value.length > 42) return NO
  if (!isAsciiLetter(value.charCodeAt(0)) || !isAsciiLetter(value.charCodeAt(1))) return NO
  if (!isDigit(value.charCodeAt(2)) || !isDigit(value.charCodeAt(3))) return NO
  const length = LENGTHS[placeOf(value)] as number
  if (length === 0) return NO
  let number = 0
  let count = 4
  for (let at = 4; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === 32 || code === 45) continue
    const next = withNext(number, code)
    if (next < 0) return NO
    number = next > MOST_BEFORE_REST ? next % 97 : next
    count++
  }
  if (count !== length) return BROKEN
  for (let at = 0; at < 4; at++) number = withNext(number % 97, value.charCodeAt(at))
  return number % 97 === 1 ? MATCH : BROKEN
}

/** The number with one more character; -1 where it is neither a digit nor a letter. */
function withNext(number: number, code: number): number {
  if (isDigit(code)) return number * 10 + code - 48
  return isAsciiLetter(code) ? number * 100 + (code & 31) + 9 : -1
}

export const iban = detector({ kind: 'iban', form: 'IBAN', alone: 0.98, chance: 0.01, look })
