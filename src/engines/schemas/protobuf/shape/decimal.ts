import type { Shape } from '../../shape.ts'
import type { FieldModel, OptionValue } from '../model.ts'

export const DECIMAL = 'confluent.type.Decimal'

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

export function decimalOptions(precision: number, scale: number): string {
  const params = `{ key: "precision", value: "${precision}" }, { key: "scale", value: "${scale}" }`
  return `(confluent.field_meta) = { params: [${params}] }`
}
