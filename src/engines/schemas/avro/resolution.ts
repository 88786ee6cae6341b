import { type BranchType, type Field, type NamedType, type RecordType, shortName } from './model.ts'

/** What readers of one type make of data of another. */
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
export function isNameRead(written: NamedType, read: NamedType): boolean {
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

/** The field that was once called so, as its own schema says. */
export function fieldOnceCalled(record: RecordType, name: string): Field | undefined {
  return indexOf(record).byAlias.get(name)
}
