import type { Due } from '../../../engines/timetable/index.ts'
import { MAX_WAITING, ON_TIME_MS, SLOW_MS } from '../limits.ts'
import type { CatchUp, Overlap } from '../migrations.ts'

export interface DueRule {
  readonly enabled: boolean
  readonly overlap: Overlap
  readonly catchUp: CatchUp
  readonly catchUpWindowMs: number
}

/** What is under way of a schedule when due times are decided. */
export interface UnderWay {
  /** The first run that was started at its time, or by hand. */
  readonly regular: string | undefined
  /** The first run that is caught up on, or is of a backfill. */
  readonly recovery: string | undefined
  /** Regular runs that wait their turn. */
  readonly waiting: number
}

/** A due time with its jitter. */
export interface FiredDue extends Due {
  readonly fireMs: number
}

interface Reason {
  readonly code: string
  readonly reason: string
}

export type Decision = { readonly due: FiredDue; readonly caughtUp: boolean } & (
  | ({ readonly state: 'skipped' | 'missed' } & Reason)
  | {
      readonly state: 'queued'
      /** Whether it begins now; otherwise it waits its turn. */
      readonly starts: boolean
      readonly why?: Reason
    }
)

export interface Decided {
  /** In the order of their due times. */
  readonly decisions: readonly Decision[]
  /** Whether what is under way, and what waits, is to be cancelled. */
  readonly cancels: boolean
}

/** What becomes of due times that have come, by the rules of their schedule. */
export function decide(dues: readonly FiredDue[], rule: DueRule, underWay: UnderWay, nowMs: number): Decided {
  const wanted = dues.filter((due) => due.excluded === undefined && rule.enabled)
  const timeliness = wanted.map((due, at) => timelinessOf(due, at === wanted.length - 1, rule, nowMs))
  const isOneOnTime = timeliness.includes('on time')
  const turns = new Turns(rule, underWay)
  // What is due now has its turn before what is caught up on.
  const regular = wanted.flatMap((due, at) => (timeliness[at] === 'on time' ? [turns.regular(due)] : []))
  const recoveries = wanted.flatMap((due, at) => {
    if (timeliness[at] === 'on time') return []
    const isLast = !isOneOnTime && at === wanted.length - 1
    const missed = whyMissed(due, isLast, rule, nowMs)
    // What a later one has overtaken was not missed, but may be caught up on.
    if (timeliness[at] === 'overtaken' && (rule.catchUp !== 'all' || missed !== undefined)) {
      return [overlapped(due, OVERTAKEN)]
    }
    return [missed ?? turns.recovery(due)]
  })
  const decided = new Map([...regular, ...recoveries].map((decision) => [decision.due, decision]))
  return {
    decisions: dues.map((due) => decided.get(due) ?? passedOver(due, rule)),
    cancels: turns.cancels
  }
}

const OVERTAKEN = 'a later due time came before it could begin'

/**
 * The last one is on time for a minute. Those before it are for some seconds, where they may run beside it or wait; where not,
 * the last one has overtaken them.
 */
function timelinessOf(
  { fireMs }: FiredDue,
  isLast: boolean,
  { overlap }: DueRule,
  nowMs: number
): 'on time' | 'overtaken' | 'late' {
  const lateMs = nowMs - fireMs
  if (isLast) return lateMs <= ON_TIME_MS ? 'on time' : 'late'
  if (lateMs > SLOW_MS) return 'late'
  return overlap === 'allow' || overlap === 'queue' ? 'on time' : 'overtaken'
}

export function passedOver(due: FiredDue, { enabled }: DueRule): Decision {
  if (!enabled) return { due, state: 'skipped', caughtUp: false, code: 'paused', reason: 'The schedule was paused' }
  const reason = `Excluded: ${due.excluded}`
  return { due, state: 'skipped', caughtUp: false, code: 'excluded', reason }
}

/** Whether a due time that was missed is caught up on: undefined, or why not. */
export function whyMissed(
  due: FiredDue,
  isLast: boolean,
  { catchUp, catchUpWindowMs }: Pick<DueRule, 'catchUp' | 'catchUpWindowMs'>,
  nowMs: number
): Decision | undefined {
  if (catchUp === 'none') return missed(due, 'outage', 'No server was there to run it, and catchUp is none')
  if (nowMs - due.fireMs > catchUpWindowMs) {
    return missed(due, 'catch_up_window', 'It was missed, and is too long ago for catchUpWindow')
  }
  if (catchUp === 'all' || isLast) return undefined
  return missed(due, 'superseded', 'It was missed, and a later due time runs in its place (catchUp is last)')
}

function missed(due: FiredDue, code: string, reason: string): Decision {
  return { due, state: 'missed', caughtUp: false, code, reason }
}

/** Whose turn it is: what is under way changes with each decision. */
class Turns {
  readonly #overlap: Overlap
  #regular: string | undefined
  #recovery: string | undefined
  #waiting: number
  cancels = false

  constructor({ overlap }: DueRule, { regular, recovery, waiting }: UnderWay) {
    this.#overlap = overlap
    this.#regular = regular
    this.#recovery = recovery
    this.#waiting = waiting
  }

  regular(due: FiredDue): Decision {
    const one = { due, caughtUp: false }
    if (this.#overlap === 'allow') return { ...one, state: 'queued', starts: true }
    if (this.#regular === undefined && this.#recovery === undefined) {
      this.#regular = 'the run that was due just before'
      return { ...one, state: 'queued', starts: true }
    }
    const before = this.#regular ?? (this.#recovery as string)
    if (this.#overlap === 'skip' && this.#regular !== undefined) return overlapped(due, `${before} had not ended`)
    if (this.#overlap === 'cancel') this.cancels = true
    else if (this.#waiting >= MAX_WAITING) {
      const reason = `${MAX_WAITING} due times wait already, since ${before} has not ended`
      return { ...one, state: 'skipped', code: 'queue_full', reason }
    }
    this.#waiting += 1
    this.#regular ??= 'the run that was due just before'
    return { ...one, state: 'queued', starts: false, why: { code: 'waits', reason: `Waits for ${before} to end` } }
  }

  recovery(due: FiredDue): Decision {
    const starts = this.#overlap === 'allow' || (this.#regular === undefined && this.#recovery === undefined)
    this.#recovery ??= 'the run that is caught up on'
    return recovered(due, starts)
  }
}

export function recovered(due: FiredDue, starts: boolean): Decision {
  const why = { code: 'caught_up', reason: 'It was missed, and is caught up on' }
  return { due, caughtUp: true, state: 'queued', starts, why }
}

function overlapped(due: FiredDue, why: string): Decision {
  return { due, caughtUp: false, state: 'skipped', code: 'overlap', reason: `Skipped, since ${why} (overlap)` }
}
