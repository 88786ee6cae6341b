import type { Cells, Shape } from './shape.ts'
import { chiSquare, cramersV, ksDistance, ksPValue, psi, sum } from './statistics.ts'

/** How two distributions are compared. */
export const METHODS = ['psi', 'ks', 'chiSquare'] as const
export type Method = (typeof METHODS)[number]

/** What each method measures; the p-value is told and does not say how much has changed. */
export const MEASURES = { psi: 'psi', ks: 'ks', chiSquare: 'cramersV' } as const

/** Up to which the difference is taken for none, by whichever method, unless the rule says otherwise. */
export const USUAL_DRIFT = 0.1

/** What is less likely than this is not taken for chance. */
export const CHANCE = 0.01

const BINS = 20

/** Cells as they are shown, and as psi and chi-square count them. */
export interface Bin {
  /** The first and the last cell that belong to it; −1 for what is no number. */
  readonly first: number
  readonly last: number
  readonly before: number
  readonly now: number
}

export interface Comparison {
  readonly method: Method
  readonly measured: number
  readonly pValue: number
  readonly bins: readonly Bin[]
}

export function compare(cells: Cells, before: Shape, now: Shape, method: Method): Comparison {
  const bins = binsOf(cells, before, now)
  const [binsBefore, binsNow] = [bins.map((bin) => bin.before), bins.map((bin) => bin.now)]
  if (method === 'ks') {
    // What is no number comes after all that is one.
    const [p, q] = [before, now].map(({ counts, notNumbers }) => [...counts, notNumbers]) as [number[], number[]]
    const measured = ksDistance(p, q)
    return { method, measured, pValue: ksPValue(measured, sum(p), sum(q)), bins }
  }
  const measured = method === 'psi' ? psi(binsBefore, binsNow) : cramersV(binsBefore, binsNow)
  return { method, measured, pValue: chiSquare(binsBefore, binsNow).pValue, bins }
}

/** The method for a kind of column unless the rule names one. */
export const usualMethod = ({ kind }: Pick<Cells, 'kind'>): Method => (kind === 'category' ? 'chiSquare' : 'ks')

/**
 * Neighbouring cells of numbers are joined until each bin has a twentieth of the rows of the baseline. What lies below
 * and above all of its rows stays apart, or nobody would see that it is new.
 */
function binsOf({ kind }: Cells, before: Shape, now: Shape): Bin[] {
  const least = kind === 'category' ? 0 : sum(before.counts) / BINS
  const bins: Bin[] = []
  const last = before.counts.length - 1
  let open: Bin | undefined
  for (const [at, count] of before.counts.entries()) {
    const more = now.counts[at] as number
    open = { first: open?.first ?? at, last: at, before: (open?.before ?? 0) + count, now: (open?.now ?? 0) + more }
    const isEdge = kind !== 'category' && (at === 0 || at >= last - 1)
    if (open.before < least && !isEdge) continue
    bins.push(open)
    open = undefined
  }
  const notNumbers = { first: -1, last: -1, before: before.notNumbers, now: now.notNumbers }
  return [...bins, notNumbers].filter((bin) => bin.before > 0 || bin.now > 0)
}
