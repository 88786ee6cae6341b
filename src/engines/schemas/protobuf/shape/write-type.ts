import type { RecordShape, Shape } from '../../format.ts'
import type { FieldModel, OptionValue } from '../model.ts'
import { type Draft, writeEnum } from './from-shape.ts'

/** The message that is being written. */
export interface Holder {
  readonly draft: Draft
  readonly name: string
  /** Names of fields and of what is declared beside them. */
  readonly names: Set<string>
  /** Names that fields are to have in JSON, and those that they have without being told. */
  readonly wanted: ReadonlySet<string>
  readonly jsonNames: Set<string>
  readonly lines: string[]
  readonly types: string[]
  readonly path: string
  count: number
}

export interface WrittenType {
  readonly text: string
  readonly options: readonly string[]
  readonly isRepeated: boolean
  readonly isMap: boolean
  readonly isMessage: boolean
}

const PLAIN = { options: [], isRepeated: false, isMap: false, isMessage: false }

/** `single` where a list or a map can't stand, as in another list. */
export function writeType(
  holder: Holder,
  shape: Shape,
  name: string,
  path: string,
  place: 'field' | 'single' = 'field'
): WrittenType {
  if (place === 'single' && (shape.kind === 'list' || shape.kind === 'map' || shape.kind === 'union')) {
    holder.draft.lose(path, 'That it stands there alone; it is the field "value" of a message')
    const record: RecordShape = { kind: 'record', fields: [{ name: 'value', shape, optional: false }] }
    return writeRecord(holder, record, name, path)
  }
  switch (shape.kind) {
    case 'list':
      return { ...writeItem(holder, shape.items, name, `${path}/*`), isRepeated: true }
    case 'map': {
      const value = writeItem(holder, shape.values, name, `${path}/*`)
      return { ...value, text: `map<string, ${value.text}>`, isMap: true, isMessage: false }
    }
    case 'record':
      return writeRecord(holder, shape, name, path)
    case 'recursion':
      return { ...PLAIN, text: holder.draft.named(shape.name) ?? valueType(holder), isMessage: true }
    case 'enum':
      return writeEnum(holder, shape, name, path)
    default:
      return writeScalar(holder, shape, path)
  }
}

function writeItem(holder: Holder, item: Shape, name: string, path: string): WrittenType {
  const { shape, isNullable } = withoutNull(item)
  if (isNullable) holder.draft.lose(path, 'That elements can be null')
  return writeType(holder, shape, name, path, 'single')
}

function writeRecord(holder: Holder, record: RecordShape, field: string, path: string): WrittenType {
  const { draft } = holder
  const known = record.name === undefined ? undefined : draft.known(record.name, record)
  if (known !== undefined) return { ...PLAIN, text: known, isMessage: true }
  const name = draft.typeName(pascalCase(lastPart(record.name ?? field)))
  if (record.name !== undefined) draft.remember(record.name, record, name)
  draft.later(name, record, path)
  return { ...PLAIN, text: name, isMessage: true }
}

type ScalarShape = Exclude<Shape, { kind: 'list' | 'map' | 'record' | 'recursion' | 'enum' }>

function writeScalar(holder: Holder, shape: ScalarShape, path: string): WrittenType {
  const { draft } = holder
  switch (shape.kind) {
    case 'boolean':
      return { ...PLAIN, text: 'bool' }
    case 'integer':
      return { ...PLAIN, text: `${shape.signed ? '' : 'u'}int${shape.bits}` }
    case 'number':
      return { ...PLAIN, text: shape.bits === 32 ? 'float' : 'double' }
    case 'bytes':
      if (shape.size !== undefined) draft.lose(path, `That there are always ${shape.size} bytes`)
      return { ...PLAIN, text: 'bytes' }
    case 'string':
      if (shape.format === 'date-time') {
        draft.import('google/protobuf/timestamp.proto')
        return { ...PLAIN, text: draft.external('google.protobuf.Timestamp'), isMessage: true }
      }
      if (shape.format !== undefined) draft.lose(path, `That texts have the format ${shape.format}`)
      return { ...PLAIN, text: 'string' }
    case 'decimal':
      draft.import('confluent/meta.proto')
      draft.import('confluent/type/decimal.proto')
      return {
        ...PLAIN,
        text: draft.external(DECIMAL),
        options: [decimalOptions(shape.precision, shape.scale)],
        isMessage: true
      }
    case 'null':
      draft.import('google/protobuf/struct.proto')
      return { ...PLAIN, text: draft.external('google.protobuf.NullValue') }
    default:
      return { ...PLAIN, text: valueType(holder), isMessage: true }
  }
}

function valueType({ draft }: Holder): string {
  draft.import('google/protobuf/struct.proto')
  return draft.external('google.protobuf.Value')
}

export function writeOptions(options: readonly string[]): string {
  return options.length === 0 ? '' : ` [${options.join(', ')}]`
}

const DECIMAL = 'confluent.type.Decimal'

/** Decimals as Confluent's tools have them: a message, and precision and scale beside the field. */
export function decimalOf({ type, options }: FieldModel): Shape | undefined {
  if (type.kind !== 'message' || type.name !== DECIMAL) return undefined
  const found = new Map<string, number>()
  for (const { name, value } of options) {
    if (name === '(confluent.field_meta)') collectParams(value, found)
    if (name === '(confluent.field_meta).params') collectParam(value, found)
  }
  const [precision, scale] = [found.get('precision'), found.get('scale')]
  if (precision === undefined || scale === undefined) return undefined
  return { kind: 'decimal', precision, scale }
}

function collectParams(value: OptionValue, found: Map<string, number>): void {
  if (value.kind !== 'fields') return
  for (const [name, inner] of value.fields) {
    if (name !== 'params') continue
    for (const param of inner.kind === 'list' ? inner.values : [inner]) collectParam(param, found)
  }
}

function collectParam(param: OptionValue, found: Map<string, number>): void {
  if (param.kind !== 'fields') return
  const fields = new Map(param.fields)
  const [key, value] = [fields.get('key'), fields.get('value')]
  if (key?.kind === 'string' && value?.kind === 'string' && /^\d{1,4}$/.test(value.value)) {
    found.set(key.value, Number(value.value))
  }
}

function decimalOptions(precision: number, scale: number): string {
  const params = `{ key: "precision", value: "${precision}" }, { key: "scale", value: "${scale}" }`
  return `(confluent.field_meta) = { params: [${params}] }`
}

/** `unit price` → `unit_price`: what may stand for a name in Protobuf. */
export function identifier(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`
}

/** `unit_price` → `UnitPrice`. */
export function pascalCase(text: string): string {
  const name = identifier(text).replace(/(?:^|_+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
  return /^[A-Za-z]/.test(name) ? name : `T${name}`
}

/** `UnitPrice` → `unit_price`. */
export function snakeCase(text: string): string {
  return identifier(text.replace(/([a-z0-9])([A-Z])/g, '$1_$2')).toLowerCase()
}

/** A name that is not taken yet, and takes it. */
export function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  taken.add(free)
  return free
}

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The part of a full name that can be a package; undefined where there is none. */
export function packageOf(name: string): string | undefined {
  const end = name.lastIndexOf('.')
  const parts = end === -1 ? [] : name.slice(0, end).split('.')
  return parts.length > 0 && parts.every((part) => /^[A-Za-z_]\w*$/.test(part)) ? parts.join('.') : undefined
}

/** Whether two shapes say the same, one of them perhaps by naming a record where the other spells it out. */
export function isSameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true
  const [nameOfA, nameOfB] = [recordName(a), recordName(b)]
  if (a.kind === 'recursion' || b.kind === 'recursion') return nameOfA !== undefined && nameOfA === nameOfB
  if (a.kind === 'list' && b.kind === 'list') return isSameShape(a.items, b.items)
  if (a.kind === 'map' && b.kind === 'map') return isSameShape(a.values, b.values)
  if (a.kind === 'union' && b.kind === 'union') return areSame(a.options, b.options, isSameShape)
  if (a.kind !== 'record' || b.kind !== 'record') return JSON.stringify(a) === JSON.stringify(b)
  if (nameOfA !== nameOfB || a.doc !== b.doc || a.open !== b.open) return false
  return areSame(a.fields, b.fields, ({ shape, ...first }, { shape: other, ...second }) => {
    return JSON.stringify(first) === JSON.stringify(second) && isSameShape(shape, other)
  })
}

function recordName(shape: Shape): string | undefined {
  return shape.kind === 'record' || shape.kind === 'recursion' ? shape.name : undefined
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index] as T))
}

/** A shape and whether it may also be null, which Protobuf says by absence. */
export function withoutNull(shape: Shape): { readonly shape: Shape; readonly isNullable: boolean } {
  if (shape.kind !== 'union') return { shape, isNullable: false }
  const options = shape.options.flatMap((option) => (option.kind === 'union' ? option.options : [option]))
  const others = options.filter((option) => option.kind !== 'null')
  const isNullable = others.length < options.length
  if (others.length === 0) return { shape: { kind: 'null' }, isNullable: false }
  return { shape: others.length === 1 ? (others[0] as Shape) : { kind: 'union', options: others }, isNullable }
}
