/**
 * The proleptic Gregorian calendar in integer arithmetic: dates are made for every row of an answer, so it has to be
 * fast.
 */
export interface CivilDate {
  readonly year: number
  /** Counted from 1. */
  readonly month: number
  readonly day: number
}

const DAYS_PER_ERA = 146_097
/** From 0000-03-01 to the epoch: years that begin in March have their leap day at the end. */
const DAYS_TO_EPOCH = 719_468

/** The date that lies so many days after 1970-01-01. */
export function civilDate(epochDay: number): CivilDate {
  const shifted = epochDay + DAYS_TO_EPOCH
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

/** Months since 1970-01 of a day. */
export function epochMonth(epochDay: number): number {
  const { year, month } = civilDate(epochDay)
  return (year - 1970) * 12 + month - 1
}

/** The first day of a month. */
export function firstDayOfMonth(monthsSinceEpoch: number): number {
  const year = 1970 + Math.floor(monthsSinceEpoch / 12)
  const month = monthsSinceEpoch - (year - 1970) * 12 + 1
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5)
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH
}
