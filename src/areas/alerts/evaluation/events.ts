import type { AlertEvent, Happening } from '../../../area.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { matcherOf } from '../matchers.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { type Found, keyOf, type LabelledReading, MAX_INSTANCES, tooMany } from './readings.ts'

type EventCondition = Extract<ParsedCondition, { kind: 'event' }>

/** Happenings since the same moment are asked for once, whatever number of rules are about them. */
export class EventReader {
  readonly #events: ReadonlyMap<string, AlertEvent>
  readonly #db: Db
  readonly #nowMs: number
  readonly #asked = new Map<string, ReturnType<AlertEvent['since']>>()

  constructor(events: ReadonlyMap<string, AlertEvent>, db: Db, nowMs: number) {
    this.#events = events
    this.#db = db
    this.#nowMs = nowMs
  }

  /** What a condition says, and the place that the next look goes on from. */
  async read({ event, filter }: EventCondition, seen: string | null): Promise<{ found: Found; seen: string | null }> {
    const declared = this.#events.get(event)
    if (declared === undefined) {
      return { found: { error: `There is no event ${event} any more.`, cause: `event ${event}` }, seen }
    }
    const key = JSON.stringify([event, seen])
    const asking = this.#asked.get(key) ?? declared.since(this.#db, seen, this.#nowMs)
    this.#asked.set(key, asking)
    const { happenings, cursor } = await asking
    const readings = readingsOf(happenings.filter(matcherOf(filter)))
    if (readings.length > MAX_INSTANCES) return { found: tooMany(`things that ${event} happened to`), seen: cursor }
    return { found: { readings, unmentioned: 'over' }, seen: cursor }
  }
}

/** The value is how often it happened to the same. */
function readingsOf(happenings: readonly Happening[]): LabelledReading[] {
  return [...Map.groupBy(happenings, keyOf).values()].map((same) => ({
    labels: same[0] as Happening,
    reading: { kind: 'value', value: same.length, isMet: true },
    threshold: null
  }))
}
