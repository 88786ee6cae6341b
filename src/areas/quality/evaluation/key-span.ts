import { sqlName } from '../../../data/relation.ts'
import type { DataColumn, DataValue } from '../../../data/sql-process/messages.ts'

/** The least and the greatest value that a key of whole numbers had when no two rows had the same one. */
export interface KeySpan {
  readonly least: number
  readonly most: number
}

const KEYS = /^(?:U?(?:TINYINT|SMALLINT|INTEGER)|BIGINT)$/
/** One bit each: 16 MiB for every thread. */
const MAX_VALUES = 2 ** 27
/** Fewer rows are grouped in no time. */
const LEAST_ROWS = 100_000

/** Whether the values of a key may be marked one by one. */
export const isMarkable = (key: readonly DataColumn[]): boolean => key.length === 1 && KEYS.test(key[0]?.type ?? '')

/** A span with room for what comes; undefined where that is not worth while, or takes too much memory. */
export function keySpanOf(rows: number, least: DataValue, most: DataValue): KeySpan | undefined {
  const [first, last] = [Number(least), Number(most)]
  if (rows < LEAST_ROWS || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined
  const room = Math.min(last - first + 1, Math.floor((MAX_VALUES - (last - first + 1)) / 2))
  return room < 0 ? undefined : { least: first - room, most: last + room }
}

/**
 * Marks each value of a key in a list of bits. Where as many bits are set as there are rows, no two rows have the same value, which
 * takes a fifth of the time of grouping them; `failed` is 0 then. It is null where that is not so, or a value lies beyond the span:
 * then nothing is known.
 */
export function proofOfUnique(
  dataset: string,
  { name }: DataColumn,
  { least, most }: KeySpan,
  checked: string
): string {
  const key = sqlName(name)
  const marked = `CASE WHEN ${checked} AND ${key} BETWEEN ${least} AND ${most} THEN ${key}::BIGINT END`
  const bits = `coalesce(bit_count(bitstring_agg(${marked}, ${least}, ${most})), 0)`
  return `SELECT checked, CASE WHEN bits = checked THEN 0 END AS failed FROM (SELECT coalesce(count_if(${checked}), 0) AS checked, ${bits} AS bits FROM ${dataset})`
}
