import { type Effort, SchemaFault } from '../../fault.ts'
import type { Difference, Rule } from '../../format.ts'
import { isPattern, type JsonModel, type JsonSchema, makePattern } from '../model.ts'
import { RULES } from '../rules.ts'
import { Trees } from '../translate.ts'
import { type Tree, typeName } from '../tree.ts'
import { compareArrays } from './arrays.ts'
import { compareCombined, compareConditions, compareNots } from './combined.ts'
import { compareObjects } from './objects.ts'
import { compareAnnotations } from './parts.ts'
import { compareEnums, compareNumbers, compareStrings } from './scalars.ts'

export function differences(written: JsonModel, read: JsonModel, effort: Effort): Difference[] {
  const ids = { next: 0 }
  const [before, after] = [new Trees(written, effort, ids), new Trees(read, effort, ids)]
  return new Comparison(effort).of(before.of(written.document), after.of(read.document)).list(effort)
}

/** The most levels of nested schemas. Each takes several calls on the stack. */
const MAX_LEVELS = 300

interface Entry {
  readonly findings: Findings
  /** The outermost pair that was being looked at and counted as the same for this; infinite where there was none. */
  restsOn: number
}

/**
 * Compares pairs of schemas, each once. Schemas may hold themselves: a pair that is being looked at counts as the same
 * until it is known better, and where that proves wrong all that rests on it is forgotten.
 */
export class Comparison {
  readonly #effort: Effort
  readonly #known = new Map<number, Entry>()
  readonly #open = new Map<number, { readonly level: number; isAssumed: boolean }>()
  /** Pairs that rest on one that is being looked at, in the order in which they were found. */
  readonly #resting: number[] = []
  readonly #patterns = new Map<string, NamePattern>()
  /** The lowest `restsOn` of what was found for the current pair. */
  #restsOn = Number.POSITIVE_INFINITY

  constructor(effort: Effort) {
    this.#effort = effort
  }

  /** What becomes of values of one schema that are read with the other. */
  of(written: Tree, read: Tree): Findings {
    this.#effort.spend()
    const pair = written.id * 2 ** 26 + read.id
    const known = this.#known.get(pair)
    if (known !== undefined) {
      this.#restsOn = Math.min(this.#restsOn, known.restsOn)
      return known.findings
    }
    const open = this.#open.get(pair)
    if (open === undefined) return this.#look(pair, written, read)
    open.isAssumed = true
    this.#restsOn = Math.min(this.#restsOn, open.level)
    return new Findings()
  }

  #look(pair: number, written: Tree, read: Tree): Findings {
    const level = this.#open.size
    if (level > MAX_LEVELS) {
      throw new SchemaFault('too_complex', 'Schemas refer to each other in too long a chain; shorten it')
    }
    const mark = { level, isAssumed: false }
    const [outside, restingBefore] = [this.#restsOn, this.#resting.length]
    this.#restsOn = Number.POSITIVE_INFINITY
    this.#open.set(pair, mark)
    const findings = new Findings()
    this.#compare(written, read, findings)
    this.#open.delete(pair)
    const restsOn = this.#restsOn < level ? this.#restsOn : Number.POSITIVE_INFINITY
    if (mark.isAssumed && !findings.isSame) this.#forget(restingBefore)
    if (restsOn < level) this.#resting.push(pair)
    else this.#settle(restingBefore)
    this.#known.set(pair, { findings, restsOn })
    this.#restsOn = Math.min(outside, restsOn)
    return findings
  }

  /**
   * Forgets findings that rest on an assumption that proved wrong. Those that break stay: without the assumption they
   * break too.
   */
  #forget(from: number): void {
    for (const pair of this.#resting.splice(from)) {
      const entry = this.#known.get(pair)
      if (entry?.findings.breaks) entry.restsOn = Number.POSITIVE_INFINITY
      else this.#known.delete(pair)
    }
  }

  /** Makes findings final whose assumptions have been confirmed. */
  #settle(from: number): void {
    for (const pair of this.#resting.splice(from)) {
      const entry = this.#known.get(pair)
      if (entry !== undefined) entry.restsOn = Number.POSITIVE_INFINITY
    }
  }

  /** Whether a name matches a pattern of a schema's; undefined where nobody can say. */
  matches(pattern: string, name: string): boolean | undefined {
    this.#effort.spend()
    return this.#patterns.getOrInsertComputed(pattern, () => new NamePattern(pattern)).matches(name)
  }

  /** Compares two schemas that stand within the given trees. */
  within(written: Tree, ofWritten: JsonSchema, read: Tree, ofRead: JsonSchema): Findings {
    return this.of(written.home.of(ofWritten), read.home.of(ofRead))
  }

  #compare(written: Tree, read: Tree, out: Findings): void {
    compareAnnotations(written, read, out)
    if (written.kind === 'false' || read.kind === 'empty') {
      if (written.kind !== read.kind) out.add(RULES.schema_widened, '', typeName(written), typeName(read))
    } else if (written.kind === 'empty' || read.kind === 'false') this.#compareExtreme(written, read, out)
    else if (written.kind === 'combined' || read.kind === 'combined') compareCombined(this, written, read, out)
    else if (written.kind === 'string' && read.kind === 'string') compareStrings(written, read, out)
    else if (written.kind === 'number' && read.kind === 'number') compareNumbers(written, read, out)
    else if (written.kind === 'object' && read.kind === 'object') compareObjects(this, written, read, out)
    else if (written.kind === 'array' && read.kind === 'array') compareArrays(this, written, read, out)
    else if (written.kind === 'enum' && read.kind === 'enum') compareEnums(written, read, out)
    else if (written.kind === 'not' && read.kind === 'not') compareNots(this, written, read, out)
    else if (written.kind === 'conditional' && read.kind === 'conditional') compareConditions(this, written, read, out)
    else if (written.kind !== read.kind) out.add(RULES.type_changed, '', typeName(written), typeName(read))
  }

  /** Compares where one side allows everything or nothing. The parts of the other side don't matter then. */
  #compareExtreme(written: Tree, read: Tree, out: Findings): void {
    const inner = new Findings()
    compareCombined(this, written, read, inner)
    if (inner.breaks || inner.isEmpty) {
      if (written.kind !== read.kind) out.add(RULES.type_changed, '', typeName(written), typeName(read))
    } else out.include(inner, '')
  }
}

/** Rules about annotations, which allow or forbid no value. */
const ANNOTATIONS: ReadonlySet<Rule> = new Set([
  RULES.annotation_changed,
  RULES.default_changed,
  RULES.description_changed,
  RULES.id_changed,
  RULES.title_changed
])

/** Up to so many differences are listed at every place where a schema is used. Beyond that, each is listed once. */
const MAX_REPEATED = 200

/** The differences of two schemas, with paths that start at them. Those further in are not copied: many share them. */
export class Findings {
  /** Whether a value that one allows may be refused by the other. */
  breaks = false
  /** Whether no value is refused as long as the assumptions of the rules hold. */
  assumes = false
  /** Whether they ask the very same of values. */
  isSame = true
  readonly #found: (Difference | { readonly inner: Findings; readonly path: string })[] = []

  get isEmpty(): boolean {
    return this.#found.length === 0
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.#found.push({ rule, path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
    if (rule.breaks) this.breaks = true
    if (rule.assumes !== undefined) this.assumes = true
    if (!ANNOTATIONS.has(rule)) this.isSame = false
  }

  include(inner: Findings, path: string): void {
    if (inner.isEmpty) return
    this.#found.push({ inner, path })
    this.breaks ||= inner.breaks
    this.assumes ||= inner.assumes
    this.isSame &&= inner.isSame
  }

  /** All of them. What schemas share that are used in many places would be endless if it were said for each. */
  list(effort: Effort): Difference[] {
    const found: Difference[] = []
    const seen = new Set<Findings>()
    const visit = (findings: Findings, path: string) => {
      effort.spend()
      if (seen.has(findings) && found.length >= MAX_REPEATED) return
      seen.add(findings)
      for (const each of findings.#found) {
        if ('inner' in each) visit(each.inner, path + each.path)
        else found.push(path === '' ? each : { ...each, path: path + each.path })
      }
    }
    visit(this, '')
    return found
  }
}

const MAX_TRIED_CHARS = 100

/**
 * A pattern that names are tried on. Expressions are the users' own, so only such are run as can't go back and forth
 * much: no repeated groups, no look-around, at most two repetitions.
 */
class NamePattern {
  readonly #expression: RegExp | undefined

  constructor(pattern: string) {
    this.#expression = isPattern(pattern) && isHarmless(pattern) ? makePattern(pattern) : undefined
  }

  /** Undefined where finding out could take for ever. */
  matches(name: string): boolean | undefined {
    return name.length > MAX_TRIED_CHARS ? undefined : this.#expression?.test(name)
  }
}

function isHarmless(pattern: string): boolean {
  if (pattern.length > MAX_TRIED_CHARS) return false
  const bare = pattern.replace(/\\[^1-9k]/g, 'x').replace(/\[\^?[^\]]*\]/g, 'x')
  if (/\)[*+?{]|\(\?[^:]|\\/.test(bare)) return false
  return countOf(bare, /[*+?{]/g) <= 2 && countOf(bare, /\(/g) <= 3
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
