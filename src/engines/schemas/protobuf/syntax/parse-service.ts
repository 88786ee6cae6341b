import type { Cursor } from './cursor.ts'
import type { MethodNode, MethodTypeNode, OptionNode, ServiceNode } from './nodes.ts'
import { parseFullName, parseName } from './parse-names.ts'
import { parseOptionStatement } from './parse-options.ts'

/** After the word `service`. */
export function parseService(cursor: Cursor): ServiceNode {
  const { at } = cursor
  const name = parseName(cursor, 'the name of a service')
  const methods: MethodNode[] = []
  const options: OptionNode[] = []
  cursor.expect('{', `after the service ${name}`)
  while (!cursor.accept('}')) {
    cursor.effort.spend()
    if (cursor.accept(';')) continue
    if (cursor.accept('option')) options.push(parseOptionStatement(cursor))
    else {
      cursor.expect('rpc', 'at the beginning of a method')
      methods.push(parseMethod(cursor))
    }
  }
  return { name, at, methods, options }
}

function parseMethod(cursor: Cursor): MethodNode {
  const { at } = cursor
  const name = parseName(cursor, 'the name of a method')
  const input = parseMethodType(cursor)
  cursor.expect('returns', `after what the method ${name} takes`)
  const output = parseMethodType(cursor)
  const options: OptionNode[] = []
  if (cursor.accept('{')) {
    while (!cursor.accept('}')) {
      if (cursor.accept(';')) continue
      cursor.expect('option', `in the method ${name}`)
      options.push(parseOptionStatement(cursor))
    }
  } else cursor.expect(';', `after the method ${name}`)
  return { name, at, input, output, options }
}

function parseMethodType(cursor: Cursor): MethodTypeNode {
  cursor.expect('(', 'before the type of a message')
  let { at } = cursor
  let name = parseFullName(cursor, 'the name of a message')
  const isStream = name === 'stream' && !cursor.is(')')
  if (isStream) {
    at = cursor.at
    name = parseFullName(cursor, 'the name of a message')
  }
  cursor.expect(')', 'after the type of a message')
  return { name, at, isStream }
}
