import type { RecordShape, Shape } from '../../shape.ts'
import { DECIMAL, decimalOptions } from './decimal.ts'
import type { Draft } from './draft.ts'
import { lastPart, pascalCase } from './names.ts'
import { withoutNull } from './without-null.ts'
import { writeEnum } from './write-enum.ts'

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
