import { isNode } from './model.ts'

/** Their order means nothing to anybody. */
const SETS = new Set(['required', 'type'])
const MAPS_OF_SETS = new Set(['dependentRequired', 'dependencies'])
/** Below these are values of people's data, not keywords. */
const DATA = new Set(['default', 'const', 'enum', 'examples'])
/** Digits that a number may lose when it is read. */
const LONG_NUMBER = /\d[\d.]{15}/

/**
 * A schema's text without formatting and order. Numbers of more digits than a number holds stay as they were written:
 * two schemas that differ in the twentieth digit are two.
 */
export function canonicalOf(document: unknown, text: string): string {
  if (!LONG_NUMBER.test(text)) return write(document, undefined)
  return write(JSON.parse(text, keepDigits), undefined)
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value
  return source.replace(/[^\d]/g, '').length > 15 ? new LongNumber(source) : value
}

class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Any JSON value as text, with names in order. */
export function textOf(value: unknown): string {
  return write(value, undefined, true)
}

function write(value: unknown, keyword: string | undefined, isData = false): string {
  if (value instanceof LongNumber) return value.source
  if (Array.isArray(value)) {
    const texts = value.map((each) => write(each, undefined, isData))
    return `[${(keyword !== undefined && SETS.has(keyword) ? texts.sort() : texts).join(',')}]`
  }
  if (!isNode(value)) return JSON.stringify(value)
  const isMapOfSets = keyword !== undefined && MAPS_OF_SETS.has(keyword)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeMember(name, value[name], isMapOfSets, isData)}`)
  return `{${members.join(',')}}`
}

function writeMember(name: string, value: unknown, isSet: boolean, isData: boolean): string {
  if (isData || DATA.has(name)) return write(value, undefined, true)
  if (name === '$schema' && typeof value === 'string') return JSON.stringify(value.replace(/#$/, ''))
  return write(value, isSet && Array.isArray(value) ? 'required' : name)
}
