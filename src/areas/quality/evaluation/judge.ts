import type { Drift, KnownBaseline } from '../drift/drift.ts'
import { judgeDrift } from '../drift/judge.ts'
import { ageMs, parseThreshold, type Threshold } from '../rules/config.ts'
import type { Definition } from '../rules/definition.ts'
import type { RuleType, Status, Unit } from '../words.ts'
import type { Counted } from './statement.ts'

/** Why something was not evaluated, or what went wrong. */
export interface Reason {
  /** Stable, for programs. */
  readonly code: string
  readonly message: string
}

/** What a rule says of its data. */
export interface Judgement {
  readonly status: Status
  readonly measured: number | null
  /** What it was compared with: the threshold that was passed over, or else the one that counts first. */
  readonly threshold: number | null
  readonly unit: Unit
  readonly rowsChecked: number
  readonly rowsFailed: number
  readonly reason: Reason | null
  /** Of `freshness`: the column, of which `measured` and `reason` tell the newest value. */
  readonly column?: string
  /** Of `distribution`: what has moved since the baseline. */
  readonly drift?: Drift
}

type Asked = Omit<Definition, 'anomalies'> & { readonly type: RuleType; readonly baseline?: KnownBaseline | undefined }

/** What the rows came to, measured by what the rule allows. */
export function judge(rule: Asked, counted: Counted, nowMs: number): Judgement {
  switch (rule.type) {
    case 'rowCount':
      return judgeCount(rule, counted)
    case 'freshness':
      return judgeAge(rule, counted, nowMs)
    case 'distribution':
      return (rule.baseline && judgeDrift(rule.config, rule.baseline, counted)) ?? nothingToCheck()
    default:
      return judgeRows(rule, counted)
  }
}

function judgeRows(rule: Asked, { checked, failed }: Counted): Judgement {
  const { warn, fail } = thresholdsOf(rule)
  const unit = (fail ?? warn)?.unit ?? 'rows'
  const counts = { unit, rowsChecked: checked, rowsFailed: failed }
  // SQL may find what is missing, so it has something to say of no rows at all.
  if (checked === 0 && (rule.type !== 'sql' || unit === 'percent')) {
    return { ...counts, status: 'notEvaluated', measured: null, threshold: null, reason: NOTHING_TO_CHECK }
  }
  const measured = unit === 'percent' ? (failed * 100) / checked : failed
  const judged = (status: Status, threshold: Threshold | undefined): Judgement => ({
    ...counts,
    status,
    measured,
    threshold: threshold?.value ?? null,
    reason: null
  })
  if (fail !== undefined && measured > fail.value) return judged('failed', fail)
  if (warn !== undefined && measured > warn.value) return judged('warned', warn)
  return judged('passed', fail ?? warn)
}

/** Without any threshold a single row that is wrong is a failure; with one for warnings alone there are no failures. */
function thresholdsOf({ warnThreshold, failThreshold }: Asked): { warn?: Threshold; fail?: Threshold } {
  const warn = warnThreshold === null ? undefined : parseThreshold(warnThreshold)
  const fail = failThreshold === null ? undefined : parseThreshold(failThreshold)
  if (warn === undefined && fail === undefined) return { fail: { value: 0, unit: 'rows' } }
  return { ...(warn && { warn }), ...(fail && { fail }) }
}

function judgeCount({ config }: Asked, { checked }: Counted): Judgement {
  const [min, max] = [config.min, config.max].map((bound) => (bound === undefined ? undefined : Number(bound)))
  const counts = { unit: 'rows', measured: checked, rowsChecked: checked, rowsFailed: 0 } as const
  const broken = min !== undefined && checked < min ? min : max !== undefined && checked > max ? max : undefined
  if (broken === undefined) return { ...counts, status: 'passed', threshold: min ?? max ?? null, reason: null }
  const message = `There are ${checked} rows; ${broken === min ? 'at least' : 'at most'} ${broken} are expected.`
  return { ...counts, status: 'failed', threshold: broken, reason: { code: 'row_count', message } }
}

const YEAR_S = 366 * 86_400

function judgeAge({ config }: Asked, { checked, value }: Counted, nowMs: number): Judgement {
  const maxAge = config.maxAge ?? ''
  const threshold = ageMs(maxAge, nowMs) / 1000
  const { column = '' } = config
  const counts = { unit: 'seconds', threshold, rowsChecked: checked, rowsFailed: 0, column } as const
  if (value === null) return { ...counts, status: 'notEvaluated', measured: null, reason: NOTHING_TO_CHECK }
  const measured = Math.round(nowMs - value / 1000) / 1000
  if (measured < -YEAR_S) {
    const message = `The newest row is of ${inWords(value / 1000)}, over a year ahead of the clock, so that it can't be told how old the others are; leave such rows out with \`where\`.`
    return { ...counts, status: 'failed', measured, reason: { code: 'ahead', message } }
  }
  if (measured <= threshold) return { ...counts, status: 'passed', measured, reason: null }
  const message = `The newest row is of ${inWords(value / 1000)}, which is longer ago than ${maxAge}.`
  return { ...counts, status: 'failed', measured, reason: { code: 'too_old', message } }
}

/** SQL has years that a `Date` can't hold. */
const inWords = (ms: number): string =>
  Math.abs(ms) <= MAX_DATE_MS ? new Date(ms).toISOString() : `${Math.round(ms / 1000)} s since 1970`

const MAX_DATE_MS = 8.64e15

const NOTHING_TO_CHECK: Reason = {
  code: 'no_rows',
  message:
    'There is no row that the rule could be asked of: the data are empty, or what it is about is null in all of them.'
}

export const nothingToCheck = (): Judgement => notJudged('notEvaluated', NOTHING_TO_CHECK)

/** A rule that could not be asked. */
export const notJudged = (status: 'error' | 'notEvaluated', reason: Reason): Judgement => ({
  status,
  measured: null,
  threshold: null,
  unit: 'rows',
  rowsChecked: 0,
  rowsFailed: 0,
  reason
})
