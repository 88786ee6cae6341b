import { isDeepStrictEqual } from 'node:util'
import type { Shape, StringFormat } from '../../format.ts'
import { own, type SchemaNode } from '../model.ts'
import { isOfType, typesSaid } from '../values/plain.ts'
import { type At, said, textSaid, tidyName, unionOf, type Walk } from './walk.ts'

const FORMATS: ReadonlySet<unknown> = new Set<StringFormat>(['date', 'time', 'date-time', 'uuid', 'email', 'uri'])

export function shapeOfString(nodes: readonly SchemaNode[], walk: Walk): Shape {
  const format = said(nodes, 'format')
  const decimal = decimalOf(format, said(nodes, 'pattern'))
  if (decimal !== undefined) return decimal
  if (said(nodes, 'contentEncoding') === 'base64') return { kind: 'bytes' }
  if (FORMATS.has(format)) return { kind: 'string', format: format as StringFormat }
  if (format !== undefined) {
    const node = nodes.find((each) => Object.hasOwn(each, 'format'))
    walk.lose(node, 'format', `The format ${JSON.stringify(format).slice(0, 60)} is not said.`)
  }
  return { kind: 'string' }
}

export function shapeOfNumber(nodes: readonly SchemaNode[], type: 'integer' | 'number', walk: Walk): Shape {
  const format = said(nodes, 'format')
  const [least, most] = [said(nodes, 'minimum'), said(nodes, 'maximum')]
  const named = RANGES.find((each) => each.format === format)
  if (type === 'number') {
    if (format !== undefined && format !== 'float' && format !== 'double') {
      const node = nodes.find((each) => Object.hasOwn(each, 'format'))
      walk.lose(node, 'format', `The format ${JSON.stringify(format).slice(0, 60)} is not said.`)
    }
    return { kind: 'number', bits: format === 'float' ? 32 : 64 }
  }
  if (named !== undefined) return { kind: 'integer', bits: named.bits, signed: named.signed }
  const exact = rangeOf(least, most)
  if (exact !== undefined) return { kind: 'integer', bits: exact.bits, signed: exact.signed }
  const isSmall = typeof least === 'number' && typeof most === 'number' && least >= -(2 ** 31) && most < 2 ** 31
  return { kind: 'integer', bits: isSmall ? 32 : 64, signed: true }
}

/** Whole numbers of a fixed size, by the name that OpenAPI gave their format. Bounds of 64 bits are no exact numbers in JSON. */
export const RANGES = [
  { format: 'int32', bits: 32, signed: true, least: -(2 ** 31), most: 2 ** 31 - 1 },
  { format: 'uint32', bits: 32, signed: false, least: 0, most: 2 ** 32 - 1 },
  { format: 'int64', bits: 64, signed: true, least: undefined, most: undefined },
  { format: 'uint64', bits: 64, signed: false, least: 0, most: undefined }
] as const

/** The size that two bounds are those of. One bound alone is just a bound. */
function rangeOf(least: unknown, most: unknown): (typeof RANGES)[number] | undefined {
  return RANGES.find((range) => range.most !== undefined && range.least === least && range.most === most)
}

export function isListing(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => Object.hasOwn(node, 'enum') || Object.hasOwn(node, 'const'))
}

/** An enum where all values but null are strings; otherwise what kinds of values they are. */
export function listedShape(nodes: readonly SchemaNode[], walk: Walk): Shape {
  const lists = nodes.flatMap((node) => [
    ...(Object.hasOwn(node, 'const') ? [[own(node, 'const')]] : []),
    ...(Object.hasOwn(node, 'enum') ? [own(node, 'enum') as unknown[]] : [])
  ])
  const [first = [], ...others] = lists
  const allowed = first.filter((value) => others.every((list) => list.some((each) => isDeepStrictEqual(each, value))))
  const types = typesSaid(nodes)
  const values = types === undefined ? allowed : allowed.filter((value) => types.some((type) => isOfType(value, type)))
  const strings = values.filter((value) => typeof value === 'string')
  const rest = values.filter((value) => typeof value !== 'string' && value !== null)
  if (rest.length > 0) {
    const node = nodes.find((each) => Object.hasOwn(each, 'enum') || Object.hasOwn(each, 'const'))
    const keyword = node !== undefined && Object.hasOwn(node, 'enum') ? 'enum' : 'const'
    walk.lose(node, keyword, 'Which values are allowed is not said, only of which types they are.')
  }
  const name = tidyName(textSaid(nodes, 'title') ?? '')
  return unionOf([
    ...(values.includes(null) ? [{ kind: 'null' } as const] : []),
    ...(strings.length > 0 ? [{ kind: 'enum', ...(name && { name }), values: [...new Set(strings)] } as const] : []),
    ...rest.map(shapeOfValue)
  ])
}

function shapeOfValue(value: unknown): Shape {
  if (typeof value === 'boolean') return { kind: 'boolean' }
  if (Number.isSafeInteger(value)) return { kind: 'integer', bits: 64, signed: true }
  if (typeof value === 'number') return { kind: 'number', bits: 64 }
  return { kind: 'any' }
}

/** Keywords that no shape can express. */
const NEVER_SAID = [
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...[
    'minItems',
    'maxItems',
    'uniqueItems',
    'contains',
    'minContains',
    'maxContains',
    'minProperties',
    'maxProperties'
  ],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'not', 'if', 'then', 'else', 'unevaluatedItems'],
  ...['contentMediaType', 'examples', 'readOnly', 'writeOnly', 'deprecated']
]
const MAX_SHOWN_CHARS = 60

export function loseKeywords(nodes: readonly SchemaNode[], walk: Walk, at: At): void {
  for (const node of nodes) {
    for (const keyword of NEVER_SAID) {
      if (Object.hasOwn(node, keyword) && !isSaid(node, keyword)) {
        walk.lose(node, keyword, `"${keyword}"${shown(own(node, keyword))} is left out.`)
      }
    }
    if (Object.hasOwn(node, 'default') && !at.isField) walk.lose(node, 'default', 'The default is left out.')
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return typeof value === 'object' || text.length > MAX_SHOWN_CHARS ? '' : ` (${text})`
}

/** Whether the shape expresses the keyword, as the size of an integer does its bounds. */
function isSaid(node: SchemaNode, keyword: string): boolean {
  if (keyword === 'pattern') return decimalOf(own(node, 'format'), own(node, 'pattern')) !== undefined
  if (own(node, keyword) === false) return keyword !== 'not' && keyword !== 'contains' && keyword !== 'propertyNames'
  if (keyword !== 'minimum' && keyword !== 'maximum') return false
  const range =
    RANGES.find((each) => each.format === own(node, 'format')) ?? rangeOf(own(node, 'minimum'), own(node, 'maximum'))
  return range !== undefined && own(node, keyword) === (keyword === 'minimum' ? range.least : range.most)
}

/** Numbers that lose nothing, as JSON has to write them: digits in a string. */
export const DECIMAL_FORMAT = 'decimal'
const PATTERN = /^\^-\?(?:0|\(0\|\[1-9\]\[0-9\]\{0,(\d{1,4})\}\))(?:\(\\\.\[0-9\]\{1,(\d{1,4})\}\)\?)?\$$/

export function decimalPattern(precision: number, scale: number): string {
  const whole = precision - scale
  const front = whole <= 0 ? '0' : `(0|[1-9][0-9]{0,${whole - 1}})`
  return `^-?${front}${scale > 0 ? `(\\.[0-9]{1,${scale}})?` : ''}$`
}

/** The decimal whose pattern it is; undefined where it is none. */
function decimalOf(format: unknown, pattern: unknown): Extract<Shape, { kind: 'decimal' }> | undefined {
  if (format !== DECIMAL_FORMAT || typeof pattern !== 'string') return undefined
  const found = PATTERN.exec(pattern)
  if (found === null) return undefined
  const [whole, scale] = [found[1] === undefined ? 0 : Number(found[1]) + 1, Number(found[2] ?? 0)]
  return { kind: 'decimal', precision: whole + scale, scale }
}
