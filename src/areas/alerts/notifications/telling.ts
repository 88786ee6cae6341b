import type { AlertState } from '../rules/words.ts'
import type { Told } from './migrations.ts'

/** How a channel wants to be told. */
export interface Pace {
  readonly waitMs: number
  readonly intervalMs: number
  readonly repeatMs: number
  readonly sendResolved: boolean
}

/** An alert of a group, and what the channel knows of it. */
export interface Member {
  readonly alertId: string
  readonly state: AlertState
  readonly told: Told | null
  /** A silence or another alert keeps it from being told. */
  readonly isHeld: boolean
  /** Of the escalation that brought it here; 0: none. */
  readonly step: number
}

export type TellingKind = 'firing' | 'resolved' | 'acknowledged' | 'escalation'

/** What to do with a group now. */
export interface Telling {
  /** The message to make, about these alerts in this order; undefined: none. */
  readonly message: { readonly kind: TellingKind; readonly alertIds: readonly string[] } | undefined
  /** Alerts that are over and need not be told of. */
  readonly dropped: readonly string[]
  /** When to look again; null: when something changes. Of no meaning where there is a message. */
  readonly nextMs: number | null
  /** Whether the group has served its purpose. */
  readonly isOver: boolean
}

/**
 * What a group has to tell now, and when to look again. Pure, so that it can be held against a model: all rules about
 * who hears what and when are here.
 */
export function tell(members: readonly Member[], pace: Pace, toldMs: number | null, nowMs: number): Telling {
  const dropped = members.filter((member) => isNoNews(member, pace))
  const rest = members.filter((member) => !isNoNews(member, pace))
  const silent = { message: undefined, dropped: dropped.map(({ alertId }) => alertId), isOver: false }
  const openAgainMs = toldMs === null ? nowMs : toldMs + pace.intervalMs
  if (rest.length === 0) {
    // Kept for an interval, so that an alert which comes and goes is not told of more often than that.
    return openAgainMs <= nowMs ? { ...silent, nextMs: null, isOver: true } : { ...silent, nextMs: openAgainMs }
  }
  if (nowMs < openAgainMs) return { ...silent, nextMs: openAgainMs }
  const news = rest.filter(isNews)
  const firing = rest.filter(({ state, isHeld }) => state === 'firing' && !isHeld)
  const repeatAtMs = firing.length === 0 || toldMs === null ? null : toldMs + pace.repeatMs
  if (news.length === 0 && (repeatAtMs === null || nowMs < repeatAtMs)) {
    const lookAtMs = rest.some(({ isHeld }) => isHeld) ? nowMs + pace.intervalMs : null
    return { ...silent, nextMs: earliest(repeatAtMs, lookAtMs) }
  }
  const message = { kind: kindOf(rest, news, firing), alertIds: inOrder(news, firing) }
  return { ...silent, message, nextMs: null }
}

/** When to look at a group in which something has changed. */
export function lookAfterChange(pace: Pace, toldMs: number | null, nowMs: number): number {
  return Math.max(nowMs + pace.waitMs, toldMs === null ? 0 : toldMs + pace.intervalMs)
}

/** It came and went without the channel knowing, or the channel does not want to know the end. */
function isNoNews({ state, told }: Member, { sendResolved }: Pace): boolean {
  return state === 'resolved' && (told === null || !sendResolved)
}

/** The end of what was told is told in any case: an incident that was opened elsewhere would stay open. */
function isNews({ state, told, isHeld }: Member): boolean {
  if (state === 'resolved') return true
  if (isHeld || state === told) return false
  return state === 'firing' || told === 'firing'
}

/** It is over only where nothing of the group is open any more. */
function kindOf(rest: readonly Member[], news: readonly Member[], firing: readonly Member[]): TellingKind {
  if (firing.length > 0) return news.some(({ step, told }) => step > 0 && told === null) ? 'escalation' : 'firing'
  return rest.some(({ state, isHeld }) => state === 'acknowledged' && !isHeld) ? 'acknowledged' : 'resolved'
}

const RANK: Readonly<Record<AlertState, number>> = { firing: 0, acknowledged: 1, resolved: 2 }

/** What is new first, and what fires before what is over. */
function inOrder(news: readonly Member[], firing: readonly Member[]): string[] {
  const sorted = news.toSorted((a, b) => RANK[a.state] - RANK[b.state])
  return [...new Set([...sorted, ...firing].map(({ alertId }) => alertId))]
}

function earliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}
