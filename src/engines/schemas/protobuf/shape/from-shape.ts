import type { Converted, FieldShape, Loss, RecordShape, Shape } from '../../format.ts'
import { defaultJsonName } from '../link/build-field.ts'
import { entryName } from '../link/scopes.ts'
import { bytesOfText, quote } from '../syntax/cursor.ts'
import { isZero } from './to-shape.ts'
import {
  type Holder,
  identifier,
  isSameShape,
  lastPart,
  packageOf,
  pascalCase,
  snakeCase,
  unique,
  type WrittenType,
  withoutNull,
  writeOptions,
  writeType
} from './write-type.ts'

/** A `.proto` text; the first message is the shape. */
export function fromShape(shape: Shape): Converted<string> {
  const draft = new Draft(shape.kind === 'record' ? packageOf(shape.name ?? '') : undefined)
  const root = recordOf(shape, draft)
  const name = draft.typeName(pascalCase(lastPart(root.name ?? 'Record')))
  if (root.name !== undefined) draft.remember(root.name, root, name)
  writeMessage(draft, name, root, '')
  for (let next = draft.next(); next !== undefined; next = draft.next())
    writeMessage(draft, next.name, next.record, next.path)
  return { result: draft.text(), lost: draft.lost }
}

/** Data are messages; anything else is put into one. */
function recordOf(shape: Shape, draft: Draft): RecordShape {
  if (shape.kind === 'record') return shape
  draft.lose('', 'That values stand alone; they are the field "value" of a message')
  return { kind: 'record', name: 'Record', fields: [{ name: 'value', shape, optional: false }] }
}

interface PendingMessage {
  readonly name: string
  readonly record: RecordShape
  readonly path: string
}

const MAX_LOSSES = 1_000

/** A `.proto` text that is being written, message after message. */
export class Draft {
  readonly lost: Loss[] = []
  /** Enums of one name and the same values are one, wherever they are used first. */
  readonly enums = new Map<string, { readonly holder: string; readonly name: string }>()
  readonly #imports = new Set<string>()
  readonly #taken = new Set<string>()
  readonly #messages: string[] = []
  readonly #left: PendingMessage[] = []
  readonly #known = new Map<string, { readonly name: string; readonly record: RecordShape }>()
  readonly #package: string | undefined

  constructor(packageName: string | undefined) {
    this.#package = packageName
  }

  lose(path: string, message: string): void {
    if (this.lost.length < MAX_LOSSES) this.lost.push({ path, message })
  }

  import(path: string): void {
    this.#imports.add(path)
  }

  typeName(wanted: string): string {
    return unique(wanted, this.#taken)
  }

  add(message: string): void {
    this.#messages.push(message)
  }

  /** Has a message written after those that are written already. */
  later(name: string, record: RecordShape, path: string): void {
    this.#left.push({ name, record, path })
  }

  next(): PendingMessage | undefined {
    return this.#left.shift()
  }

  /** The message for a record; one of the same name and content is the same. */
  known(fullName: string, record: RecordShape): string | undefined {
    const known = this.#known.get(fullName)
    return known !== undefined && isSameShape(known.record, record) ? known.name : undefined
  }

  remember(fullName: string, record: RecordShape, name: string): void {
    if (!this.#known.has(fullName)) this.#known.set(fullName, { name, record })
  }

  /** The message for a record further up. */
  named(fullName: string): string | undefined {
    return this.#known.get(fullName)?.name
  }

  /** The name of a type of another package; what is nearer must not be taken for it. */
  external(fullName: string): string {
    const first = fullName.slice(0, fullName.indexOf('.'))
    return this.#package?.split('.').includes(first) ? `.${fullName}` : fullName
  }

  text(): string {
    const parts = ['syntax = "proto3";']
    if (this.#package !== undefined) parts.push(`package ${this.#package};`)
    if (this.#imports.size > 0)
      parts.push(
        [...this.#imports]
          .sort()
          .map((path) => `import "${path}";`)
          .join('\n')
      )
    return `${[...parts, ...this.#messages].join('\n\n')}\n`
  }
}

const [FIRST_OF_IMPLEMENTATIONS, IMPLEMENTATION_NUMBERS] = [19_000, 1_000]

function writeMessage(draft: Draft, name: string, record: RecordShape, path: string): void {
  const wanted = new Set(record.fields.map((field) => field.name))
  const holder: Holder = {
    draft,
    name,
    path,
    wanted,
    names: new Set(),
    jsonNames: new Set(),
    lines: [],
    types: [],
    count: 0
  }
  if (record.open === true) draft.lose(path, 'That values may have fields beside these')
  for (const field of record.fields) writeField(holder, field)
  const lines = [...comment(record.doc), `message ${name} {`, ...holder.lines.map((line) => `  ${line}`)]
  if (holder.types.length > 0) lines.push('', ...holder.types.map((line) => `  ${line}`))
  draft.add([...lines, '}'].join('\n'))
}

function writeField(holder: Holder, field: FieldShape): void {
  const path = `${holder.path}/${field.name}`
  const { shape, isNullable } = withoutNull(field.shape)
  if (isNullable && !field.optional)
    holder.draft.lose(path, 'That a field is there and null; null is as good as absent')
  if (field.default !== undefined && !isZero(field.default)) {
    holder.draft.lose(path, `The default ${JSON.stringify(field.default).slice(0, 100)}; proto3 has none`)
  }
  holder.lines.push(...comment(field.doc))
  if (shape.kind === 'union') writeOneof(holder, field.name, shape.options, path)
  else writeSingle(holder, field.name, shape, field.optional || isNullable, path)
}

function writeSingle(holder: Holder, name: string, shape: Shape, isOptional: boolean, path: string): void {
  const type = writeType(holder, shape, name, path)
  if (!isOptional && type.isMessage && !type.isRepeated) holder.draft.lose(path, 'That a field must be there')
  const canBeOptional = isOptional && !type.isRepeated && !type.isMap && !type.isMessage
  if (isOptional && (type.isRepeated || type.isMap)) holder.draft.lose(path, 'Whether a list is empty or not there')
  holder.lines.push(`${canBeOptional ? 'optional ' : ''}${fieldLine(holder, name, type)}`)
}

function fieldLine(holder: Holder, wanted: string, type: WrittenType): string {
  const name = fieldName(holder, wanted, type)
  const options = [...type.options]
  const jsonName = defaultJsonName(name)
  // Two fields can't have one name in JSON, where `unit_price` and `unitPrice` are the same unless told otherwise.
  const isAmbiguous = jsonName !== wanted && (holder.wanted.has(jsonName) || holder.jsonNames.has(jsonName))
  if (name !== wanted || isAmbiguous) options.push(`json_name = ${quote(bytesOfText(wanted))}`)
  else holder.jsonNames.add(jsonName)
  holder.count += holder.count === FIRST_OF_IMPLEMENTATIONS - 1 ? IMPLEMENTATION_NUMBERS + 1 : 1
  return `${type.isRepeated ? 'repeated ' : ''}${type.text} ${name} = ${holder.count}${writeOptions(options)};`
}

/** A map takes a second name, that of its entries. */
function fieldName({ names }: Holder, wanted: string, { isMap }: WrittenType): string {
  let name = unique(identifier(wanted), names)
  while (isMap && names.has(entryName(name))) name = unique(identifier(wanted), names)
  if (isMap) names.add(entryName(name))
  return name
}

function writeOneof(holder: Holder, name: string, options: readonly Shape[], path: string): void {
  const oneof = unique(`${identifier(name)}_choice`, holder.names)
  holder.draft.lose(path, `That it is one value of several types; each has a field of its own in the oneof ${oneof}`)
  const lines = options.map((option) => {
    const field = `${identifier(name)}_${option.kind}`
    return `  ${fieldLine(holder, field, writeType(holder, option, field, path, 'single'))}`
  })
  holder.lines.push(`oneof ${oneof} {`, ...lines, '}')
}

function comment(doc: string | undefined): string[] {
  if (doc === undefined || doc === '') return []
  return doc.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `// ${line}`.trimEnd())
}

export function writeEnum(
  holder: Holder,
  shape: Shape & { readonly kind: 'enum' },
  field: string,
  path: string
): WrittenType {
  const key = JSON.stringify([shape.name, shape.values])
  const known = shape.name === undefined ? undefined : holder.draft.enums.get(key)
  if (known !== undefined) return typeOf(known.holder === holder.name ? known.name : `${known.holder}.${known.name}`)
  const name = enumName(holder, pascalCase(lastPart(shape.name ?? field)))
  holder.draft.enums.set(key, { holder: holder.name, name })
  holder.types.push(`enum ${name} {`, ...valuesOf(holder, name, shape.values, path), '}')
  return typeOf(name)
}

function typeOf(text: string): WrittenType {
  return { text, options: [], isRepeated: false, isMap: false, isMessage: false }
}

/** Zero is what Protobuf takes where nothing is written, so it has to mean that. */
function valuesOf(holder: Holder, name: string, values: readonly string[], path: string): string[] {
  const prefix = snakeCase(name).toUpperCase()
  const lines: string[] = []
  if (!/(?:^|_)(?:UNSPECIFIED|UNKNOWN|NONE)$/i.test(values[0] ?? '')) {
    const zero = unique(`${prefix}_UNSPECIFIED`, holder.names)
    lines.push(`  ${zero} = 0;`)
    holder.draft.lose(path, `That there is no value but these; ${zero} was added for values that are not there`)
  }
  for (const value of values) {
    const wanted = identifier(value)
    const written = unique(holder.names.has(wanted) ? `${prefix}_${wanted}` : wanted, holder.names)
    if (written !== value)
      holder.draft.lose(path, `The value ${JSON.stringify(value).slice(0, 100)}, which is ${written}`)
    lines.push(`  ${written} = ${lines.length};`)
  }
  return lines
}

/** Not that of a message either, which would be hidden by it. */
function enumName({ draft, names }: Holder, wanted: string): string {
  let name = draft.typeName(wanted)
  while (names.has(name)) name = draft.typeName(wanted)
  names.add(name)
  return name
}
