import { type Effort, SchemaFault } from '../fault.ts'
import type { Difference, Rule } from '../format.ts'
import { compareUnions, isReordered, type Walk } from './compare-union.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  type EnumType,
  type Field,
  isLogicalAttribute,
  isNamed,
  type Json,
  jsonText,
  type Logical,
  logicalText,
  MAX_WALK_DEPTH,
  type NamedType,
  pointerToken,
  type RecordType,
  shortName,
  shown
} from './model.ts'
import { fieldOnceCalled, fieldsRead, isPromoted, promotionRule, Readability } from './resolution.ts'
import { RULES } from './rules.ts'

export function differences(written: AvroType, read: AvroType, effort: Effort): Difference[] {
  const comparison = new Comparison(effort)
  comparison.types(written, read, '', 0)
  return comparison.found
}

class Comparison implements Walk {
  readonly effort: Effort
  readonly found: Difference[] = []
  readonly #readability: Readability
  /** Pairs of named types that were compared already. Types may contain themselves, so each pair is compared once. */
  readonly #seen = new Map<NamedType, Set<NamedType>>()

  constructor(effort: Effort) {
    this.effort = effort
    this.#readability = new Readability(effort)
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.effort.spend()
    this.found.push({ rule, path, before, after })
  }

  canRead(written: AvroType, read: AvroType): boolean {
    return this.#readability.canRead(written, read)
  }

  types(written: AvroType, read: AvroType, path: string, depth: number): void {
    this.effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (written.kind === 'union' || read.kind === 'union') compareUnions(this, written, read, path, depth)
    else if (written.kind !== read.kind) this.#kinds(written, read, path)
    else if (!this.#isSeen(written, read)) this.#sameKind(written, read, path, depth)
  }

  #isSeen(written: AvroType, read: AvroType): boolean {
    if (!isNamed(written) || !isNamed(read)) return false
    const seen = this.#seen.getOrInsertComputed(written, () => new Set<NamedType>())
    if (seen.has(read)) return true
    seen.add(read)
    return false
  }

  #sameKind(written: BranchType, read: BranchType, path: string, depth: number): void {
    compareLogical(this, written, read, path)
    compareProperties(this, written, read, path)
    if (isNamed(written) && isNamed(read)) compareNames(this, written, read, path)
    if (written.kind === 'array' && read.kind === 'array') {
      this.types(written.items, read.items, `${path}/items`, depth + 1)
    } else if (written.kind === 'map' && read.kind === 'map') {
      this.types(written.values, read.values, `${path}/values`, depth + 1)
    } else if (written.kind === 'fixed' && read.kind === 'fixed') {
      if (written.size !== read.size) this.add(RULES.fixed_size_changed, `${path}/size`, written.size, read.size)
    } else if (written.kind === 'enum' && read.kind === 'enum') compareEnums(this, written, read, path)
    else if (written.kind === 'record' && read.kind === 'record') compareRecords(this, written, read, path, depth)
  }

  #kinds(written: BranchType, read: BranchType, path: string): void {
    const promotion = promotionRule(written, read)
    this.add(promotion ?? RULES.type_changed, path, branchName(written), branchName(read))
    // Logical types are compared with the sides swapped too, though only one direction is a promotion.
    if (promotion !== undefined || isPromoted(read, written)) compareLogical(this, written, read, path)
  }
}

function compareNames(walk: Walk, written: NamedType, read: NamedType, path: string): void {
  if (written.name !== read.name) walk.add(renaming(written, read), `${path}/name`, written.name, read.name)
  compareDocs(walk, written, read, path)
  compareAliases(walk, written, read, path)
}

function renaming(written: NamedType, read: NamedType) {
  if (shortName(written.name) === shortName(read.name)) return RULES.namespace_changed
  return read.aliases.includes(written.name) ? RULES.name_changed_with_alias : RULES.name_changed
}

function compareDocs(walk: Walk, written: { doc?: string }, read: { doc?: string }, path: string): void {
  if (written.doc !== read.doc) walk.add(RULES.doc_changed, `${path}/doc`, shown(written.doc), shown(read.doc))
}

interface Aliased {
  readonly aliases: readonly string[]
}

function compareAliases(walk: Walk, written: Aliased, read: Aliased, path: string): void {
  const [before, after] = [written.aliases, read.aliases]
  if (before.length === after.length && before.every((alias, index) => alias === after[index])) return
  walk.add(RULES.aliases_changed, `${path}/aliases`, shown(before), shown(after))
}

function compareLogical(walk: Walk, written: BranchType, read: BranchType, path: string): void {
  const [before, after] = [written.logical && logicalText(written.logical), read.logical && logicalText(read.logical)]
  if (before !== after) walk.add(RULES.logical_type_changed, `${path}/logicalType`, before, after)
}

interface Annotated {
  readonly properties: ReadonlyMap<string, Json>
  readonly logical?: Logical
}

function compareProperties(walk: Walk, written: Annotated, read: Annotated, path: string): void {
  if (written.properties.size === 0 && read.properties.size === 0) return
  const names = new Set([...written.properties.keys(), ...read.properties.keys()])
  for (const name of [...names].sort()) {
    walk.effort.spend()
    const [before, after] = [plainProperty(written, name), plainProperty(read, name)]
    if (before === undefined && after === undefined) continue
    if (before !== undefined && after !== undefined && jsonText(before) === jsonText(after)) continue
    walk.add(RULES.property_changed, `${path}/${pointerToken(name)}`, shown(before), shown(after))
  }
}

function plainProperty({ properties, logical }: Annotated, name: string): Json | undefined {
  return isLogicalAttribute(logical, name) ? undefined : properties.get(name)
}

function compareEnums(walk: Walk, written: EnumType, read: EnumType, path: string): void {
  walk.effort.spend(written.symbols.length + read.symbols.length)
  const [before, after] = [new Set(written.symbols), new Set(read.symbols)]
  for (const symbol of before) {
    if (after.has(symbol)) continue
    if (read.default === undefined) walk.add(RULES.enum_symbol_removed, `${path}/symbols/${symbol}`, symbol)
    else walk.add(RULES.enum_symbol_read_as_default, `${path}/symbols/${symbol}`, symbol, read.default)
  }
  for (const symbol of after) {
    if (!before.has(symbol)) walk.add(RULES.enum_symbol_added, `${path}/symbols/${symbol}`, undefined, symbol)
  }
  if (isReordered(written.symbols, read.symbols)) walk.add(RULES.enum_symbols_reordered, `${path}/symbols`)
  if (written.default !== read.default)
    walk.add(RULES.enum_default_changed, `${path}/default`, written.default, read.default)
}

function compareRecords(walk: Walk, written: RecordType, read: RecordType, path: string, depth: number): void {
  const [before, after] = [written.isError ? 'error' : 'record', read.isError ? 'error' : 'record']
  if (before !== after) walk.add(RULES.record_kind_changed, `${path}/type`, before, after)
  const isMixed = isReordered(
    written.fields.map(({ name }) => name),
    read.fields.map(({ name }) => name)
  )
  if (isMixed) walk.add(RULES.fields_reordered, `${path}/fields`)
  const taken = new Set<Field>()
  // A type that several fields have is reported at the first of them, which must be the same one when the sides are swapped.
  const fields = isMixed ? [...read.fields].sort((a, b) => (a.name < b.name ? -1 : 1)) : read.fields
  for (const field of fields) compareToWritten(walk, written, field, `${path}/fields`, depth, taken)
  for (const field of written.fields) {
    if (!taken.has(field)) walk.add(RULES.field_removed, `${path}/fields/${field.name}`, kindName(field.type))
  }
}

function compareToWritten(
  walk: Walk,
  written: RecordType,
  field: Field,
  path: string,
  depth: number,
  taken: Set<Field>
): void {
  walk.effort.spend(1 + field.aliases.length)
  const place = `${path}/${field.name}`
  const candidates = fieldsRead(written, field)
  for (const candidate of candidates) taken.add(candidate)
  const [found, ...others] = candidates
  if (found === undefined) compareAbsentField(walk, written, field, path, taken)
  else if (others.length > 0)
    walk.add(RULES.field_ambiguous, place, shown(candidates.map(({ name }) => name)), field.name)
  else {
    if (found.name !== field.name) walk.add(RULES.field_renamed_with_alias, `${place}/name`, found.name, field.name)
    compareFields(walk, found, field, place)
    walk.types(found.type, field.type, `${place}/type`, depth + 1)
  }
}

/** Compares a field that the data lack, or have under a name that only an alias of the writer leads to. */
function compareAbsentField(walk: Walk, written: RecordType, field: Field, path: string, taken: Set<Field>): void {
  const renamed = fieldOnceCalled(written, field.name)
  if (renamed !== undefined && !taken.has(renamed)) {
    taken.add(renamed)
    const rule = field.default === undefined ? RULES.field_renamed_without_alias : RULES.field_renamed_read_as_default
    walk.add(rule, `${path}/${renamed.name}/name`, renamed.name, field.name)
  } else if (field.default === undefined) {
    walk.add(RULES.field_added_without_default, `${path}/${field.name}`, undefined, kindName(field.type))
  } else walk.add(RULES.field_added_with_default, `${path}/${field.name}`, undefined, shown(field.default))
}

function compareFields(walk: Walk, written: Field, read: Field, path: string): void {
  compareDocs(walk, written, read, path)
  compareAliases(walk, written, read, path)
  compareProperties(walk, written, read, path)
  if (written.order !== read.order) walk.add(RULES.sort_order_changed, `${path}/order`, written.order, read.order)
  compareDefaults(walk, written, read, `${path}/default`)
}

function compareDefaults(walk: Walk, { default: before }: Field, { default: after }: Field, path: string): void {
  if (before === undefined && after === undefined) return
  if (before === undefined) walk.add(RULES.default_added, path, undefined, shown(after))
  else if (after === undefined) walk.add(RULES.default_removed, path, shown(before))
  else if (jsonText(before) !== jsonText(after)) walk.add(RULES.default_changed, path, shown(before), shown(after))
}

function kindName(type: AvroType): unknown {
  return shown(type.kind === 'union' ? type.branches.map(branchName) : branchName(type))
}
