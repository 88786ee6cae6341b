import { type Cursor, textOfBytes } from './cursor.ts'
import type {
  EnumNode,
  EnumValueNode,
  ExtensionNode,
  FieldNode,
  Label,
  MessageNode,
  NameNode,
  OneofNode,
  OptionNode,
  RangeNode,
  Syntax,
  TypeNode
} from './nodes.ts'
import {
  parseBracketedOptions,
  parseFullName,
  parseInteger,
  parseName,
  parseOptionStatement,
  parseString
} from './parse-option.ts'

export const MAX_FIELD_NUMBER = 536_870_911

/** The parts of a message, while it is parsed. */
interface Draft {
  readonly fields: FieldNode[]
  readonly oneofs: OneofNode[]
  readonly messages: MessageNode[]
  readonly enums: EnumNode[]
  readonly extensions: ExtensionNode[]
  readonly extensionRanges: RangeNode[]
  readonly reserved: RangeNode[]
  readonly reservedNames: NameNode[]
  readonly options: OptionNode[]
}

/** After the word `message`. */
export function parseMessage(cursor: Cursor, syntax: Syntax): MessageNode {
  const { at } = cursor
  return parseBody(cursor, syntax, parseName(cursor, 'the name of a message'), at)
}

function parseBody(cursor: Cursor, syntax: Syntax, name: string, at: number): MessageNode {
  const draft: Draft = {
    fields: [],
    oneofs: [],
    messages: [],
    enums: [],
    extensions: [],
    extensionRanges: [],
    reserved: [],
    reservedNames: [],
    options: []
  }
  cursor.expect('{', `after the message ${name}`)
  cursor.nested(() => {
    while (!cursor.accept('}')) {
      cursor.effort.spend()
      parseMember(cursor, syntax, draft)
    }
  })
  return { name, at, ...draft }
}

function parseMember(cursor: Cursor, syntax: Syntax, draft: Draft): void {
  if (cursor.accept(';')) return
  skipVisibility(cursor, syntax)
  if (cursor.accept('message')) draft.messages.push(parseMessage(cursor, syntax))
  else if (cursor.accept('enum')) draft.enums.push(parseEnum(cursor, syntax))
  else if (cursor.accept('oneof')) parseOneof(cursor, syntax, draft)
  else if (cursor.accept('option')) draft.options.push(parseOptionStatement(cursor))
  else if (cursor.accept('extend')) parseExtend(cursor, syntax, draft)
  else if (cursor.accept('extensions')) parseExtensionRanges(cursor, MAX_FIELD_NUMBER, draft.extensionRanges)
  else if (cursor.accept('reserved')) {
    parseReserved(cursor, syntax, MAX_FIELD_NUMBER, { ranges: draft.reserved, names: draft.reservedNames })
  } else draft.fields.push(parseFieldInto(cursor, syntax, undefined, draft))
}

/** Skips `export` and `local`: who may import a type does not concern data. */
export function skipVisibility(cursor: Cursor, syntax: Syntax): void {
  if (syntax !== '2024' || !(cursor.is('export') || cursor.is('local'))) return
  cursor.next()
  if (!cursor.is('message') && !cursor.is('enum')) cursor.fail(`Expected 'message' or 'enum', found ${cursor.found()}`)
}

function parseFieldInto(
  cursor: Cursor,
  syntax: Syntax,
  oneof: string | undefined,
  draft: { readonly messages: MessageNode[] }
): FieldNode {
  const { field, group } = parseField(cursor, oneof, (name, at) => parseBody(cursor, syntax, name, at))
  if (group !== undefined) draft.messages.push(group)
  return field
}

function parseOneof(cursor: Cursor, syntax: Syntax, draft: Draft): void {
  const { at } = cursor
  const name = parseName(cursor, 'the name of a oneof')
  const options: OptionNode[] = []
  cursor.expect('{', `after the oneof ${name}`)
  let isEmpty = true
  while (!cursor.accept('}')) {
    if (cursor.accept(';')) continue
    if (cursor.accept('option')) options.push(parseOptionStatement(cursor))
    else {
      draft.fields.push(parseFieldInto(cursor, syntax, name, draft))
      isEmpty = false
    }
  }
  if (isEmpty) cursor.fail(`The oneof ${name} has no fields; give it one or leave it out`, at)
  draft.oneofs.push({ name, at, options })
}

/** After the word `extend`. */
export function parseExtend(
  cursor: Cursor,
  syntax: Syntax,
  draft: { readonly extensions: ExtensionNode[]; readonly messages: MessageNode[] }
): void {
  const { at } = cursor
  const extendee = parseFullName(cursor, 'the message to extend')
  cursor.expect('{', `after the message to extend, ${extendee},`)
  while (!cursor.accept('}')) {
    if (cursor.accept(';')) continue
    draft.extensions.push({ extendee, at, field: parseFieldInto(cursor, syntax, undefined, draft) })
  }
}

const LABELS: ReadonlySet<string> = new Set(['optional', 'required', 'repeated'])

/** What the body of a group becomes: a message beside the field. */
type GroupBody = (name: string, at: number) => MessageNode

interface ParsedField {
  readonly field: FieldNode
  readonly group?: MessageNode
}

/** At the label, or at the type where there is none. */
function parseField(cursor: Cursor, oneof: string | undefined, parseBody: GroupBody): ParsedField {
  cursor.effort.spend()
  const labelAt = cursor.at
  const label = LABELS.has(cursor.text) && cursor.kind === 'word' ? (cursor.text as Label) : undefined
  if (label !== undefined) {
    if (oneof !== undefined) cursor.fail(`Fields of a oneof have no label; leave out '${label}'`, labelAt)
    cursor.next()
  }
  const typeAt = cursor.at
  const typeName = parseFullName(cursor, "a field, or '}'")
  if (typeName === 'group' && cursor.kind === 'word') return parseGroup(cursor, oneof, label, parseBody)
  const type: TypeNode =
    typeName === 'map' && cursor.is('<') ? parseMap(cursor, typeAt) : { kind: 'named', name: typeName, at: typeAt }
  if (type.kind === 'map' && label !== undefined) cursor.fail(`A map has no label; leave out '${label}'`, labelAt)
  if (type.kind === 'map' && oneof !== undefined)
    cursor.fail('A map cannot be in a oneof; put it into a message', typeAt)
  const { at } = cursor
  const name = parseName(cursor, 'the name of a field')
  cursor.expect('=', `between the field ${name} and its number`)
  const numberAt = cursor.at
  const number = parseInteger(cursor, 'the number of a field')
  const options = parseBracketedOptions(cursor)
  cursor.expect(';', `after the field ${name}`)
  return { field: { name, at, number, numberAt, label, type, oneof, options } }
}

function parseMap(cursor: Cursor, at: number): TypeNode {
  cursor.expect('<', 'after map')
  const key = parseFullName(cursor, 'the type of the keys')
  cursor.expect(',', 'between the types of a map')
  const valueAt = cursor.at
  const value = parseFullName(cursor, 'the type of the values')
  cursor.expect('>', 'after the types of a map')
  return { kind: 'map', key, value, at, valueAt }
}

function parseGroup(
  cursor: Cursor,
  oneof: string | undefined,
  label: Label | undefined,
  parseBody: GroupBody
): ParsedField {
  const { at } = cursor
  const name = parseName(cursor, 'the name of a group')
  if (!/^[A-Z]/.test(name)) cursor.fail(`The name of a group begins with a capital letter: ${name}`, at)
  cursor.expect('=', `between the group ${name} and its number`)
  const numberAt = cursor.at
  const number = parseInteger(cursor, 'the number of a field')
  const options = parseBracketedOptions(cursor)
  const type: TypeNode = { kind: 'group', name, at }
  const field = { name: name.toLowerCase(), at, number, numberAt, label, type, oneof, options }
  return { field, group: parseBody(name, at) }
}

const MAX_VALUE = 0x7fff_ffff

/** After the word `enum`. */
export function parseEnum(cursor: Cursor, syntax: Syntax): EnumNode {
  const { at } = cursor
  const name = parseName(cursor, 'the name of an enum')
  const values: EnumValueNode[] = []
  const options: OptionNode[] = []
  const reserved = { ranges: [] as RangeNode[], names: [] as NameNode[] }
  cursor.expect('{', `after the enum ${name}`)
  while (!cursor.accept('}')) {
    cursor.effort.spend()
    if (cursor.accept(';')) continue
    const start = cursor.at
    const word = parseName(cursor, "a value, or '}'")
    if (!cursor.is('=') && word === 'option') options.push(parseOptionStatement(cursor))
    else if (!cursor.is('=') && word === 'reserved') parseReserved(cursor, syntax, MAX_VALUE, reserved)
    else {
      cursor.expect('=', `between the value ${word} and its number`)
      const number = parseInteger(cursor, 'the number of a value')
      values.push({ name: word, at: start, number, options: parseBracketedOptions(cursor) })
      cursor.expect(';', `after the value ${word}`)
    }
  }
  return { name, at, values, options, reserved: reserved.ranges, reservedNames: reserved.names }
}

/** After the word `reserved`. Numbers and names in one statement are against the grammar, but common. */
function parseReserved(
  cursor: Cursor,
  syntax: Syntax,
  max: number,
  into: { ranges: RangeNode[]; names: NameNode[] }
): void {
  const areQuoted = syntax === 'proto2' || syntax === 'proto3'
  do {
    const { at, kind } = cursor
    if (kind !== 'string' && kind !== 'word') into.ranges.push(parseRange(cursor, max))
    else if (areQuoted !== (kind === 'string')) {
      cursor.fail(areQuoted ? 'Reserved names must be in quotes' : 'Reserved names must not be in quotes in an edition')
    } else
      into.names.push({
        name: areQuoted ? textOfBytes(parseString(cursor, 'a name')) : parseName(cursor, 'a name'),
        at
      })
  } while (cursor.accept(','))
  cursor.expect(';', 'after what is reserved')
}

/** After the word `extensions`. */
function parseExtensionRanges(cursor: Cursor, max: number, ranges: RangeNode[]): void {
  do ranges.push(parseRange(cursor, max))
  while (cursor.accept(','))
  // What is declared about extensions concerns whoever writes them, not data.
  parseBracketedOptions(cursor)
  cursor.expect(';', 'after the extension range')
}

function parseRange(cursor: Cursor, max: number): RangeNode {
  cursor.effort.spend()
  const { at } = cursor
  const from = parseInteger(cursor, 'a number or a name')
  const to = !cursor.accept('to') ? from : cursor.accept('max') ? max : parseInteger(cursor, "a number or 'max'")
  if (to < from) cursor.fail(`The range ${from} to ${to} ends before it begins`, at)
  return { from, to, at }
}
