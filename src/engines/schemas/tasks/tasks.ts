import { seeded } from '../../seeded-random.ts'
import type { AvroType } from '../avro/model.ts'
import { Effort } from '../fault.ts'
import { formatOf, type Loss, type Parsed, type SchemaType, type Source, type ValueFault } from '../format.ts'
import { shapeOfColumns } from '../infer/columns.ts'
import { shapeOfValues } from '../infer/values.ts'
import { type Comparison, mergeDifferences } from './comparison.ts'

/** A schema under the name that it has in messages. */
export interface Named {
  readonly name: string
  readonly type: SchemaType
  readonly source: Source
}

/** `backward`: what the older wrote is read with the newer. `forward`: the other way round. */
export type Direction = 'backward' | 'forward'

export interface CheckRequest {
  readonly candidate: Named
  readonly against: readonly Named[]
  readonly directions: readonly Direction[]
}

export interface InferRequest {
  readonly name: string
  /** Undefined where only values are given. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  /** Rows of the columns, or values by themselves. */
  readonly values: readonly unknown[]
  readonly to: SchemaType
}

/** One change that breaks compatibility with the schema at the index `against` of the request. */
export interface Finding {
  readonly against: number
  readonly direction: Direction
  readonly path: string
  readonly rule: string
  readonly message: string
}

/**
 * All that is computed about schemas: plain values in, plain values out, so that it can run here or on another thread.
 * Each throws `SchemaFault` for what the writer of the schema can mend.
 */
export const TASKS = {
  parse({ type, source }: { type: SchemaType; source: Source }, effort: Effort): { canonical: string } {
    return { canonical: parse(type, source, effort).canonical }
  },

  check({ candidate, against, directions }: CheckRequest, effort: Effort): Finding[] {
    const newer = parse(candidate.type, candidate.source, effort)
    return against.flatMap((named, index) => {
      if (named.type !== candidate.type)
        return directions.map((direction) => otherType(named, candidate, index, direction))
      const older = parse(named.type, named.source, effort)
      return directions.flatMap((direction) => {
        const backward = direction === 'backward'
        const [written, read] = backward ? [older, newer] : [newer, older]
        const who = backward ? whoOf(named, candidate) : whoOf(candidate, named)
        return formatOf(candidate.type)
          .differences(written.model, read.model, effort)
          .filter(({ rule }) => rule.breaks)
          .map((found) => ({
            against: index,
            direction,
            path: found.path,
            rule: found.rule.code,
            message: found.rule.message(found, who)
          }))
      })
    })
  },

  compare({ from, to }: { from: Named; to: Named }, effort: Effort): Comparison {
    const format = formatOf(from.type)
    const [older, newer] = [parse(from.type, from.source, effort), parse(to.type, to.source, effort)]
    return mergeDifferences(
      format.differences(older.model, newer.model, effort),
      format.differences(newer.model, older.model, effort),
      whoOf(from, to)
    )
  },

  validate(
    { type, source, values }: { type: SchemaType; source: Source; values: readonly unknown[] },
    effort: Effort
  ): readonly ValueFault[][] {
    const { model } = parse(type, source, effort)
    return values.map((value) => formatOf(type).faultsOf(model, value, effort))
  },

  examples(
    { type, source, count, seed }: { type: SchemaType; source: Source; count: number; seed: number },
    effort: Effort
  ): unknown[] {
    const { model } = parse(type, source, effort)
    const random = seeded(seed)
    return Array.from({ length: count }, () => formatOf(type).example(model, random, effort))
  },

  convert(
    { type, source, to }: { type: SchemaType; source: Source; to: SchemaType },
    effort: Effort
  ): { schema: string; lost: Loss[] } {
    const { result, lost } = formatOf(type).toShape(parse(type, source, effort).model, effort)
    const written = formatOf(to).fromShape(result)
    return { schema: written.result, lost: [...lost, ...written.lost] }
  },

  /** What a schema says, as one JSON Schema that refers to nothing outside. */
  jsonSchema({ type, source }: { type: SchemaType; source: Source }, effort: Effort): object {
    const { model } = parse(type, source, effort)
    if (type === 'json') return bundle(source)
    const schema = JSON.parse(formatOf('json').fromShape(formatOf(type).toShape(model, effort).result).result) as object
    return type === 'avro' ? withEpochs(schema, model as AvroType) : schema
  },

  infer({ name, columns, values, to }: InferRequest): { schema: string; lost: Loss[] } {
    const { result, lost } = columns === undefined ? shapeOfValues(values) : shapeOfTable(name, columns, values)
    const named = result.kind === 'record' ? { ...result, name } : result
    const written = formatOf(to).fromShape(named)
    return { schema: written.result, lost: [...lost, ...written.lost] }
  }
} as const

export type TaskName = keyof typeof TASKS
export type TaskInput<N extends TaskName> = Parameters<(typeof TASKS)[N]>[0]
export type TaskOutput<N extends TaskName> = ReturnType<(typeof TASKS)[N]>

export function runTask<N extends TaskName>(name: N, input: TaskInput<N>, steps: number): TaskOutput<N> {
  const run = TASKS[name] as (input: TaskInput<N>, effort: Effort) => TaskOutput<N>
  return run(input, new Effort(steps))
}

const parsedCache = createParsedCache()

function parse(type: SchemaType, source: Source, effort: Effort): Parsed<unknown> {
  return parsedCache(type, source, () => formatOf(type).parse(source, effort))
}

const whoOf = (writer: Named, reader: Named) => ({ writer: writer.name, reader: reader.name })

/** A schema can't become one of another language: whoever reads its data would have to be another program. */
function otherType(older: Named, newer: Named, against: number, direction: Direction): Finding {
  const message = `${newer.name} is ${newer.type} and ${older.name} is ${older.type}: neither reads what was written with the other.`
  return { against, direction, path: '', rule: TYPE_CHANGED, message }
}

const TYPE_CHANGED = 'schema.type_changed'

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
function withEpochs(schema: ObjectSchema, model: AvroType): object {
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
function bundle({ text, dependencies }: Source): object {
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

/** A column may be null where one of the rows has it so. */
function shapeOfTable(name: string, columns: NonNullable<InferRequest['columns']>, rows: readonly unknown[]) {
  const isNull = (index: number) => (row: unknown) => (row as readonly unknown[])[index] === null
  return shapeOfColumns(
    columns.map((column, index) => ({ ...column, nullable: rows.some(isNull(index)) })),
    name
  )
}

/** The texts that are kept parsed, in characters for each type. */
const MAX_CHARS = 2 * 1024 * 1024
/** What a parsed schema takes beside its text, roughly, so that many small ones are bounded too. */
const CHARS_EACH = 4000

type Entries = Map<string, { readonly parsed: Parsed<unknown>; readonly chars: number }>

/** Parsed schemas by their text, those used last: a check parses what it is held against only once. */
function createParsedCache() {
  const byType: Record<SchemaType, Entries> = { avro: new Map(), json: new Map(), protobuf: new Map() }
  const chars: Record<SchemaType, number> = { avro: 0, json: 0, protobuf: 0 }
  return (type: SchemaType, { text, dependencies }: Source, parse: () => Parsed<unknown>): Parsed<unknown> => {
    const entries = byType[type]
    // No text contains NUL, so the key of a text without dependencies is never that of one with them.
    const key = dependencies.length === 0 ? text : `\0${JSON.stringify(dependencies)}${text}`
    const known = entries.get(key)
    if (known !== undefined) {
      entries.delete(key)
      entries.set(key, known)
      return known.parsed
    }
    const entry = { parsed: parse(), chars: key.length + CHARS_EACH }
    entries.set(key, entry)
    chars[type] += entry.chars
    for (const [oldest, { chars: freed }] of entries) {
      if (chars[type] <= MAX_CHARS) break
      entries.delete(oldest)
      chars[type] -= freed
    }
    return entry.parsed
  }
}
