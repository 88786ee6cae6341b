import { parseReference } from '../../../data/reference.ts'
import type { FieldError } from '../../../errors.ts'
import { DURATION_FORM, parseDuration, parseTime, timeBefore } from '../../../http/times.ts'
import type { Dimension, RuleType } from '../words.ts'
import type { RuleConfig, RuleUpdate } from './schema.ts'

type Member = keyof RuleConfig

interface TypeFacts {
  readonly needed: readonly Member[]
  readonly optional?: readonly Member[]
  /** Whether it counts rows that are wrong, which thresholds are about. */
  readonly countsRows: boolean
  readonly dimension: Dimension
}

const ROWS = ['where', 'sample'] as const

/** What each type takes, and which dimension it is about unless its rule says otherwise. */
export const TYPES: Readonly<Record<RuleType, TypeFacts>> = {
  notNull: { needed: ['column'], optional: ROWS, countsRows: true, dimension: 'completeness' },
  unique: { needed: ['columns'], optional: ['where'], countsRows: true, dimension: 'uniqueness' },
  range: { needed: ['column'], optional: ['min', 'max', ...ROWS], countsRows: true, dimension: 'validity' },
  allowedValues: { needed: ['column', 'values'], optional: ROWS, countsRows: true, dimension: 'validity' },
  regex: { needed: ['column', 'pattern'], optional: ROWS, countsRows: true, dimension: 'validity' },
  rowCount: { needed: [], optional: ['min', 'max', 'where'], countsRows: false, dimension: 'completeness' },
  freshness: { needed: ['column', 'maxAge'], optional: ['where'], countsRows: false, dimension: 'timeliness' },
  schemaMatches: { needed: ['schemaId'], optional: ['version'], countsRows: false, dimension: 'consistency' },
  referential: { needed: ['column', 'to'], optional: ['where'], countsRows: true, dimension: 'consistency' },
  distribution: {
    needed: ['column'],
    optional: ['baseline', 'method', 'maxDrift', 'warnDrift', ...ROWS],
    countsRows: false,
    dimension: 'consistency'
  },
  sql: { needed: ['query'], countsRows: true, dimension: 'accuracy' }
}

export interface Threshold {
  readonly value: number
  readonly unit: 'rows' | 'percent'
}

const PERCENT = /^(\d{1,3}(?:\.\d{1,15})?)%$/

/** Reads `3` and `"2.5%"`; undefined for what is neither. */
export function parseThreshold(threshold: number | string): Threshold | undefined {
  if (typeof threshold === 'number') return { value: threshold, unit: 'rows' }
  const percent = Number(PERCENT.exec(threshold)?.[1] ?? Number.NaN)
  return percent <= 100 ? { value: percent, unit: 'percent' } : undefined
}

/** A time as bounds name it, in nanoseconds; relative ones are none, for a bound stays where it is. */
export function boundNs(text: string): bigint | undefined {
  return /^\d/.test(text) ? parseTime(text, 0) : undefined
}

/** How long an age is at a time: months and years follow the calendar. */
export function ageMs(maxAge: string, nowMs: number): number {
  const duration = parseDuration(maxAge)
  const since = duration && timeBefore(nowMs, duration)
  return since === undefined ? Number.POSITIVE_INFINITY : nowMs - since
}

/** Everything that is wrong with a rule as it is written, whatever the data are. */
export function plainFaults(type: RuleType, config: RuleConfig, thresholds: RuleUpdate): FieldError[] {
  const { needed, optional = [] } = TYPES[type]
  const faults: FieldError[] = []
  for (const member of Object.keys(config) as Member[]) {
    if (!needed.includes(member) && !optional.includes(member)) {
      faults.push(fault(member, `has no meaning for ${type}; it takes ${[...needed, ...optional].join(', ')}`))
    }
  }
  for (const member of needed) if (config[member] === undefined) faults.push(fault(member, `is required for ${type}`))
  if (type === 'range' || type === 'rowCount') faults.push(...boundFaults(type, config))
  if (config.maxAge !== undefined && parseDuration(config.maxAge) === undefined) {
    faults.push(fault('maxAge', `must be ${DURATION_FORM}`))
  }
  if (config.to !== undefined) {
    const reference = parseReference(config.to.dataset)
    if ('problem' in reference) faults.push(fault('to/dataset', reference.problem))
  }
  if (config.warnDrift !== undefined && config.maxDrift !== undefined && config.warnDrift > config.maxDrift) {
    faults.push(fault('warnDrift', 'must not be above maxDrift'))
  }
  return [...faults, ...driftFaults(config), ...thresholdFaults(type, thresholds)]
}

/** Only PSI has no greatest value: what the others measure is never more than 1, and would never be more than that. */
function driftFaults({ method, ...config }: RuleConfig): FieldError[] {
  if (method === 'psi') return []
  return (['maxDrift', 'warnDrift'] as const)
    .filter((member) => (config[member] ?? 0) >= 1)
    .map((member) =>
      fault(member, 'must be below 1: ks and chiSquare measure from 0 to 1; only psi has no greatest value')
    )
}

function boundFaults(type: RuleType, { min, max }: RuleConfig): FieldError[] {
  if (min === undefined && max === undefined) return [fault('min', 'is required, or max')]
  const faults: FieldError[] = []
  for (const [member, bound] of Object.entries({ min, max })) {
    if (bound === undefined) continue
    if (type === 'rowCount' && !(Number.isSafeInteger(bound) && Number(bound) >= 0)) {
      faults.push(fault(member, 'must be a whole number from 0 on'))
    } else if (typeof bound === 'string' && boundNs(bound) === undefined) {
      faults.push(fault(member, 'must be a number, or an ISO 8601 time with its offset, or a date'))
    }
  }
  if (faults.length > 0 || min === undefined || max === undefined) return faults
  if (typeof min !== typeof max) return [fault('max', 'must be of the same kind as min: a number, or a time')]
  const isTurned = typeof min === 'number' ? min > Number(max) : (boundNs(min) ?? 0n) > (boundNs(String(max)) ?? 0n)
  return isTurned ? [fault('max', 'must not be below min')] : []
}

export function thresholdFaults(
  type: RuleType,
  { warnThreshold, failThreshold }: Pick<RuleUpdate, 'warnThreshold' | 'failThreshold'>
): FieldError[] {
  const faults: FieldError[] = []
  const parsed = Object.entries({ warnThreshold, failThreshold }).map(([member, threshold]) => {
    if (threshold === undefined || threshold === null) return undefined
    const pointer = `/${member}`
    if (!TYPES[type].countsRows) {
      faults.push({ pointer, message: `has no meaning for ${type}, which does not count rows that are wrong` })
    }
    const read = parseThreshold(threshold)
    if (read === undefined) {
      faults.push({ pointer, message: 'must be a whole number of rows, or a percentage from "0%" to "100%"' })
    }
    return read
  })
  const [warn, fail] = parsed
  if (faults.length > 0 || warn === undefined || fail === undefined) return faults
  if (warn.unit !== fail.unit) {
    return [{ pointer: '/warnThreshold', message: 'must count the same as failThreshold: rows, or a percentage' }]
  }
  return warn.value <= fail.value ? [] : [{ pointer: '/warnThreshold', message: 'must not be above failThreshold' }]
}

const fault = (member: string, message: string): FieldError => ({ pointer: `/config/${member}`, message })
