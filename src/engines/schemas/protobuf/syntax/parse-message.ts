import type { Cursor } from './cursor.ts'
import type {
  EnumNode,
  ExtensionNode,
  FieldNode,
  MessageNode,
  NameNode,
  OneofNode,
  OptionNode,
  RangeNode,
  Syntax
} from './nodes.ts'
import { parseEnum } from './parse-enum.ts'
import { parseField } from './parse-field.ts'
import { parseFullName, parseName } from './parse-names.ts'
import { parseOptionStatement } from './parse-options.ts'
import { parseExtensionRanges, parseReserved } from './parse-ranges.ts'

export const MAX_FIELD_NUMBER = 536_870_911

/** What is being collected of a message. */
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

/** Who may import a type is no concern of data. */
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
