import type { Converted, Loss } from '../format.ts'
import type { FieldShape, RecordShape, Shape } from '../shape.ts'
import { type DuckdbMember, type DuckdbType, readDuckdbType } from './duckdb-type.ts'
import { simpleShape } from './simple-types.ts'

export interface Column {
  readonly name: string
  /** As DuckDB prints it. */
  readonly type: string
  readonly nullable: boolean
}

/** More is not something that people chose one by one. */
const MAX_ENUM_VALUES = 1000
const MAX_SHOWN_CHARS = 100

/** The shape of a table's rows. Paths of what is lost are names of columns and of what is in them. */
export function shapeOfColumns(columns: readonly Column[], name: string): Converted<RecordShape> {
  const lost: Loss[] = []
  const fields = columns.map((column): FieldShape => {
    const path = `/${token(column.name)}`
    const type = readDuckdbType(column.type)
    const shape = type === undefined ? unknown(column.type, path, lost) : shapeOf(type, path, lost)
    return { name: column.name, shape: column.nullable ? orNull(shape) : shape, optional: false }
  })
  return { result: { kind: 'record', name, fields }, lost }
}

function shapeOf(type: DuckdbType, path: string, lost: Loss[]): Shape {
  const lose = (message: string) => lost.push({ path, message })
  switch (type.kind) {
    case 'simple':
      return simpleShape(type, lose) ?? unknown(type.name, path, lost)
    case 'enum':
      if (type.values.length <= MAX_ENUM_VALUES) return { kind: 'enum', values: type.values }
      lose(`The ${type.values.length} values of the ENUM are not listed; it is a string.`)
      return { kind: 'string' }
    case 'list':
      if (type.length !== undefined) lose(`That there are ${type.length} items in each array is not said.`)
      return { kind: 'list', items: orNull(shapeOf(type.items, `${path}/items`, lost)) }
    case 'map':
      if (type.keys.kind !== 'simple' || type.keys.name !== 'VARCHAR') lose('The keys of the MAP become strings.')
      return { kind: 'map', values: orNull(shapeOf(type.values, `${path}/values`, lost)) }
    case 'struct':
      return struct(type.members, path, lost)
    case 'union':
      lose('The tags of the UNION are not said, only the types of its members.')
      return unionOf(type.members.map((member) => shapeOf(member.type, `${path}/${token(member.name ?? '')}`, lost)))
  }
}

function struct(members: readonly DuckdbMember[], path: string, lost: Loss[]): Shape {
  const fields: FieldShape[] = []
  for (const { name, type } of members) {
    if (name === undefined) {
      lost.push({ path, message: 'A STRUCT whose members have no names can be anything.' })
      return { kind: 'any' }
    }
    fields.push({ name, shape: orNull(shapeOf(type, `${path}/${token(name)}`, lost)), optional: false })
  }
  return { kind: 'record', fields }
}

/** Members that differ by their tags alone are one. */
function unionOf(members: readonly Shape[]): Shape {
  const options = new Map(
    members
      .flatMap((member) => (member.kind === 'union' ? member.options : [member]))
      .map((member) => [JSON.stringify(member), member])
  )
  const [only = { kind: 'null' } as const, ...others] = options.values()
  return others.length === 0 ? only : { kind: 'union', options: [only, ...others] }
}

/** Whatever is inside a value may be null in DuckDB; there is no way to say that it is not. */
function orNull(shape: Shape): Shape {
  if (shape.kind === 'any' || shape.kind === 'null') return shape
  const options = shape.kind === 'union' ? shape.options : [shape]
  if (options.some((option) => option.kind === 'null' || option.kind === 'any')) return shape
  return { kind: 'union', options: [{ kind: 'null' }, ...options] }
}

function unknown(text: string, path: string, lost: Loss[]): Shape {
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
  lost.push({ path, message: `The type ${shown} has no counterpart; the value can be anything.` })
  return { kind: 'any' }
}

function token(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
