import { quoted, TimingError } from './timing.ts'

// What a cron expression may be, everything else is refused:
//
//   minute hour day-of-month month day-of-week, or the same with seconds before it; or one of the NICKNAMES.
//
//   every field    *, */5, 5, 1-5, 1-10/3, and lists of these such as 1,3,10-20/2; * itself stands alone
//   month          also jan to dec
//   day-of-week    0 to 7, of which 0 and 7 are Sunday; also sun to sat; fri#2 is the second Friday of the month, friL the
//                  last one; ? is *
//   day-of-month   also L, the last day; LW, the last one from Monday to Friday, which stands alone; 15W, the day from
//                  Monday to Friday that is nearest to the 15th within the month; ? is *
//
// Letters may be upper or lower case. Where both kinds of days are given, which is anything but * and ?, a day counts
// that fits one of them.

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  /** The most that a step can be: every so many of this field are once per turn of it. */
  readonly size: number
  readonly names?: readonly string[]
  readonly also?: string
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const DAY_OF_MONTH: Field = { name: 'day-of-month', min: 1, max: 31, size: 31, also: 'L, LW, 15W or ?' }
const DAY_OF_WEEK: Field = {
  name: 'day-of-week',
  min: 0,
  max: 7,
  size: 7,
  names: DAYS,
  also: 'sun to sat, fri#2, friL or ?'
}
const FIELDS: readonly Field[] = [
  { name: 'second', min: 0, max: 59, size: 60 },
  { name: 'minute', min: 0, max: 59, size: 60 },
  { name: 'hour', min: 0, max: 23, size: 24 },
  DAY_OF_MONTH,
  { name: 'month', min: 1, max: 12, size: 12, names: MONTHS, also: 'jan to dec' },
  DAY_OF_WEEK
]

const NICKNAMES = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

/** Longer than one that lists all minutes, hours, days and months. */
const MAX_CHARS = 500

/** Says what is wrong with an expression; what passes means to croner what is written above. */
export function checkCron(text: string): void {
  if (text.length > MAX_CHARS)
    refuse(`A cron expression has at most ${MAX_CHARS} characters; this one has ${text.length}`)
  const fields = text.trim().split(/\s+/)
  if (text.trim().startsWith('@')) {
    if (fields.length === 1 && NICKNAMES.includes((fields[0] as string).toLowerCase())) return
    refuse(`${quoted(text)} is not known: of the names with @ there are ${NICKNAMES.join(', ')}`)
  }
  if (fields.length !== 5 && fields.length !== 6) {
    const years = fields.length === 7 ? '; years are said with startAt and endAt' : ''
    refuse(
      'A cron expression has the 5 fields minute, hour, day-of-month, month and day-of-week, or 6 with second before ' +
        `them; this one has ${text.trim() === '' ? 0 : fields.length}${years}`
    )
  }
  for (const [i, value] of fields.entries()) checkField(FIELDS[i + FIELDS.length - fields.length] as Field, value)
}

function checkField(field: Field, value: string): void {
  if (value === '*') return
  if (value === '?' && (field === DAY_OF_MONTH || field === DAY_OF_WEEK)) return
  if (field === DAY_OF_MONTH && /^LW$/i.test(value)) return
  const parts = value.split(',')
  for (const part of parts) {
    if (part === '*') wrong(field, value, '* stands alone in its field')
    if (part === '?') wrong(field, value, '? stands alone in its field, which is day-of-month or day-of-week')
    checkPart(field, part)
  }
}

function checkPart(field: Field, part: string): void {
  if (isSpecial(field, part)) return
  const read = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part)
  if (read === null) throw wrong(field, part)
  const [, star, first, last, step] = read
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.size)) {
    wrong(field, part, `steps go from 1 to ${field.size}; for others there is everySeconds`)
  }
  if (star !== undefined) return
  const from = numberOf(field, first as string, part)
  if (last === undefined) {
    if (step !== undefined) wrong(field, part, `a step needs a range: write ${first}-${field.max}/${step}`)
    return
  }
  // As the end of a range Sunday comes after Saturday.
  const to = last.toLowerCase() === 'sun' ? 7 : numberOf(field, last, part)
  if (from <= to) return
  const end = field === DAY_OF_WEEK ? 6 : field.max
  wrong(field, part, `the range runs backwards: write ${from}-${end},${field.min}-${to}`)
}

/** What only the two kinds of days have. */
function isSpecial(field: Field, part: string): boolean {
  if (field === DAY_OF_MONTH) return /^(L|([1-9]|0[1-9]|[12]\d|3[01])W)$/i.test(part)
  if (field !== DAY_OF_WEEK) return false
  const read = /^(\w+)#(\d+)$/.exec(part) ?? /^([0-7]|[a-z]{3})L$/i.exec(part)
  if (read === null) return false
  const [, day, occurrence] = read
  numberOf(field, day as string, part)
  if (occurrence !== undefined && !/^[1-5]$/.test(occurrence)) wrong(field, part, 'after # comes 1 to 5')
  return true
}

function numberOf(field: Field, text: string, part: string): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= field.min && value <= field.max ? value : wrong(field, part)
}

function wrong(field: Field, value: string, why?: string): never {
  const reason =
    why ??
    `allowed are ${field.min} to ${field.max}, ${field.also === undefined ? '' : `${field.also}, `}ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *`
  return refuse(`The field ${field.name} has ${quoted(value)}: ${reason}`)
}

function refuse(message: string): never {
  throw new TimingError('/cron', message)
}
