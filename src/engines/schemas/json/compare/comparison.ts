import type { Effort } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { JsonSchema } from '../model.ts'
import { NamePattern } from '../patterns.ts'
import { RULES } from '../rules.ts'
import { type Tree, typeName } from '../tree.ts'
import { compareAnnotations } from './compare-annotations.ts'
import { compareArrays } from './compare-array.ts'
import { compareCombined } from './compare-combined.ts'
import { compareConditions } from './compare-condition.ts'
import { compareEnums } from './compare-enum.ts'
import { compareNots } from './compare-not.ts'
import { compareNumbers } from './compare-number.ts'
import { compareObjects } from './compare-object.ts'
import { compareStrings } from './compare-string.ts'
import { Findings } from './findings.ts'

/** Each level takes several calls. */
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
  /** Of all that was found for the pair being looked at. */
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

  /** What was found to break does so all the more. */
  #forget(from: number): void {
    for (const pair of this.#resting.splice(from)) {
      const entry = this.#known.get(pair)
      if (entry?.findings.breaks) entry.restsOn = Number.POSITIVE_INFINITY
      else this.#known.delete(pair)
    }
  }

  /** What rests on nothing outside is so. */
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

  /** The same for schemas within those two. */
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

  /** Anything became something, or something nothing: how it is put together is of no interest, unless it is the same. */
  #compareExtreme(written: Tree, read: Tree, out: Findings): void {
    const inner = new Findings()
    compareCombined(this, written, read, inner)
    if (inner.breaks || inner.isEmpty) {
      if (written.kind !== read.kind) out.add(RULES.type_changed, '', typeName(written), typeName(read))
    } else out.include(inner, '')
  }
}
