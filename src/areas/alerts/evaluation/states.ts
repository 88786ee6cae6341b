export const INSTANCE_STATES = ['normal', 'pending', 'recovering', 'nodata', 'error', 'firing'] as const
/** In the order of how bad they are, the worst last. */
export type InstanceState = (typeof INSTANCE_STATES)[number]

/** How an instance was judged so far. Times are milliseconds since the epoch. */
export interface Instance {
  readonly state: InstanceState
  /** Since when it is in this state. */
  readonly sinceMs: number
  /** Since when the condition is met without a break; null while it is not. */
  readonly metSinceMs: number | null
  /** Since when it is no longer met although an alert is open. */
  readonly clearSinceMs: number | null
  /** Since when there is no data, or an error instead of it. */
  readonly lackSinceMs: number | null
  /** Evaluations in a row in which its label set was missing. */
  readonly missed: number
  /** Whether an alert is open. It outlives gaps: that nothing is known is no proof that all is well. */
  readonly isOpen: boolean
  /** Resolved by hand: it does not fire again before the condition was false once. */
  readonly isQuiet: boolean
  /** Of the last reading that had one. */
  readonly value: number | null
  /** What is behind a lack of data; the same for all instances that lack it for the same reason. */
  readonly cause: string | null
}

/** What one evaluation says of a label set. */
export type Reading =
  | { readonly kind: 'value'; readonly value: number | null; readonly isMet: boolean }
  | { readonly kind: 'noData' }
  /** The label set was there before and is missing now, while others are there. */
  | { readonly kind: 'vanished' }
  | { readonly kind: 'error'; readonly cause: string }

export const NO_DATA_MODES = ['ok', 'alerting', 'nodata'] as const
export const ERROR_MODES = ['error', 'alerting', 'ok', 'keep'] as const

/** The part of a rule that says what follows from readings. */
export interface Manners {
  readonly forMs: number
  readonly keepFiringForMs: number
  readonly noData: (typeof NO_DATA_MODES)[number]
  /** How long data has to be missing, or to fail, before that means anything. */
  readonly noDataForMs: number
  readonly onError: (typeof ERROR_MODES)[number]
}

export type ResolveReason = 'recovered' | 'vanished' | 'manual' | 'rule-disabled' | 'rule-deleted'

export interface Step {
  /** Undefined where there is nothing left to remember. */
  readonly instance: Instance | undefined
  readonly change?: { readonly kind: 'fired' } | { readonly kind: 'resolved'; readonly reason: ResolveReason }
}

/** After so many evaluations without it a label set is gone. */
const MISSED_EVALUATIONS = 3

/** An instance before its first reading. */
export function unseen(nowMs: number): Instance {
  return {
    state: 'normal',
    sinceMs: nowMs,
    metSinceMs: null,
    clearSinceMs: null,
    lackSinceMs: null,
    missed: 0,
    isOpen: false,
    isQuiet: false,
    value: null,
    cause: null
  }
}

/** What becomes of an instance with one more reading. */
export function step(before: Instance, reading: Reading, nowMs: number, manners: Manners): Step {
  const instance = withoutFuture(before, nowMs)
  if (reading.kind === 'value') {
    const known = { ...instance, lackSinceMs: null, missed: 0, value: reading.value, cause: null }
    return reading.isMet ? met(known, nowMs, manners.forMs) : notMet(known, nowMs, manners)
  }
  if (reading.kind === 'vanished') return vanished({ ...instance, missed: instance.missed + 1 }, nowMs, manners)
  const lacking = { ...instance, missed: 0, lackSinceMs: instance.lackSinceMs ?? nowMs }
  if (nowMs - (lacking.lackSinceMs as number) < manners.noDataForMs) return { instance: lacking }
  const cause = reading.kind === 'error' ? reading.cause : null
  const told = { ...lacking, cause }
  switch (reading.kind === 'error' ? manners.onError : manners.noData) {
    case 'ok':
      return notMet(told, nowMs, manners)
    case 'alerting':
      // Its own time of waiting has passed, so `for` does not begin anew.
      return met({ ...told, value: null }, nowMs, 0)
    case 'keep':
      return { instance: told }
    case 'nodata':
      return { instance: unknown(told, 'nodata', nowMs) }
    case 'error':
      return { instance: unknown(told, 'error', nowMs) }
  }
}

/** Somebody has resolved the alert: the instance is silent until its condition was false once. */
export function silenced(instance: Instance, nowMs: number): Instance {
  return { ...moved(instance, 'normal', nowMs), isOpen: false, isQuiet: true, clearSinceMs: null }
}

export function worstOf(states: readonly InstanceState[]): InstanceState {
  return INSTANCE_STATES[Math.max(0, ...states.map((state) => INSTANCE_STATES.indexOf(state)))] as InstanceState
}

function met(instance: Instance, nowMs: number, forMs: number): Step {
  const metSinceMs = instance.metSinceMs ?? nowMs
  const known = { ...instance, metSinceMs, clearSinceMs: null }
  if (known.isQuiet) return { instance: moved(known, 'normal', nowMs) }
  if (known.isOpen) return { instance: moved(known, 'firing', nowMs) }
  if (nowMs - metSinceMs < forMs) return { instance: moved(known, 'pending', nowMs) }
  return { instance: { ...moved(known, 'firing', nowMs), isOpen: true }, change: { kind: 'fired' } }
}

function notMet(instance: Instance, nowMs: number, { keepFiringForMs }: Manners): Step {
  const known = { ...instance, metSinceMs: null, isQuiet: false }
  if (!known.isOpen) return { instance: moved({ ...known, clearSinceMs: null }, 'normal', nowMs) }
  const clearSinceMs = known.clearSinceMs ?? nowMs
  if (nowMs - clearSinceMs < keepFiringForMs) {
    return { instance: moved({ ...known, clearSinceMs }, 'recovering', nowMs) }
  }
  const after = { ...moved(known, 'normal', nowMs), isOpen: false, clearSinceMs: null }
  return { instance: after, change: { kind: 'resolved', reason: 'recovered' } }
}

/** Where missing means well it is over like any other; else it is waited for a few times, for it may come back. */
function vanished(instance: Instance, nowMs: number, manners: Manners): Step {
  if (manners.noData === 'ok') {
    const { instance: after, change } = notMet(instance, nowMs, manners)
    return { instance: after?.isOpen ? after : undefined, ...(change && { change }) }
  }
  if (instance.missed < MISSED_EVALUATIONS) return { instance }
  if (!instance.isOpen) return { instance: undefined }
  return { instance: undefined, change: { kind: 'resolved', reason: 'vanished' } }
}

function unknown(instance: Instance, state: 'nodata' | 'error', nowMs: number): Instance {
  return { ...moved(instance, state, nowMs), metSinceMs: null, clearSinceMs: null }
}

function moved(instance: Instance, state: InstanceState, nowMs: number): Instance {
  return instance.state === state ? instance : { ...instance, state, sinceMs: nowMs }
}

/** After a clock was set back nothing has begun later than now: else it would be waited for twice. */
function withoutFuture(instance: Instance, nowMs: number): Instance {
  const bounded = (ms: number | null) => (ms === null ? null : Math.min(ms, nowMs))
  return {
    ...instance,
    sinceMs: Math.min(instance.sinceMs, nowMs),
    metSinceMs: bounded(instance.metSinceMs),
    clearSinceMs: bounded(instance.clearSinceMs),
    lackSinceMs: bounded(instance.lackSinceMs)
  }
}
