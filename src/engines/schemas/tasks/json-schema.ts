import type { AvroType } from '../avro/model.ts'
import type { Source } from '../format.ts'

/** What numbers of a logical type count since 1970. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['date', 'd'],
  ['timestamp-millis', 'ms'],
  ['timestamp-micros', 'us'],
  ['timestamp-nanos', 'ns'],
  ['local-timestamp-millis', 'ms'],
  ['local-timestamp-micros', 'us'],
  ['local-timestamp-nanos', 'ns']
])

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
}

/**
 * Fields at the top that are times in Avro may be numbers too, as they are in its data: `x-epoch` says what they count.
 * People write them as texts, which is all that a JSON Schema would know of.
 */
export function withEpochs(schema: ObjectSchema, model: AvroType): object {
  if (model.kind !== 'record' || schema.properties === undefined) return schema
  const properties = { ...schema.properties }
  for (const { name, type } of model.fields) {
    const unit = unitOf(type)
    const property = properties[name]
    if (unit === undefined || property === undefined) continue
    properties[name] = { anyOf: [property, { type: 'integer' }], 'x-epoch': unit }
  }
  return { ...schema, properties }
}

function unitOf(type: AvroType): string | undefined {
  const branches = type.kind === 'union' ? type.branches.filter(({ kind }) => kind !== 'null') : [type]
  const [only, ...others] = branches
  const logical = only !== undefined && 'logical' in only ? only.logical : undefined
  return others.length > 0 || logical === undefined ? undefined : UNITS.get(logical.name)
}

/** A JSON Schema with what it refers to put into it, each under the address that it is referred to by. */
export function bundle({ text, dependencies }: Source): object {
  const document = JSON.parse(text) as unknown
  if (typeof document !== 'object' || document === null) return document === false ? { not: {} } : {}
  if (dependencies.length === 0) return document
  const { $schema = '' } = document as { $schema?: unknown }
  const isOld = /draft-0[467]/.test(String($schema)) || $schema === ''
  const place = isOld ? 'definitions' : '$defs'
  const own = (document as Record<string, object>)[place]
  const parts = dependencies.map(({ name, text }) => [
    name,
    { ...Object(JSON.parse(text)), [idWord(String($schema))]: name }
  ])
  return { ...document, [place]: { ...own, ...Object.fromEntries(parts) } }
}

const idWord = ($schema: string) => ($schema.includes('draft-04') ? 'id' : '$id')
