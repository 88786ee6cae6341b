import fc from 'fast-check'

/** A point of the tag `any`; its type follows from the whole list. */
export interface AnyPoint {
  readonly time: bigint
  readonly value: number | bigint | boolean | string
  readonly type: 'float' | 'integer' | 'unsigned' | 'boolean' | 'string'
}

const time = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n) + 2n, max: 2n ** 63n - 2n }),
  fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_700_000_000_000_001_000n })
)
// Text that is not valid Unicode can't be sent, and NUL is not allowed.
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const values = {
  float: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  integer: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  unsigned: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  boolean: fc.boolean(),
  string: text
}

/** Points of one type, some at the same time. */
export const anySeries: fc.Arbitrary<AnyPoint[]> = fc
  .constantFrom(...(Object.keys(values) as (keyof typeof values)[]))
  .chain((type) =>
    fc.array(fc.record({ time, value: values[type], type: fc.constant(type) }), { minLength: 1, maxLength: 30 })
  )

export function asLines(points: readonly AnyPoint[]): string {
  return points.map((point) => `any value=${field(point)} ${point.time}`).join('\n')
}

function field({ type, value }: AnyPoint): string {
  if (type === 'integer') return `${value}i`
  if (type === 'unsigned') return `${value}u`
  return type === 'string' ? `"${String(value).replaceAll(/["\\]/g, '\\$&')}"` : String(value)
}

export function asJson(points: readonly AnyPoint[]): string {
  const members = points.map(({ time, value }) => {
    const written = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    return `{"tag":"any","time":${time},"value":${written}}`
  })
  return `[${members.join(',')}]`
}
