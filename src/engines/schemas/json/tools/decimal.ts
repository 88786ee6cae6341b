import type { Shape } from '../../shape.ts'

/** Numbers that lose nothing, as JSON has to write them: digits in a string. */
export const DECIMAL_FORMAT = 'decimal'
const PATTERN = /^\^-\?(?:0|\(0\|\[1-9\]\[0-9\]\{0,(\d{1,4})\}\))(?:\(\\\.\[0-9\]\{1,(\d{1,4})\}\)\?)?\$$/

export function decimalPattern(precision: number, scale: number): string {
  const whole = precision - scale
  const front = whole <= 0 ? '0' : `(0|[1-9][0-9]{0,${whole - 1}})`
  return `^-?${front}${scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''}$`
}

/** The decimal whose pattern it is; undefined where it is none. */
export function decimalOf(format: unknown, pattern: unknown): Extract<Shape, { kind: 'decimal' }> | undefined {
  if (format !== DECIMAL_FORMAT || typeof pattern !== 'string') return undefined
  const found = PATTERN.exec(pattern)
  if (found === null) return undefined
  const [whole, scale] = [found[1] === undefined ? 0 : Number(found[1]) + 1, Number(found[2] ?? 0)]
  return { kind: 'decimal', precision: whole + scale, scale }
}
