import type { Judgement, Reason } from '../evaluation/judge.ts'
import type { Counted } from '../evaluation/statement.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { MEASURES, USUAL_DRIFT, usualMethod } from './compare.ts'
import { driftOf, type KnownBaseline } from './drift.ts'
import { rowsOf, shapeOf } from './shape.ts'

/** How far the rows are from the baseline, and whether that is further than the rule allows and than chance goes. */
export function judgeDrift(config: RuleConfig, baseline: KnownBaseline, { shape }: Counted): Judgement | undefined {
  const now = shapeOf(baseline.cells, shape)
  const rowsChecked = rowsOf(now)
  if (rowsChecked === 0) return undefined
  const method = methodOf(config, baseline)
  const { measured, isByChance, drift } = driftOf(baseline, now, method)
  const { warnDrift, maxDrift = warnDrift === undefined ? USUAL_DRIFT : undefined } = config
  const judged = (status: Judgement['status'], threshold: number | undefined, message?: string): Judgement => ({
    status,
    measured,
    threshold: threshold ?? null,
    unit: MEASURES[method],
    rowsChecked,
    rowsFailed: 0,
    reason: message === undefined ? null : { code: 'drift', message },
    drift
  })
  const broken = [maxDrift, warnDrift].find((bound) => bound !== undefined && measured > bound)
  if (broken === undefined) return judged('passed', maxDrift ?? warnDrift)
  const amount = `${NAMES[method]} is ${measured.toPrecision(3)}, more than ${broken}`
  if (isByChance) {
    const rows = `${drift.rows.now} rows against ${drift.rows.before}`
    return judged('passed', broken, `${amount}, which chance alone may do to ${rows} (p = ${inWords(drift.pValue)}).`)
  }
  const [most] = drift.moved
  const where = most === undefined ? '' : `${BEFORE_PLACE}${most.what} was ${most.before} % and is ${most.now} %`
  return judged(broken === maxDrift ? 'failed' : 'warned', broken, `${amount}${where}.`)
}

const BEFORE_PLACE = ': '

/** How far it is, without where most has moved, which names values. */
export function withoutPlace(reason: Reason): Reason {
  const [amount, ...place] = reason.message.split(BEFORE_PLACE)
  return reason.code !== 'drift' || place.length === 0 ? reason : { ...reason, message: `${amount}.` }
}

const methodOf = ({ method = 'auto' }: RuleConfig, { cells }: KnownBaseline) =>
  method === 'auto' ? usualMethod(cells) : method

const NAMES = { psi: 'PSI', ks: 'The Kolmogorov–Smirnov distance', chiSquare: 'Cramér’s V' } as const

const inWords = (pValue: number): string => pValue.toPrecision(2)
