/** Whole numbers of a fixed size, by the name that OpenAPI gave their format. Bounds of 64 bits are no exact numbers in JSON. */
export const RANGES = [
  { format: 'int32', bits: 32, signed: true, least: -(2 ** 31), most: 2 ** 31 - 1 },
  { format: 'uint32', bits: 32, signed: false, least: 0, most: 2 ** 32 - 1 },
  { format: 'int64', bits: 64, signed: true, least: undefined, most: undefined },
  { format: 'uint64', bits: 64, signed: false, least: 0, most: undefined }
] as const

/** The size that two bounds are those of. One bound alone is just a bound. */
export function rangeOf(least: unknown, most: unknown): (typeof RANGES)[number] | undefined {
  return RANGES.find((range) => range.most !== undefined && range.least === least && range.most === most)
}
