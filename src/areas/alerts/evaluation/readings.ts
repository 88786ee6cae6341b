import type { Reading } from './states.ts'

export type Labels = Readonly<Record<string, string>>

/** What a condition says of one label set, or several conditions together. */
export interface LabelledReading {
  readonly labels: Labels
  readonly reading: Extract<Reading, { kind: 'value' | 'noData' }>
  /** What the value was compared with. */
  readonly threshold: number | null
}

/** What a condition, or a rule, was found to say. */
export type Found =
  | {
      readonly readings: readonly LabelledReading[]
      /** What it means for an instance that no reading is about it: it is gone, or it is over. */
      readonly unmentioned: 'vanished' | 'over'
    }
  | Failure

/** `error` is a sentence for people; `cause` is the same for all that fail for one reason. */
export interface Failure {
  readonly error: string
  readonly cause: string
}

/** Label sets of one rule, at most: more is taken for a mistake. */
export const MAX_INSTANCES = 1000

export function tooMany(what: string): Failure {
  return {
    error: `There are more than ${MAX_INSTANCES.toLocaleString('en')} ${what}: narrow the condition, or make several rules.`,
    cause: 'too many instances'
  }
}

/** A preview asks for the text of the same label sets at every step. */
const keys = new WeakMap<Labels, string>()

/** The one text of a label set, whatever the order of its names. */
export function keyOf(labels: Labels): string {
  const known = keys.get(labels)
  if (known !== undefined) return known
  const key = JSON.stringify(Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))))
  keys.set(labels, key)
  return key
}

/** Labels that tell where a reading comes from; they are not compared when conditions are joined. */
const OF_ORIGIN: readonly string[] = ['source', 'tag']

/** Several conditions as one. */
export function join(found: readonly Found[], how: 'and' | 'or'): Found {
  const failure = found.find((one) => 'error' in one)
  if (failure !== undefined) return failure
  const all = found.map((one) => ('readings' in one ? one.readings : []))
  const unmentioned = found[0] !== undefined && 'readings' in found[0] ? found[0].unmentioned : 'vanished'
  const [first = [], ...others] = all
  if (others.length === 0) return { readings: first, unmentioned }
  const readings = how === 'and' ? first.map((reading) => conjunction(reading, others)) : disjunction(all.flat())
  return readings.length > MAX_INSTANCES ? tooMany('label sets in all conditions') : { readings, unmentioned }
}

function conjunction(first: LabelledReading, others: readonly (readonly LabelledReading[])[]): LabelledReading {
  const verdicts = [truthOf([first]), ...others.map((readings) => truthOf(readings.filter((one) => agree(first, one))))]
  if (verdicts.includes(false)) return { ...first, reading: judged(first, false) }
  if (verdicts.includes(undefined)) return { ...first, reading: { kind: 'noData' } }
  return first
}

/** Whether any is met; undefined where nothing is known of any. One that does not exist is not met. */
function truthOf(readings: readonly LabelledReading[]): boolean | undefined {
  const known = readings.flatMap(({ reading }) => (reading.kind === 'value' ? [reading.isMet] : []))
  if (known.includes(true)) return true
  return readings.length > 0 && known.length === 0 ? undefined : false
}

function judged({ reading }: LabelledReading, isMet: boolean): LabelledReading['reading'] {
  return { kind: 'value', value: reading.kind === 'value' ? reading.value : null, isMet }
}

function agree(a: LabelledReading, b: LabelledReading): boolean {
  return Object.entries(a.labels).every(
    ([name, value]) => OF_ORIGIN.includes(name) || !Object.hasOwn(b.labels, name) || b.labels[name] === value
  )
}

function disjunction(readings: readonly LabelledReading[]): LabelledReading[] {
  const best = new Map<string, LabelledReading>()
  for (const reading of readings) {
    const key = keyOf(reading.labels)
    const known = best.get(key)
    if (known === undefined || rankOf(reading) > rankOf(known)) best.set(key, reading)
  }
  return [...best.values()]
}

/** A reading that is met says more than one that is not, and that more than none. */
function rankOf({ reading }: LabelledReading): number {
  if (reading.kind === 'noData') return 0
  return reading.isMet ? 2 : 1
}
