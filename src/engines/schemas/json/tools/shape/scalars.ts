import type { Shape, StringFormat } from '../../../shape.ts'
import type { SchemaNode } from '../../model.ts'
import { decimalOf } from '../decimal.ts'
import { RANGES, rangeOf } from './ranges.ts'
import { said, type Walk } from './walk.ts'

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
