import { FORM, type Found, MATCH, NO } from '../detector.ts'

/** Degrees with or without minutes and seconds, and the quarter of the sky before or behind them. Each part is bounded, so that none is slow. */
const ANGLE =
  /^([NSEWO] ?)?[-+]?\d{1,3}(?:[.,](\d{1,12}))?(?: ?([°º])(?: ?(\d{1,2})(?:[.,]\d{1,8})? ?['′’´]?(?: ?\d{1,2}(?:[.,]\d{1,8})? ?(?:["″”]|''|′′))?)?)?( ?[NSEWO])?/i
const LEAST_PLACES = 3
const BETWEEN = /^ ?[,;/]? ?/

interface Angle {
  readonly length: number
  readonly hasQuarter: boolean
  readonly hasMinutes: boolean
}

/** What is written as an angle at the beginning: a number alone is none, and with a quarter it has to be a precise one, for `5 W` is a power. */
function angleOf(text: string): Angle | undefined {
  const found = ANGLE.exec(text)
  if (found === null) return undefined
  const [whole, before, places = '', sign, minutes, behind] = found
  const hasQuarter = (before ?? behind) !== undefined
  if (sign === undefined && (!hasQuarter || places.length < LEAST_PLACES)) return undefined
  return { length: whole.length, hasQuarter, hasMinutes: minutes !== undefined }
}

/** `52°31'12.0"N`, `52.5200° N, 13.4050° E`, `N52.5200 E13.4050`; without minutes and quarters, or one alone without a quarter, they are any angle. */
export function lookAtAngles(value: string): Found {
  const first = angleOf(value)
  if (first === undefined) return NO
  if (first.length === value.length) return first.hasQuarter ? MATCH : first.hasMinutes ? FORM : NO
  const rest = value.slice(first.length).replace(BETWEEN, '')
  const second = angleOf(rest)
  if (second?.length !== rest.length) return NO
  return first.hasQuarter || first.hasMinutes ? MATCH : NO
}
