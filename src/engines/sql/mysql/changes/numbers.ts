import type { Bytes } from './bytes.ts'

const DIGITS_IN_GROUP = 9
/** How many bytes so many digits take. */
const BYTES_FOR = [0, 1, 1, 2, 2, 3, 3, 4, 4, 4]

/** A decimal of so many digits, `scale` of them after the point; those of negative ones are turned around bit by bit. */
export function readDecimal(bytes: Bytes, precision: number, scale: number): string {
  const whole = groupsOf(precision - scale, 'left')
  const part = groupsOf(scale, 'right')
  const raw = Buffer.from(bytes.take([...whole, ...part].reduce((sum, digits) => sum + (BYTES_FOR[digits] ?? 0), 0)))
  const isNegative = ((raw[0] ?? 0) & 0x80) === 0
  raw[0] = (raw[0] ?? 0) ^ 0x80
  if (isNegative) for (let i = 0; i < raw.length; i++) raw[i] = (raw[i] as number) ^ 0xff
  let at = 0
  const digitsOf = (groups: readonly number[]) =>
    groups
      .map((digits) => {
        const length = BYTES_FOR[digits] as number
        at += length
        return String(raw.readUIntBE(at - length, length)).padStart(digits, '0')
      })
      .join('')
  const before = digitsOf(whole).replace(/^0+(?=\d)/, '') || '0'
  const after = digitsOf(part)
  return `${isNegative ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`
}

/** Nine digits each; what is left over stands at the outer end. */
function groupsOf(digits: number, outer: 'left' | 'right'): number[] {
  const full = Array<number>(Math.floor(digits / DIGITS_IN_GROUP)).fill(DIGITS_IN_GROUP)
  const left = digits % DIGITS_IN_GROUP
  if (left === 0) return full
  return outer === 'left' ? [left, ...full] : [...full, left]
}
