import type { Cursor } from './cursor.ts'
import type { OptionNode, OptionValue } from './nodes.ts'

/** Nobody writes longer names, and nested ones would make full names that take long to compare. */
const MAX_NAME_CHARS = 1_000

export function parseName(cursor: Cursor, what: string): string {
  const { at } = cursor
  const name = cursor.take('word', what)
  if (name.length > MAX_NAME_CHARS) cursor.fail(`A name has more than ${MAX_NAME_CHARS} characters; shorten it`, at)
  return name
}

/** `a.b.C` or `.a.b.C`. */
export function parseFullName(cursor: Cursor, what: string): string {
  const { at } = cursor
  let name = cursor.accept('.') ? '.' : ''
  name += cursor.take('word', what)
  while (cursor.accept('.')) name += `.${cursor.take('word', what)}`
  if (name.length > MAX_NAME_CHARS) cursor.fail(`A name has more than ${MAX_NAME_CHARS} characters; shorten it`, at)
  return name
}

const INT_LIMIT = 0x7fff_ffff

/** A number that a field or a value of an enum may be given. */
export function parseInteger(cursor: Cursor, what: string): number {
  const { at } = cursor
  const isNegative = cursor.accept('-')
  const text = cursor.take('integer', what)
  const isOctal = text.length > 1 && text.startsWith('0') && !/^0[xX]/.test(text)
  const number = isOctal ? Number.parseInt(text, 8) : Number(text)
  if (number > INT_LIMIT + (isNegative ? 1 : 0)) cursor.fail(`${text.slice(0, 40)} is out of range for ${what}`, at)
  return isNegative && number !== 0 ? -number : number
}

/** After the word `option`. */
export function parseOptionStatement(cursor: Cursor): OptionNode {
  const option = parseOption(cursor)
  cursor.expect(';', 'after the option')
  return option
}

/** `[a = 1, (b).c = "x"]`, or nothing. */
export function parseBracketedOptions(cursor: Cursor): OptionNode[] {
  const options: OptionNode[] = []
  if (!cursor.accept('[')) return options
  do options.push(parseOption(cursor))
  while (cursor.accept(','))
  cursor.expect(']', 'at the end of the options')
  return options
}

function parseOption(cursor: Cursor): OptionNode {
  cursor.effort.spend()
  const { at } = cursor
  let name = parsePartOfName(cursor)
  while (cursor.accept('.')) name += `.${parsePartOfName(cursor)}`
  cursor.expect('=', `between the option ${name} and its value`)
  return { name, value: parseValue(cursor), at }
}

function parsePartOfName(cursor: Cursor): string {
  if (!cursor.accept('(')) return cursor.take('word', 'the name of an option')
  const name = parseFullName(cursor, 'the name of an extension')
  cursor.expect(')', 'after the name of an extension')
  return `(${name.startsWith('.') ? name.slice(1) : name})`
}

function parseValue(cursor: Cursor): OptionValue {
  if (cursor.kind === 'string') return { kind: 'string', value: parseString(cursor, 'a value') }
  if (cursor.is('{')) return parseFields(cursor, '}')
  return parsePlain(cursor)
}

/** Strings that follow each other are one. */
export function parseString(cursor: Cursor, what: string): string {
  let text = cursor.take('string', what)
  while (cursor.kind === 'string') text += cursor.take('string', what)
  return text
}

function parsePlain(cursor: Cursor): OptionValue {
  const isNegative = cursor.accept('-')
  if (!isNegative) cursor.accept('+')
  const { kind, text } = cursor
  if (kind !== 'word' && kind !== 'integer' && kind !== 'float')
    cursor.fail(`Expected a value, found ${cursor.found()}`)
  cursor.next()
  const value = kind === 'word' ? text : kind === 'integer' ? spellInteger(text) : String(Number(text))
  return { kind: 'plain', value: isNegative ? `-${value}` : value }
}

function spellInteger(text: string): string {
  const isOctal = text.length > 1 && text.startsWith('0') && !/^0[xX]/.test(text)
  // No type has so many digits, and converting them takes long.
  if (text.length > 100) return text
  return BigInt(isOctal ? `0o${text.slice(1)}` : text).toString()
}

/** The text format, which values of messages are written in. */
function parseFields(cursor: Cursor, end: '}' | '>'): OptionValue {
  return cursor.nested(() => {
    const fields: [string, OptionValue][] = []
    cursor.next()
    while (!cursor.accept(end)) {
      cursor.effort.spend()
      const name = parseFieldName(cursor)
      const hasColon = cursor.accept(':')
      if (!hasColon && !cursor.is('{') && !cursor.is('<'))
        cursor.fail(`Expected ':' after ${name}, found ${cursor.found()}`)
      fields.push([name, parseFieldValue(cursor)])
      if (!cursor.accept(',')) cursor.accept(';')
    }
    return { kind: 'fields', fields }
  })
}

function parseFieldName(cursor: Cursor): string {
  if (!cursor.accept('[')) return cursor.take('word', "the name of a field, or '}'")
  let name = parseFullName(cursor, 'the name of an extension')
  if (cursor.accept('/')) name += `/${parseFullName(cursor, 'the name of a type')}`
  cursor.expect(']', 'after the name of an extension')
  return `[${name}]`
}

function parseFieldValue(cursor: Cursor): OptionValue {
  if (cursor.is('<')) return parseFields(cursor, '>')
  if (!cursor.is('[')) return parseValue(cursor)
  return cursor.nested(() => {
    const values: OptionValue[] = []
    cursor.next()
    if (cursor.accept(']')) return { kind: 'list', values }
    do values.push(parseFieldValue(cursor))
    while (cursor.accept(','))
    cursor.expect(']', 'at the end of a list')
    return { kind: 'list', values }
  })
}
