import { kindOf } from '../../evaluation/columns.ts'
import { SKETCH_ERROR } from '../reading.ts'
import { isDecimal } from '../values.ts'
import { type Candidate, FEW, inWords, type KnownColumn, sure } from './candidate.ts'

const KEY_NAME =
  /(?:^|[_\W])(?:id|key|uuid|guid|code|number|no|nr|ref|isbn|ean|sku|e?mail)$|[a-z\d](?:Id|ID|Key|Uuid|UUID|Guid|Code|Number|No|Nr|Ref)$/i
const MAX_KEY_CHARS = 64
const MOST_FORMS = 3

/** Whether a column is called what keys are called. */
export const isNamedKey = ({ name }: KnownColumn): boolean => KEY_NAME.test(name)

/** Whether its values look like those of a key: all differ, and by more than chance. */
export function looksLikeKey(column: KnownColumn): boolean {
  const { type, count, distinct, top, masked } = column
  const kind = kindOf(type)
  if (count < FEW || distinct === null || (kind !== 'whole' && kind !== 'text') || isDecimal(type)) return false
  if (distinct.count < (distinct.exact ? count : count * (1 - SKETCH_ERROR))) return false
  if (isNamedKey(column)) return true
  if (masked || top[0]?.count !== 1) return false
  return kind === 'whole' ? isDense(column) : isOfOneMake(column)
}

/** Whole numbers that were counted rather than measured. */
const isDense = ({ min, max, count }: KnownColumn): boolean => Number(max) - Number(min) < 2 * count

/** Short texts of a few forms that hold digits. */
function isOfOneMake({ lengths, patterns, drawn, looksLike }: KnownColumn): boolean {
  if (looksLike?.uuid === drawn?.values) return true
  const covered = patterns.slice(0, MOST_FORMS).reduce((sum, { count }) => sum + count, 0)
  const hasDigits = patterns.every(({ pattern }) => pattern.includes('9'))
  return (lengths?.max ?? 0) <= MAX_KEY_CHARS && hasDigits && covered === drawn?.values
}

export function uniqueCandidate(column: KnownColumn): Candidate[] {
  if (!looksLikeKey(column)) return []
  const { name, count } = column
  const isNamed = isNamedKey(column)
  const why = isNamed ? ', and its name is that of a key' : ', and they look like numbers or codes that were given out'
  return [
    {
      type: 'unique',
      config: { columns: [name] },
      words: `${name} is unique`,
      evidence: `No two of the ${inWords(count)} values of ${name} are the same${why}.`,
      confidence: sure(isNamed ? 0.95 : 0.6, count)
    }
  ]
}
