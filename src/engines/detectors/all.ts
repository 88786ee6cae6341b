import type { Detector } from './detector.ts'
import { ALPHANUMERIC } from './national/alphanumeric.ts'
import { BY_DIGITS } from './national/by-digits.ts'
import { birthDate } from './values/birth-date.ts'
import { coordinates } from './values/coordinates.ts'
import { email } from './values/email.ts'
import { iban } from './values/iban.ts'
import { ipv4, ipv6, mac } from './values/network.ts'
import { paymentCard } from './values/payment-card.ts'
import { personName } from './values/person-name.ts'
import { phone } from './values/phone.ts'
import { postalAddress } from './values/postal-address.ts'
import { hashes, texts, tokens } from './values/secret.ts'

export const DETECTORS: readonly Detector[] = [
  email,
  phone,
  paymentCard,
  iban,
  ...BY_DIGITS,
  ...ALPHANUMERIC,
  personName,
  postalAddress,
  birthDate,
  ipv4,
  ipv6,
  mac,
  coordinates,
  tokens,
  hashes,
  texts
]
