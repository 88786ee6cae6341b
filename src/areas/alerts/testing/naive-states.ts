import type { InstanceState, Manners, Reading, Step } from '../evaluation/states.ts'

/** One entry of a whole history: an evaluation, or somebody who resolves what is open. */
export type Entry =
  | { readonly kind: 'evaluation'; readonly atMs: number; readonly reading: Reading; readonly manners: Manners }
  | { readonly kind: 'resolve'; readonly atMs: number }

interface After {
  readonly state: InstanceState
  readonly isOpen: boolean
  readonly isQuiet: boolean
  readonly isThere: boolean
  readonly change: Step['change']
}

type Evaluation = Extract<Entry, { kind: 'evaluation' }>
/** What an evaluation comes to, whatever was before. */
type Meaning = 'met' | 'met at once' | 'clear' | 'hold' | 'nodata' | 'error' | 'gone'

/**
 * What the state machine remembers from step to step, found out anew from the whole history at every step. Slow and simple:
 * nothing is counted on, everything is looked up.
 */
export function naiveStates(history: readonly Entry[]): After[] {
  const afters: After[] = []
  let start = 0
  for (const [index, entry] of history.entries()) {
    const before = index > start ? (afters[index - 1] as After) : NEW
    const after = entry.kind === 'resolve' ? resolved(before) : next(history.slice(start, index + 1), before, entry)
    afters.push(after)
    if (!after.isThere) start = index + 1
  }
  return afters
}

const NEW: After = { state: 'normal', isOpen: false, isQuiet: false, isThere: true, change: undefined }

function resolved(before: After): After {
  const { isOpen } = before
  return isOpen
    ? { ...before, state: 'normal', isOpen: false, isQuiet: true, change: undefined }
    : { ...before, change: undefined }
}

function next(history: readonly Entry[], { state, isOpen, isQuiet }: After, entry: Evaluation): After {
  const meaning = meaningOf(history)
  const same: After = { state, isOpen, isQuiet, isThere: true, change: undefined }
  switch (meaning) {
    case 'hold':
      return same
    case 'nodata':
    case 'error':
      return { ...same, state: meaning }
    case 'gone':
      return { ...NEW, isThere: false, change: isOpen ? { kind: 'resolved', reason: 'vanished' } : undefined }
    case 'clear': {
      const isLong = entry.atMs - runStart(history, ['clear']) >= entry.manners.keepFiringForMs
      const isOver = !isOpen || isLong
      const isThere = !isOver || entry.reading.kind !== 'vanished'
      return {
        state: isOver ? 'normal' : 'recovering',
        isOpen: !isOver,
        isQuiet: false,
        isThere,
        change: isOpen && isOver ? { kind: 'resolved', reason: 'recovered' } : undefined
      }
    }
    default: {
      if (isQuiet) return { ...same, state: 'normal' }
      const isLong = entry.atMs - runStart(history, ['met', 'met at once']) >= entry.manners.forMs
      if (isOpen) return { ...same, state: 'firing' }
      if (meaning === 'met' && !isLong) return { ...same, state: 'pending' }
      return { ...same, state: 'firing', isOpen: true, change: { kind: 'fired' } }
    }
  }
}

function meaningOf(history: readonly Entry[]): Meaning {
  const evaluations = history.filter((entry) => entry.kind === 'evaluation')
  const { reading, manners, atMs } = evaluations.at(-1) as Evaluation
  if (reading.kind === 'value') return reading.isMet ? 'met' : 'clear'
  if (reading.kind === 'vanished') {
    if (manners.noData === 'ok') return 'clear'
    return evaluations.slice(-3).filter((entry) => entry.reading.kind === 'vanished').length === 3 ? 'gone' : 'hold'
  }
  const lastValue = evaluations.findLastIndex((entry) => entry.reading.kind === 'value')
  const firstLack = evaluations.slice(lastValue + 1).find((entry) => entry.reading.kind !== 'vanished') as Evaluation
  if (atMs - firstLack.atMs < manners.noDataForMs) return 'hold'
  const mode = reading.kind === 'error' ? manners.onError : manners.noData
  return ({ ok: 'clear', alerting: 'met at once', keep: 'hold', nodata: 'nodata', error: 'error' } as const)[mode]
}

/** When the unbroken run of such meanings began that ends now; what holds breaks no run. */
function runStart(history: readonly Entry[], meanings: readonly Meaning[]): number {
  let startMs = Number.NaN
  for (let length = history.length; length > 0; length--) {
    const entry = history[length - 1] as Entry
    if (entry.kind === 'resolve') continue
    const meaning = meaningOf(history.slice(0, length))
    if (meanings.includes(meaning)) startMs = entry.atMs
    else if (meaning !== 'hold') break
  }
  return startMs
}
