import type { Bytes } from './bytes.ts'

const two = (n: number) => String(n).padStart(2, '0')
const four = (n: number) => String(n).padStart(4, '0')
const six = (n: number) => String(n).padStart(6, '0')

export function readDate(bytes: Bytes): string {
  const packed = bytes.number(3)
  return `${four(packed >> 9)}-${two((packed >> 5) & 15)}-${two(packed & 31)}`
}

const DATETIME_ZERO = 0x8000000000

export function readDatetime(bytes: Bytes, digits: number): string {
  const packed = bytes.bigEndian(5) - DATETIME_ZERO
  const day = Math.floor(packed / 2 ** 17)
  const time = packed % 2 ** 17
  const month = Math.floor(day / 32)
  const date = `${four(Math.floor(month / 13))}-${two(month % 13)}-${two(day % 32)}`
  return `${date} ${clock(time >> 12, (time >> 6) % 64, time % 64)}.${six(readMicros(bytes, digits))}`
}

/** In UTC. */
export function readTimestamp(bytes: Bytes, digits: number): string {
  const seconds = bytes.bigEndian(4)
  const micros = readMicros(bytes, digits)
  if (seconds === 0 && micros === 0) return '0000-00-00 00:00:00.000000'
  return `${secondsText(seconds)}.${six(micros)}`
}

export const secondsText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** A time of the day or a span, which may be negative; without zeros at the end of the fraction, as the driver has it. */
export function readTime(bytes: Bytes, digits: number): string {
  const length = (digits + 1) >> 1
  // The whole seconds and the fraction are one number, shifted so that it is never negative.
  const shifted = bytes.bigEndian(3 + length) - 0x800000 * 256 ** length
  const size = Math.abs(shifted)
  const whole = Math.floor(size / 256 ** length)
  const micros = (size % 256 ** length) * 100 ** (3 - length)
  const text = clock((whole >> 12) % 1024, (whole >> 6) % 64, whole % 64)
  return `${shifted < 0 ? '-' : ''}${text}${micros === 0 ? '' : `.${six(micros).replace(/0+$/, '')}`}`
}

const clock = (hours: number, minutes: number, seconds: number) => `${two(hours)}:${two(minutes)}:${two(seconds)}`

/** Two digits in each byte. */
function readMicros(bytes: Bytes, digits: number): number {
  const length = (digits + 1) >> 1
  return bytes.bigEndian(length) * 100 ** (3 - length)
}
