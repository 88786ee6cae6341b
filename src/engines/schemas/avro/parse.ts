import { type Effort, MAX_TEXT_CHARS } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { readJson } from '../json-text.ts'
import { canonicalText } from './canonical.ts'
import { isDefaultOf } from './defaults.ts'
import { shown } from './json-values.ts'
import { type AvroType, isNamed, type NamedType } from './model.ts'
import { quoted } from './names.ts'
import { ParseContext } from './parse-context.ts'
import { parseType } from './parse-type.ts'

export function parse(source: Source, effort: Effort): Parsed<AvroType> {
  const chars = source.dependencies.reduce((sum, { text }) => sum + text.length, source.text.length)
  if (chars > MAX_TEXT_CHARS) {
    throw new SchemaFault('too_complex', `The schema has more than ${MAX_TEXT_CHARS} characters with its references`)
  }
  const types = new Map<string, NamedType>()
  for (const { name, text } of source.dependencies) parseText(text, types, effort, name)
  const known = new Set(types.values())
  const model = parseText(source.text, types, effort)
  return {
    model,
    get canonical() {
      return canonicalText(model, known)
    }
  }
}

function parseText(text: string, types: Map<string, NamedType>, effort: Effort, dependency?: string): AvroType {
  const context = new ParseContext(effort, types, dependency)
  const type = parseType(context, readJson(text, effort, dependency), { pointer: '', namespace: '', depth: 0 })
  for (const { field, type: of, value, pointer } of context.defaults) {
    if (isDefaultOf(of, value, effort)) continue
    const what = of.kind === 'union' ? 'of no type of its union' : `no ${isNamed(of) ? quoted(of.name) : of.kind}`
    throw context.fault(
      `The default ${JSON.stringify(shown(value))} of the field ${quoted(field)} is ${what}; change the default or the type`,
      pointer
    )
  }
  return type
}
