import { EPOCH_UNITS, type EpochUnit } from '../records/told-columns.ts'

/** What JSON Schema says about a value, as far as a column can hold it to that. */
interface Said {
  readonly types: ReadonlySet<string>
  /** Formats that a text may have; undefined among them where a text without a format would do too. */
  readonly formats: ReadonlySet<string | undefined>
}

type Schema = Readonly<Record<string, unknown>>

const ALL_TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'object', 'array']
const ANYTHING: Said = { types: new Set(ALL_TYPES), formats: new Set([undefined]) }
/** Schemas that refer to themselves several times over would else be looked at without end. */
const MAX_STEPS = 20_000
const MAX_DEPTH = 32

interface Walk {
  readonly root: Schema
  steps: number
}

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  integer: 'BIGINT',
  number: 'DOUBLE',
  string: 'VARCHAR',
  object: 'JSON',
  array: 'JSON'
}

/** The types of the columns that records have which a JSON Schema describes, by its properties at the top. */
export function columnsOfSchema(schema: object): Record<string, string> {
  const walk: Walk = { root: schema as Schema, steps: 0 }
  const columns: Record<string, string> = {}
  const names = new Set<string>()
  for (const [name, property] of propertiesOf(walk.root, walk, 0)) {
    const unit = epochOf(property)
    const type = unit === undefined ? columnType(read(property, walk, 0)) : unit === 'd' ? 'DATE' : 'TIMESTAMPTZ'
    // SQL knows no difference between temp and Temp: what comes second is a column without a type that is told.
    if (type === undefined || names.has(name.toLowerCase())) continue
    names.add(name.toLowerCase())
    columns[name] = type
  }
  return columns
}

/** What numbers count, by field, where a time may be given as a number since 1970. */
export function epochsOfSchema(schema: object): Record<string, EpochUnit> {
  const properties = Object.entries(Object((schema as Schema).properties) as Schema)
  return Object.fromEntries(
    properties.flatMap(([name, property]): [string, EpochUnit][] => {
      const unit = epochOf(property)
      return unit === undefined ? [] : [[name, unit]]
    })
  )
}

const epochOf = (property: unknown): EpochUnit | undefined =>
  isObject(property) && EPOCH_UNITS.includes(property['x-epoch'] as EpochUnit)
    ? (property['x-epoch'] as EpochUnit)
    : undefined

/** The properties of an object, with those that it has by reference and by `allOf`. */
function propertiesOf(schema: Schema, walk: Walk, depth: number): [string, unknown][] {
  walk.steps += 1
  if (depth > MAX_DEPTH || walk.steps > MAX_STEPS) return []
  const parts = [referred(schema, walk.root), ...listOf(schema.allOf)].filter(isObject)
  return [...Object.entries(Object(schema.properties)), ...parts.flatMap((part) => propertiesOf(part, walk, depth + 1))]
}

function read(schema: unknown, walk: Walk, depth: number): Said {
  if (schema === false) return { types: new Set(), formats: new Set() }
  walk.steps += 1
  if (!isObject(schema) || depth > MAX_DEPTH || walk.steps > MAX_STEPS) return ANYTHING
  const inner = (part: unknown) => read(part, walk, depth + 1)
  const said = [ownWords(schema), ...listOf(schema.allOf).map(inner)]
  const target = referred(schema, walk.root)
  if (target !== undefined) said.push(inner(target))
  for (const choices of [listOf(schema.anyOf), listOf(schema.oneOf)]) {
    if (choices.length > 0) said.push(choices.map(inner).reduce(either))
  }
  return said.reduce(both)
}

/** By `type`, or else by the values that are allowed. */
function ownWords(schema: Schema): Said {
  const values = 'const' in schema ? [schema.const] : listOf(schema.enum)
  const named = typeof schema.type === 'string' ? [schema.type] : listOf(schema.type)
  const types = named.length > 0 ? named : values.length > 0 ? values.map(typeOfValue) : ALL_TYPES
  const format = typeof schema.format === 'string' ? schema.format : undefined
  return { types: new Set(types.map(String)), formats: new Set(types.includes('string') ? [format] : []) }
}

const either = (a: Said, b: Said): Said => ({ types: a.types.union(b.types), formats: a.formats.union(b.formats) })

function both(a: Said, b: Said): Said {
  const types = widened(a.types).intersection(widened(b.types))
  return { types, formats: a.formats.has(undefined) ? b.formats : a.formats }
}

/** A whole number is a number. */
const widened = (types: ReadonlySet<string>): ReadonlySet<string> =>
  types.has('number') ? types.union(new Set(['integer'])) : types

function columnType({ types, formats }: Said): string | undefined {
  if (types.size === 0) return undefined
  const left = [...types].filter((type) => type !== 'null' && !(type === 'integer' && types.has('number')))
  const [type = '', ...others] = left
  if (others.length > 0) return 'JSON'
  if (type === 'string' && formats.size === 1) {
    if (formats.has('date-time')) return 'TIMESTAMPTZ'
    if (formats.has('date')) return 'DATE'
  }
  return COLUMN_TYPES[type] ?? 'JSON'
}

/** What `$ref` points to within the same schema. */
function referred({ $ref }: Schema, root: Schema): unknown {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  if ($ref === '#') return root
  const steps = $ref.split('/').slice(1).map(unescaped)
  return steps.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root)
}

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
