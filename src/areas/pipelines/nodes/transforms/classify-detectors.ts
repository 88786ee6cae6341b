import { sqlText } from '../../../../data/relation.ts'

/** Finds one kind of sensitive data in a text; the regular expressions take linear time, whatever the text. */
export interface Detector {
  readonly kind: string
  /** SQL that is true where there is some in the text. */
  finds(text: string): string
}

const matching = (kind: string, pattern: string): Detector => ({
  kind,
  finds: (text) => `regexp_matches(${text}, ${sqlText(pattern)})`
})

/** What looks like it, and holds up when its check digits are computed. */
const checked = (kind: string, pattern: string, holds: (found: string) => string): Detector => ({
  kind,
  finds: (text) =>
    `len(list_filter(regexp_extract_all(${text}, ${sqlText(pattern)}), lambda found: ${holds('found')})) > 0`
})

const EMAIL = String.raw`(?i)\b[a-z0-9][a-z0-9._%+-]*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\b`
/** With the code of the country, or as written in North America. */
const PHONE = String.raw`(?:^|[^\w+.-])(?:\+[1-9](?:[ ./-]?\(?\d\)?){7,14}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[.-]\d{3}[.-]\d{4})(?:$|[^\w-])`
const IBAN = String.raw`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`
const CREDIT_CARD = String.raw`\b[2-6](?:[ -]?\d){12,18}\b`
const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const GROUP = '[0-9a-f]{1,4}'
const IP = String.raw`(?i)(?:^|[^\w.:])(?:(?:${OCTET}\.){3}${OCTET}|(?:${GROUP}:){7}${GROUP}|(?:${GROUP}:){1,6}(?::${GROUP}){1,6}|::(?:${GROUP}:){0,6}${GROUP}|(?:${GROUP}:){1,7}:)(?:$|[^\w.:]|\.(?:$|\s))`
/** Areas 000, 666 and from 900 on, group 00 and number 0000 are never given out. */
const SSN = String.raw`(?:^|[^\w-])(?:00[1-9]|0[1-9]\d|[1-57-8]\d\d|6[0-57-9]\d|66[0-57-9])-(?:0[1-9]|[1-9]\d)-(?:000[1-9]|00[1-9]\d|0[1-9]\d\d|[1-9]\d{3})(?:$|[^\w-])`

/** By Luhn: every second digit from the right counts double, as the sum of its digits. */
function passesLuhn(found: string): string {
  const digits = `regexp_replace(${found}, '[^0-9]', '', 'g')`
  const digit = `${digits}[-place]::INTEGER`
  const worth = `CASE WHEN place % 2 = 0 THEN [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][${digit} + 1] ELSE ${digit} END`
  return `list_sum(list_transform(range(1, length(${digits}) + 1), lambda place: ${worth})) % 10 = 0`
}

/** With its first four characters at the end and letters as numbers from 10 on, the rest by 97 is 1. */
function passesMod97(found: string): string {
  const compact = `replace(${found}, ' ', '')`
  const turned = `string_split(substr(${compact}, 5) || left(${compact}, 4), '')`
  const numbers = `list_transform(${turned}, lambda c: CASE WHEN c BETWEEN '0' AND '9' THEN c::INTEGER ELSE ascii(c) - 55 END)`
  return `list_reduce(${numbers}, lambda rest, n: CASE WHEN n < 10 THEN rest * 10 + n ELSE rest * 100 + n END % 97) = 1`
}

export const DETECTORS: readonly Detector[] = [
  matching('email', EMAIL),
  matching('phone', PHONE),
  checked('iban', IBAN, passesMod97),
  checked('credit_card', CREDIT_CARD, passesLuhn),
  matching('ip', IP),
  matching('ssn', SSN)
]
