import { kindOf } from '../../evaluation/columns.ts'
import { expressionOf } from '../forms.ts'
import { isDecimal } from '../values.ts'
import { type Candidate, drawnInWords, FEW, inWords, type KnownColumn, sure } from './candidate.ts'
import { isNamedKey } from './keys.ts'
import { hasPlaceholders } from './placeholders.ts'

const MOST_VALUES = 20
const MAX_VALUE_CHARS = 50
/** So often is each value drawn on the average where there is a list of them. */
const OFTEN = 10
const MOST_FORMS = 3
/** Numbers that stand for something, and are not measured or counted. */
const CODE_NAME = /(?:status|state|type|kind|code|level|flag|class|category|grade|rating)$/i
const HAS_STRUCTURE = /[9\-_/.:@#]/

/** A list of values, where there are few and each comes again. */
export function valuesCandidate(column: KnownColumn): Candidate[] {
  const { name, type, distinct, top, drawn, masked } = column
  const kind = kindOf(type)
  const isListed = kind === 'text' ? type !== 'UUID' && type !== 'JSON' : kind === 'whole' && CODE_NAME.test(name)
  if (masked || !isListed || isDecimal(type) || drawn === null || distinct === null) return []
  if (hasPlaceholders(column)) return []
  const count = top.length
  if (count < 2 || count > MOST_VALUES || distinct.count !== count || drawn.values < OFTEN * count) return []
  const values = top.flatMap(({ value }) => (isListable(value) ? [value] : []))
  if (values.length < count || top.some((one) => one.count < 2) || hasSlips(values)) return []
  return [
    {
      type: 'allowedValues',
      config: { column: name, values },
      words: `${name} has a known value`,
      evidence: `${capital(drawnInWords(column))} of ${name} are among ${count} that come again and again; the rarest, ${values.at(-1)}, ${inWords(top.at(-1)?.count ?? 0)} times.`,
      confidence: sure(0.8, drawn.values / count)
    }
  ]
}

/** Whether some values differ only in how they were typed: a list with `OK` and `OK ` would allow what it is to find. */
const hasSlips = (values: readonly (string | number)[]): boolean =>
  new Set(values.map((value) => String(value).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase())).size <
  values.length

const isListable = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_VALUE_CHARS)

/** What all texts could be read as, and an expression for it. */
const READINGS = [
  ['uuid', 'UUIDs', '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'],
  ['integer', 'whole numbers', '^[+-]?[0-9]+$'],
  ['date', 'dates', '^[0-9]{4}-[0-9]{2}-[0-9]{2}$']
] as const

/** An expression, where all texts are of a few forms that are more than words. One that lets `n/a` through says nothing. */
export function regexCandidate(column: KnownColumn): Candidate[] {
  const { name, type, distinct, drawn, looksLike, masked } = column
  if (masked || type !== 'VARCHAR' || drawn === null || looksLike === null || hasPlaceholders(column)) return []
  if (drawn.values < FEW || (distinct?.count ?? 0) <= MOST_VALUES) return []
  const reading = READINGS.find(([look]) => looksLike[look] === drawn.values)
  const forms = formsOf(column)
  const pattern = reading?.[2] ?? forms?.pattern
  if (pattern === undefined) return []
  const what = reading === undefined ? `have the form ${forms?.words}` : `are ${reading[1]}`
  return [
    {
      type: 'regex',
      config: { column: name, pattern },
      words: `${name} has its form`,
      evidence: `${capital(drawnInWords(column))} of ${name} ${what}.`,
      confidence: sure(isNamedKey(column) ? 0.9 : 0.8, drawn.values)
    }
  ]
}

function formsOf({ patterns, drawn }: KnownColumn): { pattern: string; words: string } | undefined {
  const covered = patterns.reduce((sum, { count }) => sum + count, 0)
  if (patterns.length === 0 || patterns.length > MOST_FORMS || covered !== drawn?.values) return undefined
  const expressions = patterns.map(({ pattern }) => (HAS_STRUCTURE.test(pattern) ? expressionOf(pattern) : undefined))
  if (expressions.includes(undefined)) return undefined
  const pattern = expressions.length === 1 ? `^${expressions[0]}$` : `^(?:${expressions.join('|')})$`
  return { pattern, words: patterns.map((one) => one.pattern).join(' or ') }
}

const capital = (text: string): string => text.replace(/^a/, 'A')
