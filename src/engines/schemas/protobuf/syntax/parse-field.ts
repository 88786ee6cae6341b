import type { Cursor } from './cursor.ts'
import type { FieldNode, Label, MessageNode, TypeNode } from './nodes.ts'
import { parseFullName, parseInteger, parseName } from './parse-names.ts'
import { parseBracketedOptions } from './parse-options.ts'

const LABELS: ReadonlySet<string> = new Set(['optional', 'required', 'repeated'])

/** What the body of a group becomes: a message beside the field. */
export type GroupBody = (name: string, at: number) => MessageNode

export interface ParsedField {
  readonly field: FieldNode
  readonly group?: MessageNode
}

/** At the label, or at the type where there is none. */
export function parseField(cursor: Cursor, oneof: string | undefined, parseBody: GroupBody): ParsedField {
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
