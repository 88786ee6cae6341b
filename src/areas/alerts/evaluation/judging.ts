import type { InstanceRow, RuleRow } from '../migrations.ts'
import { type Definition, mannersOf } from '../rules/definition.ts'
import { type Found, keyOf, type LabelledReading } from './readings.ts'
import {
  type Instance,
  type Manners,
  type Reading,
  type ResolveReason,
  type Step,
  step,
  unseen,
  worstOf
} from './states.ts'
import { stateOf } from './store.ts'

/** A rule with what its conditions were found to say. */
export interface Evaluated {
  readonly rule: RuleRow
  readonly definition: Definition
  readonly found: Found
  readonly seen: string | null
}

/** What an evaluation changes of one instance. */
export interface Judged {
  /** The label set, as instances are known by. */
  readonly labels: string
  readonly before: InstanceRow | undefined
  /** Undefined where nothing is left to remember. */
  readonly after: Instance | undefined
  readonly change: Step['change']
  readonly threshold: number | null
}

/** The label set of what concerns a rule as a whole. */
const WHOLE = keyOf({})

/** Judges every instance of a rule: those that readings are about, and those that none is about. */
export function judge({ definition, found }: Evaluated, known: readonly InstanceRow[], nowMs: number): Judged[] {
  const manners = mannersOf(definition)
  const rows = new Map(known.map((row) => [row.labels, row]))
  return [...readingsFor(found, rows)].map(([labels, { reading, threshold }]) => {
    const before = rows.get(labels)
    const { instance, change } = stepFor(found, before && stateOf(before), reading, nowMs, manners)
    return { labels, before, after: instance, change, threshold }
  })
}

/** One step of an instance that a rule was found to say something of. */
export function stepFor(
  found: Found,
  before: Instance | undefined,
  reading: Reading,
  nowMs: number,
  manners: Manners
): Step {
  const { instance, change } = step(before ?? unseen(nowMs), reading, nowMs, manners)
  const isOver = 'unmentioned' in found && found.unmentioned === 'over' && isForgettable(instance)
  return { instance: isOver ? undefined : instance, ...(change && { change }) }
}

export const stateAfter = (judged: readonly Judged[]) =>
  worstOf(judged.flatMap(({ after }) => (after === undefined ? [] : [after.state])))

export const reasonOf = ({ change }: Judged): ResolveReason | undefined =>
  change?.kind === 'resolved' ? change.reason : undefined

interface Said {
  readonly reading: Reading
  readonly threshold: number | null
}

/** What is said of each label set: of those that are found, and of those that are known and are not. */
export function readingsFor(found: Found, known: ReadonlyMap<string, unknown>): Map<string, Said> {
  const said = new Map<string, Said>()
  if ('error' in found) {
    const reading: Reading = { kind: 'error', cause: found.cause }
    for (const key of known.size === 0 ? [WHOLE] : known.keys()) said.set(key, { reading, threshold: null })
    return said
  }
  for (const one of found.readings) said.set(keyOf(one.labels), one satisfies LabelledReading)
  const isNothing = said.size === 0 && found.unmentioned === 'vanished'
  for (const key of known.keys()) {
    if (said.has(key)) continue
    const reading = isNothing && key === WHOLE ? NO_DATA : UNMENTIONED[found.unmentioned]
    said.set(key, { reading, threshold: null })
  }
  // That there is nothing at all has to be told of something.
  if (isNothing && known.size === 0) said.set(WHOLE, { reading: NO_DATA, threshold: null })
  return said
}

const NO_DATA: Reading = { kind: 'noData' }

const UNMENTIONED = {
  vanished: { kind: 'vanished' },
  over: { kind: 'value', value: null, isMet: false }
} as const satisfies Record<string, Reading>

/** Things that happen have no end of label sets: one that is over and silent for no reason is forgotten. */
const isForgettable = (instance: Instance | undefined) =>
  instance !== undefined && instance.state === 'normal' && !instance.isQuiet
