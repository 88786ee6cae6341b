import { type FieldError, Problem } from '../../../errors.ts'
import { referenceFaults } from '../../../http/reference-fields.ts'
import { DURATION_FORM } from '../../../http/times.ts'
import { escalationFaults } from './channels.ts'
import type { Condition, RuleUpdate } from './schema.ts'
import { MAX_SPAN_WORDS, spanMs } from './spans.ts'
import type { Operator, WindowFunction } from './words.ts'

interface Compared {
  readonly operator: Operator
  readonly threshold: number
  readonly upperThreshold?: number
}

/** A condition of which it is known which fields it has. */
export type ParsedCondition =
  | ({
      readonly kind: 'points'
      readonly sourceId: string
      readonly tag: string
      readonly function: WindowFunction
      readonly windowMs: number
    } & Compared)
  | ({ readonly kind: 'sql'; readonly relations: Readonly<Record<string, string>>; readonly sql: string } & Compared)
  | { readonly kind: 'event'; readonly event: string; readonly filter: Readonly<Record<string, string>> }

const FIELDS = {
  points: ['sourceId', 'tag', 'function', 'window', 'operator', 'threshold', 'upperThreshold'],
  sql: ['reference', 'references', 'sql', 'operator', 'threshold', 'upperThreshold'],
  event: ['event', 'filter']
} as const

const NEEDED = {
  points: ['sourceId', 'tag', 'function', 'window', 'operator', 'threshold'],
  sql: ['sql', 'operator', 'threshold'],
  event: ['event']
} as const

/** The name of the only reference of a condition in its SQL. */
const ONLY = 'input'

/** Reads a condition that was checked. */
export function parsedCondition(condition: Condition): ParsedCondition {
  const { operator, threshold, upperThreshold } = condition
  const compared = { operator, threshold, ...(upperThreshold !== undefined && { upperThreshold }) } as Compared
  switch (kindOf(condition)) {
    case 'event':
      return { kind: 'event', event: condition.event as string, filter: condition.filter ?? {} }
    case 'sql': {
      const relations = condition.references ?? { [ONLY]: condition.reference as string }
      return { kind: 'sql', relations, sql: condition.sql as string, ...compared }
    }
    case 'points':
      return {
        kind: 'points',
        sourceId: condition.sourceId as string,
        tag: condition.tag as string,
        function: condition.function as WindowFunction,
        windowMs: spanMs(condition.window as string) as number,
        ...compared
      }
  }
}

export function isMet({ operator, threshold, upperThreshold = threshold }: Compared, value: number): boolean {
  switch (operator) {
    case '>':
      return value > threshold
    case '>=':
      return value >= threshold
    case '<':
      return value < threshold
    case '<=':
      return value <= threshold
    case '==':
      return value === threshold
    case '!=':
      return value !== threshold
    case 'inside':
      return value >= threshold && value <= upperThreshold
    case 'outside':
      return value < threshold || value > upperThreshold
  }
}

/** Everything that is wrong with the conditions and durations of a rule, with a pointer to each. */
export function requireSound(rule: RuleUpdate, conditions: readonly Condition[], events: readonly string[]): void {
  const single = rule.condition !== undefined
  const errors: FieldError[] = []
  if (single && rule.conditions !== undefined) {
    errors.push({ pointer: '/conditions', message: 'says the same as condition: send one of the two' })
  }
  if (conditions.length === 0) errors.push({ pointer: '/condition', message: 'is required, or conditions' })
  for (const [index, condition] of conditions.entries()) {
    const at = single ? '/condition' : `/conditions/${index}`
    errors.push(...faultsOf(condition, at, events))
  }
  if (conditions.length > 1 && conditions.some(({ event }) => event !== undefined)) {
    errors.push({ pointer: '/conditions', message: 'can’t join an event with others: make a rule for it alone' })
  }
  for (const field of ['for', 'keepFiringFor', 'noDataFor'] as const) {
    const text = rule[field]
    if (text != null && spanMs(text) === undefined) errors.push(spanFault(`/${field}`))
  }
  errors.push(...escalationFaults(rule))
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

function kindOf({ event, sql, reference, references }: Condition): ParsedCondition['kind'] {
  if (event !== undefined) return 'event'
  return sql !== undefined || reference !== undefined || references !== undefined ? 'sql' : 'points'
}

function faultsOf(condition: Condition, at: string, events: readonly string[]): FieldError[] {
  const kind = kindOf(condition)
  const allowed: readonly string[] = FIELDS[kind]
  const errors: FieldError[] = []
  for (const field of Object.keys(condition)) {
    if (!allowed.includes(field))
      errors.push({ pointer: `${at}/${field}`, message: `has no meaning beside ${KEY[kind]}` })
  }
  for (const field of NEEDED[kind]) {
    if (condition[field as keyof Condition] === undefined) {
      errors.push({ pointer: `${at}/${field}`, message: `is required beside ${KEY[kind]}` })
    }
  }
  if (kind === 'event') errors.push(...eventFaults(condition, at, events))
  else errors.push(...rangeFaults(condition, at))
  if (kind === 'sql') errors.push(...referenceFaults(condition, at, 'is required beside sql, or references'))
  if (kind === 'points' && condition.window !== undefined && spanMs(condition.window) === undefined) {
    errors.push(spanFault(`${at}/window`))
  }
  return errors
}

const KEY = { points: 'sourceId', sql: 'sql', event: 'event' } as const

function eventFaults({ event = '' }: Condition, at: string, events: readonly string[]): FieldError[] {
  if (events.includes(event)) return []
  return [{ pointer: `${at}/event`, message: `must be one of ${events.join(', ')}` }]
}

function rangeFaults({ operator, threshold = 0, upperThreshold }: Condition, at: string): FieldError[] {
  const isRange = operator === 'inside' || operator === 'outside'
  const pointer = `${at}/upperThreshold`
  if (isRange && upperThreshold === undefined) return [{ pointer, message: `is required with ${operator}` }]
  if (isRange && (upperThreshold as number) < threshold) return [{ pointer, message: 'must not be below threshold' }]
  if (!isRange && upperThreshold !== undefined) return [{ pointer, message: 'is for inside and outside only' }]
  return []
}

const spanFault = (pointer: string): FieldError => ({
  pointer,
  message: `must be ${DURATION_FORM}, and at most ${MAX_SPAN_WORDS}`
})
