import type { Random } from '../../format.ts'
import type { Scalar } from '../model.ts'

export function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Small numbers, which fit every type, and 64 bits as text, which is how JSON has them. */
export function exampleScalar(type: Scalar, field: string, random: Random): unknown {
  const number = Math.floor(random() * 1000)
  if (type === 'bool') return number % 2 === 0
  if (type === 'string') return `${field} ${number}`
  if (type === 'bytes') return Buffer.from(`${field} ${number}`).toString('base64')
  if (type === 'double' || type === 'float') return number / 8
  return type.endsWith('64') ? String(number) : number
}
