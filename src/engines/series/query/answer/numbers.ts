const ZERO = 48
const MINUS = 45
const POINT = 46

/** Writes a finite number as JSON does, and returns the index after it. Needs at most `MAX_NUMBER_BYTES`. */
export function writeNumber(bytes: Uint8Array, from: number, value: number): number {
  const size = Math.abs(value)
  // Most measured numbers have at most six decimal places; dividing shows whether this one does.
  const millionths = size < 1e9 ? Math.round(size * 1e6) : Number.NaN
  if (millionths / 1e6 !== size)
    return Number.isInteger(value) ? writeWhole(bytes, from, value) : writeAny(bytes, from, value)
  let at = from
  if (value < 0) bytes[at++] = MINUS
  const whole = Math.floor(size)
  at = writeDigits(bytes, at, whole)
  const fraction = millionths - whole * 1e6
  return fraction === 0 ? at : writeFraction(bytes, at, fraction)
}

/** The longest is like `-1.2345678901234567e-300`, and a whole number may have 22 digits. */
export const MAX_NUMBER_BYTES = 32

function writeWhole(bytes: Uint8Array, from: number, value: number): number {
  const size = Math.abs(value)
  if (size >= 1e15) return writeAny(bytes, from, value)
  let at = from
  if (value < 0) bytes[at++] = MINUS
  const billions = Math.floor(size / 1e9)
  at = writeDigits(bytes, at, billions)
  return writePadded(bytes, at, size - billions * 1e9, 9)
}

function writeFraction(bytes: Uint8Array, from: number, millionths: number): number {
  bytes[from] = POINT
  let at = writePadded(bytes, from + 1, millionths, 6)
  while (bytes[at - 1] === ZERO) at--
  return at
}

/** Writes a whole number below a billion. */
function writeDigits(bytes: Uint8Array, from: number, value: number): number {
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits++
  return writePadded(bytes, from, value, digits)
}

export function writePadded(bytes: Uint8Array, from: number, value: number, digits: number): number {
  let rest = value | 0
  for (let at = from + digits - 1; at >= from; at--) {
    const tenth = (rest / 10) | 0
    bytes[at] = ZERO + rest - tenth * 10
    rest = tenth
  }
  return from + digits
}

function writeAny(bytes: Uint8Array, from: number, value: number): number {
  const text = String(value)
  for (let at = 0; at < text.length; at++) bytes[from + at] = text.charCodeAt(at)
  return from + text.length
}
