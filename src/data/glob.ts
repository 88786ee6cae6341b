/** The keys that a pattern matches. */
export interface KeyPattern {
  /** The text that all these keys begin with. */
  readonly prefix: string
  matches(key: string): boolean
}

/**
 * `*` is any text and `?` any character without a slash, `**` any text, `[ab]`, `[a-c]` and `[!a]` one character; `**` as a
 * whole segment may also be no folder at all. A bracket that is not closed means itself.
 */
export function parsePattern(pattern: string): KeyPattern {
  return patternOf(pattern, isNotSlash)
}

/** The same for texts in which a slash is a character like others: `*` and `?` match it too. */
export function parseTextPattern(pattern: string): KeyPattern {
  return patternOf(pattern, isAny)
}

function patternOf(pattern: string, isWild: (char: string) => boolean): KeyPattern {
  const steps = parseSteps([...pattern], isWild)
  const prefix = prefixOf(pattern)
  return { prefix, matches: (key) => key.startsWith(prefix) && run(steps, [...key]) }
}

export function isPattern(text: string): boolean {
  return /[*?[]/.test(text)
}

/** The pattern that matches a text and nothing else. */
export const literally = (text: string): string => text.replace(/[*?[]/g, '[$&]')

/** Whether a key may match both patterns: told by how they begin and end, and taken for granted where that leaves it open. */
export const mayMeet = (a: string, b: string): boolean => beginAlike(a, b) && endAlike(a, b)

function beginAlike(a: string, b: string): boolean {
  const [first, second] = [prefixOf(a), prefixOf(b)]
  return first.startsWith(second) || second.startsWith(first)
}

function endAlike(a: string, b: string): boolean {
  const [first, second] = [lastPart(a), lastPart(b)]
  return first.endsWith(second) || second.endsWith(first)
}

/** What comes before the first sign that stands for others. */
const prefixOf = (pattern: string): string => pattern.slice(0, pattern.search(/[*?[]|$/))

/** What comes after the last sign that stands for others. */
const lastPart = (pattern: string): string => pattern.slice(pattern.search(/[^*?\]]*$/))

/** One step of the pattern: one character, or any number of them. */
type Step =
  | { readonly kind: 'one'; accepts(char: string): boolean }
  | { readonly kind: 'many'; accepts(char: string): boolean }
  /** No folder, or anything up to a slash. Two steps, because only the first may be left out. */
  | { readonly kind: 'folders' }
  | { readonly kind: 'inside' }

const isNotSlash = (char: string) => char !== '/'
const isAny = () => true

function parseSteps(chars: readonly string[], isWild: (char: string) => boolean): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    const isDouble = char === '*' && chars[at + 1] === '*'
    const isSegment = isDouble && (at === 0 || chars[at - 1] === '/') && chars[at + 2] === '/'
    const end = char === '[' ? classEnd(chars, at) : -1
    if (isSegment) {
      steps.push({ kind: 'folders' }, { kind: 'inside' })
      at += 2
    } else if (isDouble) {
      steps.push({ kind: 'many', accepts: isAny })
      at += 1
    } else if (char === '*') {
      steps.push({ kind: 'many', accepts: isWild })
    } else if (char === '?') {
      steps.push({ kind: 'one', accepts: isWild })
    } else if (end > 0) {
      steps.push({ kind: 'one', accepts: parseClass(chars.slice(at + 1, end)) })
      at = end
    } else {
      steps.push({ kind: 'one', accepts: (other) => other === char })
    }
  }
  return steps
}

/** The index of the closing bracket; one right at the beginning is a member of the class. */
function classEnd(chars: readonly string[], start: number): number {
  const first = chars[start + 1] === '!' ? start + 2 : start + 1
  return chars.indexOf(']', first + 1)
}

function parseClass(members: readonly string[]): (char: string) => boolean {
  const isNegated = members[0] === '!'
  const listed = isNegated ? members.slice(1) : members
  const ranges: [number, number][] = []
  for (let at = 0; at < listed.length; at++) {
    const isRange = listed[at + 1] === '-' && at + 2 < listed.length
    ranges.push([codeOf(listed[at]), codeOf(listed[isRange ? at + 2 : at])])
    if (isRange) at += 2
  }
  return (char) =>
    isNotSlash(char) && ranges.some(([low, high]) => low <= codeOf(char) && codeOf(char) <= high) !== isNegated
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? 0
}

/** Follows all possible matches at once, so the time is at most pattern times key, however many stars there are. */
function run(steps: readonly Step[], key: readonly string[]): boolean {
  let states = new Set<number>()
  enter(steps, states, 0)
  for (const char of key) {
    const next = new Set<number>()
    for (const state of states) advance(steps, next, state, char)
    if (next.size === 0) return false
    states = next
  }
  return states.has(steps.length)
}

/** Adds a state and all that are reached from it without a character. */
function enter(steps: readonly Step[], states: Set<number>, state: number): void {
  states.add(state)
  const kind = steps[state]?.kind
  if (kind === 'many') enter(steps, states, state + 1)
  if (kind === 'folders') enter(steps, states, state + 2)
}

function advance(steps: readonly Step[], next: Set<number>, state: number, char: string): void {
  const step = steps[state]
  if (step === undefined) return
  if (step.kind === 'one') {
    if (step.accepts(char)) enter(steps, next, state + 1)
  } else if (step.kind === 'many') {
    if (step.accepts(char)) enter(steps, next, state)
  } else {
    const inside = step.kind === 'folders' ? state + 1 : state
    next.add(inside)
    if (char === '/') enter(steps, next, inside + 1)
  }
}
