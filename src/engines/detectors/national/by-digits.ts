import { areAllEqual, isDigit, readDigits } from '../chars.ts'
import { BROKEN, type Detector, detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import {
  isAustralian,
  isAustrian,
  isBelgian,
  isCanadian,
  isCpf,
  isCroatian,
  isCzech,
  isDanish,
  isDutch,
  isGerman,
  isIndian,
  isKorean,
  isLongSwedish,
  isNhs,
  isNorwegian,
  isPesel,
  isRomanian,
  isSocialSecurity,
  isSouthAfrican,
  isSwedish,
  isSwiss,
  isTurkish
} from './digit-rules.ts'

/** A number with separators or without. Each has a function of its own, which is faster than one that is told what to do. */
const ofDigits = (form: string, alone: number, chance: number, look: Detector['look']): Detector =>
  detector({ kind: 'national-id', form, alone, chance, formCounts: true, look })

/** Whether a value has so many digits; those are to be checked then. */
function hasDigits(value: string, count: number): boolean {
  return value.length >= count && value.length <= count + 4 && readDigits(value) === count
}

const verdict = (count: number, isRight: boolean): Found => (isRight && !areAllEqual(count) ? MATCH : BROKEN)
/** Where a number is known only with its separators: without them it has the form. */
const writtenSo = (found: Found, isWritten: boolean): Found => (found === MATCH && !isWritten ? FORM : found)

const isSeparatorAt = (value: string, place: number) => !isDigit(value.charCodeAt(place))

export const BY_DIGITS: readonly Detector[] = [
  ofDigits('SSN (United States)', 0.75, 0.5, (value) =>
    hasDigits(value, 9)
      ? writtenSo(
          verdict(9, isSocialSecurity()),
          value.length === 11 && isSeparatorAt(value, 3) && isSeparatorAt(value, 6)
        )
      : NO
  ),
  ofDigits('NHS number (United Kingdom)', 0.6, 0.09, (value) => (hasDigits(value, 10) ? verdict(10, isNhs()) : NO)),
  ofDigits('Steuer-ID (Germany)', 0.9, 0.03, (value) => (hasDigits(value, 11) ? verdict(11, isGerman()) : NO)),
  ofDigits('BSN (Netherlands)', 0.6, 0.09, (value) => (hasDigits(value, 9) ? verdict(9, isDutch()) : NO)),
  ofDigits('Rijksregisternummer (Belgium)', 0.95, 0.01, (value) =>
    hasDigits(value, 11) ? verdict(11, isBelgian()) : NO
  ),
  ofDigits('PESEL (Poland)', 0.92, 0.03, (value) => (hasDigits(value, 11) ? verdict(11, isPesel()) : NO)),
  ofDigits('Personnummer (Sweden)', 0.9, 0.03, (value) => (hasDigits(value, 10) ? verdict(10, isSwedish()) : NO)),
  ofDigits('Personnummer (Sweden)', 0.92, 0.01, (value) => (hasDigits(value, 12) ? verdict(12, isLongSwedish()) : NO)),
  ofDigits('CPR (Denmark)', 0.7, 0.3, (value) =>
    hasDigits(value, 10) ? writtenSo(verdict(10, isDanish()), value.length === 11 && isSeparatorAt(value, 6)) : NO
  ),
  ofDigits('Fødselsnummer (Norway)', 0.95, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isNorwegian()) : NO)),
  ofDigits('CPF (Brazil)', 0.93, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isCpf()) : NO)),
  ofDigits('Aadhaar (India)', 0.75, 0.1, (value) => (hasDigits(value, 12) ? verdict(12, isIndian()) : NO)),
  ofDigits('SIN (Canada)', 0.6, 0.1, (value) => (hasDigits(value, 9) ? verdict(9, isCanadian()) : NO)),
  ofDigits('AHV number (Switzerland)', 0.95, 0.01, (value) => (hasDigits(value, 13) ? verdict(13, isSwiss()) : NO)),
  ofDigits('Sozialversicherungsnummer (Austria)', 0.88, 0.02, (value) =>
    hasDigits(value, 10) ? verdict(10, isAustrian()) : NO
  ),
  ofDigits('TC Kimlik (Turkey)', 0.92, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isTurkish()) : NO)),
  ofDigits('ID number (South Africa)', 0.9, 0.03, (value) =>
    hasDigits(value, 13) ? verdict(13, isSouthAfrican()) : NO
  ),
  ofDigits('CNP (Romania)', 0.95, 0.02, (value) => (hasDigits(value, 13) ? verdict(13, isRomanian()) : NO)),
  ofDigits('RRN (South Korea)', 0.9, 0.02, (value) => (hasDigits(value, 13) ? verdict(13, isKorean()) : NO)),
  ofDigits('TFN (Australia)', 0.6, 0.09, (value) => (hasDigits(value, 9) ? verdict(9, isAustralian()) : NO)),
  ofDigits('Rodné číslo (Czechia, Slovakia)', 0.88, 0.02, (value) =>
    hasDigits(value, 10) ? verdict(10, isCzech()) : NO
  ),
  ofDigits('OIB (Croatia)', 0.6, 0.1, (value) => (hasDigits(value, 11) ? verdict(11, isCroatian()) : NO))
]
