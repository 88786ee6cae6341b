import type { Difference, Who } from '../format.ts'

export interface Comparison {
  readonly changes: readonly ComparedChange[]
  readonly compatible: { readonly backward: boolean; readonly forward: boolean; readonly full: boolean }
}

export interface ComparedChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly breaking: { readonly backward: boolean; readonly forward: boolean }
  readonly rule: string
  readonly message: string
  readonly assumes?: string
}

/**
 * One list of what changed, out of what each direction says about it. The same change seen from both sides is one; it
 * goes by the rule that breaks, the backward one if both do, for that is what whoever reads the list wants to know.
 */
export function mergeDifferences(
  backward: readonly Difference[],
  forward: readonly Difference[],
  who: Who
): Comparison {
  const opposite = { writer: who.reader, reader: who.writer }
  const left = Map.groupBy(forward, ({ path }) => path)
  const changes = backward.map((ahead): ComparedChange => {
    const back = takeSame(left.get(ahead.path), ahead)
    const told = !ahead.rule.breaks && back?.rule.breaks ? { ...back, who: opposite } : { ...ahead, who }
    return toChange(ahead.before, ahead.after, ahead.path, told, {
      backward: ahead.rule.breaks,
      forward: back?.rule.breaks ?? false
    })
  })
  for (const rest of left.values()) {
    for (const back of rest) {
      const breaking = { backward: false, forward: back.rule.breaks }
      changes.push(toChange(back.after, back.before, back.path, { ...back, who: opposite }, breaking))
    }
  }
  const isSound = (differences: readonly Difference[]) => !differences.some(({ rule }) => rule.breaks)
  const compatible = { backward: isSound(backward), forward: isSound(forward) }
  return { changes, compatible: { ...compatible, full: compatible.backward && compatible.forward } }
}

/** Takes the difference that is the same change seen from the other side, out of those at the same path. */
function takeSame(candidates: Difference[] | undefined, ahead: Difference): Difference | undefined {
  if (candidates === undefined) return undefined
  const [before, after] = [JSON.stringify(ahead.before), JSON.stringify(ahead.after)]
  const isSame = (back: Difference) => JSON.stringify(back.before) === after && JSON.stringify(back.after) === before
  const exact = candidates.findIndex(isSame)
  // What one side calls added the other calls removed, and each may show of it what matters there: a default, a type.
  const place = exact === -1 ? candidates.findIndex((back) => isMirrored(ahead, back)) : exact
  return place === -1 ? undefined : candidates.splice(place, 1)[0]
}

const isAdded = ({ before, after }: Difference) => before === undefined && after !== undefined
const isRemoved = ({ before, after }: Difference) => before !== undefined && after === undefined

function isMirrored(ahead: Difference, back: Difference): boolean {
  return (isAdded(ahead) && isRemoved(back)) || (isRemoved(ahead) && isAdded(back))
}

function toChange(
  before: unknown,
  after: unknown,
  path: string,
  told: Difference & { readonly who: Who },
  breaking: ComparedChange['breaking']
): ComparedChange {
  const kind =
    before === undefined ? (after === undefined ? 'changed' : 'added') : after === undefined ? 'removed' : 'changed'
  return {
    kind,
    path,
    before: before ?? null,
    after: after ?? null,
    breaking,
    rule: told.rule.code,
    message: told.rule.message(told, told.who),
    ...(told.rule.assumes !== undefined && { assumes: told.rule.assumes })
  }
}
