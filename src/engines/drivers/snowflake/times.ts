const MS_PER_DAY = 86_400_000

/** A day as the number of days since 1970. */
export function dayText(value: unknown): string | null {
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) return null
  const date = new Date(Number(value) * MS_PER_DAY)
  return Number.isNaN(date.getTime()) ? null : (date.toISOString().split('T')[0] ?? null)
}

/** A time as seconds since 1970 with nine digits behind the point; before 1970 both parts count backwards. */
export function epochText(value: unknown): string | null {
  const [, sign, seconds, fraction = ''] =
    (typeof value === 'string' && /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/.exec(value)) || []
  if (seconds === undefined) return null
  const whole = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
  const nanos = sign === '-' ? -whole : whole
  const part = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const date = new Date(Number((nanos - part) / 1_000_000n))
  if (Number.isNaN(date.getTime())) return null
  const digits = String(part).padStart(9, '0')
  return `${date.toISOString().slice(0, -5).replace('T', ' ')}.${digits.endsWith('000') ? digits.slice(0, 6) : digits}`
}
