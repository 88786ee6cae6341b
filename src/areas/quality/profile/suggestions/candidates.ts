import { kindOf } from '../../evaluation/columns.ts'
import type { Told } from '../reading.ts'
import { type Candidate, FEW, inWords, type KnownColumn, sure } from './candidate.ts'
import { uniqueCandidate } from './keys.ts'
import { hasPlaceholders } from './placeholders.ts'
import { rangeCandidate } from './ranges.ts'
import { regexCandidate, valuesCandidate } from './texts.ts'

const MAX_NAME_CHARS = 200
const MS = { h: 3600_000, d: 86_400_000 }
/** How old the newest time may be where it is half of that now. */
const AGES = [
  ['1h', MS.h],
  ['6h', 6 * MS.h],
  ['1d', MS.d],
  ['2d', 2 * MS.d],
  ['7d', 7 * MS.d],
  ['14d', 14 * MS.d]
] as const

/**
 * The rules that a profile speaks for. What speaks for them is what all or drawn rows look like: of rows that were not
 * drawn, or are not in the sample, others have to find out whether they keep them.
 */
export function candidatesOf({ rows, columns }: Told, isSample: boolean, nowMs: number): Candidate[] {
  if (rows < FEW) return []
  const known = columns.filter((column): column is KnownColumn => column.count !== null && isNameable(column.name))
  return [
    ...(isSample ? [] : [rowCountCandidate(rows)]),
    ...known.flatMap((column) => [
      ...notNullCandidate(column),
      ...uniqueCandidate(column),
      ...rangeCandidate(column),
      ...valuesCandidate(column),
      ...regexCandidate(column),
      ...freshnessCandidate(column, nowMs)
    ])
  ]
}

/** Other names can't be those of rules' columns: databases have no text with a zero in it, nor with half a character. */
const isNameable = (name: string): boolean =>
  name !== '' && name.length <= MAX_NAME_CHARS && !name.includes('\0') && name.isWellFormed()

const rowCountCandidate = (rows: number): Candidate => ({
  type: 'rowCount',
  config: { min: Math.floor(rows / 2) },
  words: 'enough rows',
  evidence: `There are ${inWords(rows)} rows; less than half of them would be few.`,
  confidence: sure(0.5, rows)
})

/** Empty texts and the like are no nulls, but mean the same: a rule that holds in spite of them would tell nobody. */
function notNullCandidate(column: KnownColumn): Candidate[] {
  const { name, count, nulls } = column
  if (nulls > 0 || hasPlaceholders(column)) return []
  return [
    {
      type: 'notNull',
      config: { column: name },
      words: `${name} is there`,
      evidence: `None of the ${inWords(count)} values of ${name} is null.`,
      confidence: sure(0.9, count)
    }
  ]
}

/** Only of times that are recent: what is long ago does not grow old. */
function freshnessCandidate({ name, type, count, max, masked }: KnownColumn, nowMs: number): Candidate[] {
  if (masked || count < FEW || kindOf(type) !== 'time' || typeof max !== 'string') return []
  const age = nowMs - Date.parse(max)
  const allowed = age >= 0 ? AGES.find(([, ms]) => ms >= 2 * age) : undefined
  if (allowed === undefined) return []
  return [
    {
      type: 'freshness',
      config: { column: name, maxAge: allowed[0] },
      words: `${name} is fresh`,
      evidence: `The newest of ${inWords(count)} values of ${name} is ${max}, ${inWords(Math.ceil(age / 60_000))} minutes ago.`,
      confidence: sure(0.5, count)
    }
  ]
}
