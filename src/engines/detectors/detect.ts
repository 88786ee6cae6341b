import { DETECTORS } from './all.ts'
import { BROKEN, type Detector, FORM, MATCH } from './detector.ts'
import type { Kind } from './kinds.ts'
import { LEAST_CONFIDENCE, MAX_VALUE_CHARS } from './limits.ts'
import { masked } from './mask.ts'
import { type NameSays, nameSays, nameWordsOf } from './names.ts'

/** A column is as good as full of a kind when half of its values are: the rest may be dirt, or of another kind. */
const ENOUGH = 0.5
/** Fewer values than these, of all, are chance. */
const LEAST_PART = 0.1
/** What a name that says so leaves of the doubt, and one that speaks against it of the confidence. */
const DOUBT_LEFT = 0.3
const AGAINST = 0.4
const MOST_DISTINCT = 20
const EXAMPLES = 3

export interface Suggestion {
  readonly kind: Kind
  /** From 0.5 to 1. */
  readonly confidence: number
  readonly evidence: Evidence
}

export interface Evidence {
  /** What was found, in words: `PESEL (Poland)`. */
  readonly form: string
  /** The values of the sample that are neither missing nor blank. */
  readonly values: number
  /** Those of them that count. */
  readonly matches: number
  /** Those that have the form, and wrong check digits. */
  readonly broken: number
  /** What the name of the column says about the kind. */
  readonly name: NameSays
  /** The forms of some values, with none of their letters and digits. */
  readonly examples: readonly string[]
}

/** What each value is to one detector. */
interface Looked {
  readonly detector: Detector
  readonly found: Uint8Array
}

/** What a column may hold, by its name and a sample of its values as texts; the surest first. */
export function detect(name: string, sample: readonly (string | null)[]): Suggestion[] {
  const values = sample.flatMap((value) => readable(value))
  if (values.length === 0) return []
  const words = nameWordsOf(name)
  const repeats = repeatsOf(values)
  const says = new Map<Kind, NameSays>()
  const candidates: { looked: Looked; suggestion: Suggestion }[] = []
  for (const detector of DETECTORS) {
    const looked = { detector, found: lookAt(detector, values, repeats) }
    const said = says.getOrInsertComputed(detector.kind, () => nameSays(words, detector.kind))
    const suggestion = judge(looked, values, said)
    if (suggestion !== undefined) candidates.push({ looked, suggestion })
  }
  candidates.sort((a, b) => b.suggestion.confidence - a.suggestion.confidence)
  return withoutExplained(candidates, values, says)
}

function readable(value: string | null): string[] {
  if (value === null) return []
  const text = value.slice(0, MAX_VALUE_CHARS).trim()
  return text === '' ? [] : [text]
}

/** For each value the place where it comes first: no detector has to look at it again. */
function repeatsOf(values: readonly string[]): Uint32Array {
  const firsts = new Map<string, number>()
  return Uint32Array.from(values, (value, at) => firsts.getOrInsert(value, at))
}

function lookAt(detector: Detector, values: readonly string[], repeats: Uint32Array): Uint8Array {
  const found = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const first = repeats[at] as number
    found[at] = first < at ? (found[first] as number) : detector.look(values[at] as string)
  }
  return found
}

/** Values that a surer kind explains do not count for another one; a column may still hold two kinds. */
function withoutExplained(
  candidates: readonly { looked: Looked; suggestion: Suggestion }[],
  values: readonly string[],
  says: ReadonlyMap<Kind, NameSays>
): Suggestion[] {
  const kept: Suggestion[] = []
  const explained = new Uint8Array(values.length)
  for (const { looked } of candidates) {
    const { kind } = looked.detector
    if (kept.some((other) => other.kind === kind)) continue
    const found = looked.found.map((one, at) => (explained[at] === 1 ? 0 : one))
    const suggestion = judge({ ...looked, found }, values, says.get(kind) as NameSays)
    if (suggestion === undefined) continue
    kept.push(suggestion)
    for (const [at, one] of looked.found.entries()) {
      if (one === MATCH || (one === FORM && suggestion.evidence.name === 'for')) explained[at] = 1
    }
  }
  return kept
}

/**
 * How sure the values and the name make together:
 *
 *     part        = values that count / all values; those of the form count only where the name says so
 *     fit         = part / 0.5, at most 1
 *     not chance  = 1 - chance ^ (different values that match)
 *     base        = what the detector knows by matches alone; a name for it leaves 0.3 of the doubt, one against it 0.4 of it
 *     confidence  = base × fit × not chance
 *
 * Nothing is suggested below 0.5, for a tenth of the values or less, or where too many have wrong check digits.
 */
function judge({ detector, found }: Looked, values: readonly string[], name: NameSays): Suggestion | undefined {
  const isNamed = name === 'for' && detector.formCounts
  const counts = [0, 0, 0, 0]
  for (const one of found) counts[one] = (counts[one] as number) + 1
  const forms = counts[FORM] as number
  const matches = counts[MATCH] as number
  const broken = counts[BROKEN] as number
  const counted = matches + (isNamed ? forms : 0)
  if (counted <= values.length * LEAST_PART) return undefined
  const doubtful = broken + (detector.formCounts && !isNamed ? forms : 0)
  if (counted < (counted + doubtful) * detector.leastHolding) return undefined
  const fit = Math.min(1, counted / values.length / ENOUGH)
  const alone = detector.alone * (matches / counted)
  const base = name === 'for' ? 1 - (1 - alone) * DOUBT_LEFT : name === 'against' ? alone * AGAINST : alone
  const notChance = matches === 0 ? 1 : 1 - detector.chance ** distinct(found, values)
  const confidence = Math.round(base * fit * notChance * 1000) / 1000
  if (confidence < LEAST_CONFIDENCE) return undefined
  const isCounted = (one: number) => one === MATCH || (isNamed && one === FORM)
  const examples = new Set<string>()
  for (let at = 0; at < found.length && examples.size < EXAMPLES; at++) {
    if (isCounted(found[at] as number)) examples.add(masked(values[at] as string))
  }
  const evidence = {
    form: detector.form,
    values: values.length,
    matches: counted,
    broken,
    name,
    examples: [...examples]
  }
  return { kind: detector.kind, confidence, evidence }
}

/** How many different values match, as far as it matters. */
function distinct(found: Uint8Array, values: readonly string[]): number {
  const seen = new Set<string>()
  for (let at = 0; at < found.length && seen.size < MOST_DISTINCT; at++) {
    if (found[at] === MATCH) seen.add(values[at] as string)
  }
  return seen.size
}
