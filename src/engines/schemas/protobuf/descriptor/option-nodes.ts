import type { OptionNode, OptionValue } from '../syntax/nodes.ts'
import { bytesOfLiteral, bytesOfText } from '../syntax/strings.ts'
import type { FieldDescriptor, Options } from './descriptor.ts'

// Options that a schema has made itself are not seen here: without it a compiled text has only their numbers.

const MADE_BY_COMPILERS: ReadonlySet<string> = new Set(['uninterpretedOption', 'mapEntry'])
const ENUM_NAME = /^[A-Z][A-Z0-9_]*$/

export function optionNodes(options: Options | undefined): OptionNode[] {
  return Object.entries(options ?? {})
    .filter(([name]) => !MADE_BY_COMPILERS.has(name))
    .map(([name, value]) => ({ name: snakeCase(name), value: optionValue(value, TEXTS.has(name)), at: -1 }))
}

/** These are texts even where they look like the name of a value. */
const TEXTS: ReadonlySet<string> = new Set([
  'javaPackage',
  'javaOuterClassname',
  'goPackage',
  'objcClassPrefix',
  'csharpNamespace',
  'swiftPrefix',
  'phpClassPrefix',
  'phpNamespace',
  'phpMetadataNamespace',
  'rubyPackage'
])

function optionValue(value: unknown, isText: boolean): OptionValue {
  if (Array.isArray(value)) return { kind: 'list', values: value.map((inner) => optionValue(inner, isText)) }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => [snakeCase(name), optionValue(inner, false)] as const)
    return { kind: 'fields', fields }
  }
  const isPlain = typeof value !== 'string' || (!isText && ENUM_NAME.test(value))
  return isPlain ? { kind: 'plain', value: String(value) } : { kind: 'string', value: bytesOfText(value) }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function textOption(name: string, text: string | undefined): OptionNode[] {
  return text === undefined ? [] : [{ name, value: { kind: 'string', value: bytesOfText(text) }, at: -1 }]
}

/** Texts are as they are, bytes as a `.proto` text has them between quotes. */
export function defaultOption({ type, defaultValue }: FieldDescriptor): OptionNode[] {
  if (defaultValue === undefined) return []
  if (type === 'TYPE_STRING') return textOption('default', defaultValue)
  const value: OptionValue =
    type === 'TYPE_BYTES'
      ? { kind: 'string', value: bytesOfLiteral(defaultValue) ?? '' }
      : { kind: 'plain', value: defaultValue }
  return [{ name: 'default', value, at: -1 }]
}
