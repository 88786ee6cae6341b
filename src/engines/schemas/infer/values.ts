import type { Converted, Loss } from '../format.ts'
import type { RecordShape, Shape } from '../shape.ts'
import { add, emptySummary, MAX_FIELDS, MAX_SAMPLE_DEPTH, type Summary } from './summary.ts'

/**
 * A shape that all samples have. It says no more than samples can show: strings are not taken for enums however few
 * there are, whole numbers have 64 bits, records may have fields that no sample has.
 */
export function shapeOfValues(values: readonly unknown[]): Converted<Shape> {
  const summary = emptySummary()
  for (const value of values) add(summary, value, 0)
  const lost: Loss[] = []
  return { result: shapeOf(summary, '', lost), lost }
}

function shapeOf(summary: Summary, path: string, lost: Loss[]): Shape {
  if (summary.others > 0) {
    const message = `What is nested over ${MAX_SAMPLE_DEPTH} levels deep, or is no JSON, was not looked at.`
    lost.push({ path, message })
    return { kind: 'any' }
  }
  const options: Shape[] = []
  if (summary.nulls > 0) options.push({ kind: 'null' })
  if (summary.booleans > 0) options.push({ kind: 'boolean' })
  if (summary.numbers > 0) options.push({ kind: 'number', bits: 64 })
  else if (summary.integers > 0) options.push({ kind: 'integer', bits: 64, signed: true })
  if (summary.strings > 0) {
    options.push(summary.format === undefined ? { kind: 'string' } : { kind: 'string', format: summary.format })
  }
  if (summary.lists > 0) options.push({ kind: 'list', items: itemsOf(summary, path, lost) })
  if (summary.records > 0)
    options.push(summary.entries === undefined ? record(summary, path, lost) : map(summary, path, lost))
  const [only, second] = options
  if (only === undefined) return { kind: 'any' }
  return second === undefined ? only : { kind: 'union', options }
}

function itemsOf(summary: Summary, path: string, lost: Loss[]): Shape {
  return summary.items === undefined ? { kind: 'any' } : shapeOf(summary.items, `${path}/items`, lost)
}

function map(summary: Summary, path: string, lost: Loss[]): Shape {
  lost.push({ path, message: `There are over ${MAX_FIELDS} names, so they are taken for data: it is a map.` })
  return { kind: 'map', values: shapeOf(summary.entries ?? emptySummary(), `${path}/values`, lost) }
}

function record(summary: Summary, path: string, lost: Loss[]): RecordShape {
  const fields = [...summary.fields].map(([name, field]) => ({
    name,
    shape: shapeOf(field, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, lost),
    optional: seen(field) < summary.records
  }))
  return { kind: 'record', fields, open: true }
}

function seen(field: Summary): number {
  const { nulls, booleans, integers, numbers, strings, lists, records, others } = field
  return nulls + booleans + integers + numbers + strings + lists + records + others
}
