const NS_PER_MS = 1_000_000n
const NS_PER_SECOND = 1_000_000_000n
const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9})\d*)?)?(?:Z|\+00(?::?00)?)?$/

/** A time in UTC, as texts of columns and positions have it, in nanoseconds since 1970; undefined for what is none. */
export function parseTime(text: string): bigint | undefined {
  const [, day, time = '00:00', fraction = ''] = TIME.exec(text) ?? []
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(ms)) return undefined
  return BigInt(ms) * NS_PER_MS + BigInt(fraction.padEnd(9, '0'))
}

/** The form that columns of times have, with as many digits of a second as it needs, and at least six. */
export function timeText(ns: bigint): string {
  const fraction = ((ns % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND
  const whole = new Date(Number((ns - fraction) / NS_PER_MS)).toISOString().slice(0, 19).replace('T', ' ')
  const digits = String(fraction).padStart(9, '0')
  return `${whole}.${digits.endsWith('000') ? digits.slice(0, 6) : digits}`
}
