import { type Effort, SchemaFault } from '../fault.ts'
import type { Rule } from '../format.ts'
import {
  type AvroType,
  type BranchType,
  type EnumType,
  type Field,
  isNamed,
  MAX_WALK_DEPTH,
  type NamedType,
  type RecordType,
  shortName
} from './model.ts'
import { RULES } from './rules.ts'

interface Verdict {
  isReadable: boolean
  isSettled: boolean
  /** Whether another verdict relied on this one before it was settled. */
  isAssumed: boolean
}

/**
 * Whether all data of one type can be read with another. Types that hold themselves are readable unless something says
 * otherwise, so a pair that is being looked at counts as readable; where that proves wrong, what followed from it is
 * forgotten.
 */
export class Readability {
  readonly #effort: Effort
  readonly #verdicts = new Map<RecordType, Map<RecordType, Verdict>>()
  /** The pairs that were found readable, oldest first. */
  readonly #found: [written: RecordType, read: RecordType][] = []

  constructor(effort: Effort) {
    this.#effort = effort
  }

  canRead(written: AvroType, read: AvroType, depth = 0): boolean {
    this.#effort.spend(isNamed(read) ? 1 + read.aliases.length : 1)
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (written.kind === 'union') return written.branches.every((branch) => this.canRead(branch, read, depth + 1))
    if (read.kind === 'union') return read.branches.some((branch) => this.canRead(written, branch, depth + 1))
    if (written.kind === 'array' && read.kind === 'array') return this.canRead(written.items, read.items, depth + 1)
    if (written.kind === 'map' && read.kind === 'map') return this.canRead(written.values, read.values, depth + 1)
    if (written.kind === 'record' && read.kind === 'record') return this.#canReadRecord(written, read, depth)
    if (written.kind === 'enum' && read.kind === 'enum') return this.#canReadEnum(written, read)
    if (written.kind === 'fixed' && read.kind === 'fixed')
      return isNameRead(written, read) && written.size === read.size
    return written.kind === read.kind || isPromoted(written, read)
  }

  #canReadEnum(written: EnumType, read: EnumType): boolean {
    if (!isNameRead(written, read)) return false
    if (read.default !== undefined) return true
    this.#effort.spend(written.symbols.length)
    const known = new Set(read.symbols)
    return written.symbols.every((symbol) => known.has(symbol))
  }

  #canReadRecord(written: RecordType, read: RecordType, depth: number): boolean {
    if (!isNameRead(written, read)) return false
    const ofWritten = this.#verdicts.getOrInsertComputed(written, () => new Map<RecordType, Verdict>())
    const known = ofWritten.get(read)
    if (known !== undefined) {
      if (!known.isSettled) known.isAssumed = true
      return known.isReadable
    }
    const verdict: Verdict = { isReadable: true, isSettled: false, isAssumed: false }
    ofWritten.set(read, verdict)
    const foundBefore = this.#found.length
    verdict.isReadable = this.#canReadFields(written, read, depth)
    verdict.isSettled = true
    if (verdict.isReadable) this.#found.push([written, read])
    else if (verdict.isAssumed) {
      for (const [w, r] of this.#found.splice(foundBefore)) this.#verdicts.get(w)?.delete(r)
    }
    return verdict.isReadable
  }

  #canReadFields(written: RecordType, read: RecordType, depth: number): boolean {
    return read.fields.every((field) => {
      this.#effort.spend(field.aliases.length)
      const [found, ...others] = fieldsRead(written, field)
      if (others.length > 0) return false
      return found === undefined ? field.default !== undefined : this.canRead(found.type, field.type, depth + 1)
    })
  }
}

/** The kinds that data of each kind can be read as. */
const PROMOTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['int', ['long', 'float', 'double']],
  ['long', ['float', 'double']],
  ['float', ['double']],
  ['string', ['bytes']],
  ['bytes', ['string']]
])

export function isPromoted(written: BranchType, read: BranchType): boolean {
  return PROMOTIONS.get(written.kind)?.includes(read.kind) === true
}

/** Readers look for a type by its name without the namespace, or by the full name among their aliases. */
function isNameRead(written: NamedType, read: NamedType): boolean {
  return shortName(written.name) === shortName(read.name) || read.aliases.includes(written.name)
}

/** The fields that a reader could take for one of its own; it refuses to choose where it finds one twice. */
export function fieldsRead(written: RecordType, read: Field): Field[] {
  return [read.name, ...read.aliases].flatMap((name) => fieldOf(written, name) ?? [])
}

interface Index {
  readonly byName: ReadonlyMap<string, Field>
  readonly byAlias: ReadonlyMap<string, Field>
}

const INDEXES = new WeakMap<RecordType, Index>()

function indexOf(record: RecordType): Index {
  const known = INDEXES.get(record)
  if (known !== undefined) return known
  const byName = new Map(record.fields.map((field) => [field.name, field]))
  const byAlias = new Map(record.fields.flatMap((field) => field.aliases.map((alias) => [alias, field] as const)))
  const made = { byName, byAlias }
  INDEXES.set(record, made)
  return made
}

function fieldOf(record: RecordType, name: string): Field | undefined {
  return indexOf(record).byName.get(name)
}

/** The field that has the name among its aliases. */
export function fieldOnceCalled(record: RecordType, name: string): Field | undefined {
  return indexOf(record).byAlias.get(name)
}

/** Kinds whose numbers don't all have an exact counterpart in the other. */
const INEXACT = new Set(['int float', 'long float', 'long double'])

/** What follows when data of one kind are read as another; undefined where they can't be, or it is the same kind. */
export function promotionRule(written: BranchType, read: BranchType): Rule | undefined {
  if (!isPromoted(written, read)) return undefined
  if (written.kind === 'bytes') return RULES.bytes_read_as_text
  return INEXACT.has(`${written.kind} ${read.kind}`) ? RULES.type_promoted_inexactly : RULES.type_promoted
}
