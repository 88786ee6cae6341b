import type { Effort } from '../../fault.ts'
import { Cursor, type SourceText, textOfBytes } from './cursor.ts'
import type { FileNode, ImportNode, MethodNode, MethodTypeNode, OptionNode, ServiceNode, Syntax } from './nodes.ts'
import { parseEnum, parseExtend, parseMessage, skipVisibility } from './parse-message.ts'
import { parseFullName, parseName, parseOptionStatement, parseString } from './parse-option.ts'

type Draft = {
  -readonly [Key in keyof FileNode]: FileNode[Key] extends readonly (infer Item)[] ? Item[] : FileNode[Key]
}

/** What a `.proto` text says. Names are not looked up here, only what one text alone can be wrong about. */
export function parseFile(source: SourceText, effort: Effort): FileNode {
  const cursor = new Cursor(source, effort)
  const draft: Draft = {
    source,
    syntax: parseSyntax(cursor),
    packageName: '',
    packageAt: -1,
    imports: [],
    options: [],
    messages: [],
    enums: [],
    services: [],
    extensions: []
  }
  while (cursor.kind !== 'end') {
    effort.spend()
    parseStatement(cursor, draft)
  }
  return draft
}

function parseSyntax(cursor: Cursor): Syntax {
  const { at } = cursor
  const word = cursor.text
  if (!cursor.accept('syntax') && !cursor.accept('edition')) return 'proto2'
  cursor.expect('=', `after ${word}`)
  const value = parseString(cursor, `the ${word}, in quotes`)
  cursor.expect(';', `after the ${word}`)
  if (word === 'syntax' && (value === 'proto2' || value === 'proto3')) return value
  if (word === 'edition' && (value === '2023' || value === '2024')) return value
  const known = word === 'syntax' ? '"proto2" and "proto3"' : '"2023" and "2024"'
  cursor.fail(`The ${word} "${textOfBytes(value).slice(0, 40)}" is not known; ${known} are`, at)
}

function parseStatement(cursor: Cursor, draft: Draft): void {
  if (cursor.accept(';')) return
  skipVisibility(cursor, draft.syntax)
  if (cursor.accept('message')) draft.messages.push(parseMessage(cursor, draft.syntax))
  else if (cursor.accept('enum')) draft.enums.push(parseEnum(cursor, draft.syntax))
  else if (cursor.accept('import')) draft.imports.push(parseImport(cursor))
  else if (cursor.accept('option')) draft.options.push(parseOptionStatement(cursor))
  else if (cursor.accept('extend')) parseExtend(cursor, draft.syntax, draft)
  else if (cursor.accept('service')) draft.services.push(parseService(cursor))
  else if (cursor.accept('package')) parsePackage(cursor, draft)
  else if (cursor.is('syntax') || cursor.is('edition')) cursor.fail(`'${cursor.text}' must be the first statement`)
  else cursor.fail(`Expected a statement such as 'message', 'enum', 'import' or 'package', found ${cursor.found()}`)
}

function parsePackage(cursor: Cursor, draft: Draft): void {
  if (draft.packageAt !== -1) cursor.fail('There is a second package; leave one')
  draft.packageAt = cursor.at
  draft.packageName = parseFullName(cursor, 'the name of a package')
  if (draft.packageName.startsWith('.')) cursor.fail('The name of a package does not begin with a dot', draft.packageAt)
  cursor.expect(';', 'after the package')
}

function parseImport(cursor: Cursor): ImportNode {
  const modifiers = ['public', 'weak', 'option'] as const
  const modifier = modifiers.find((word) => cursor.accept(word)) ?? ''
  const { at } = cursor
  const path = textOfBytes(parseString(cursor, 'the path of a file, in quotes'))
  cursor.expect(';', 'after the import')
  return { path, modifier, at }
}

/** After the word `service`. */
function parseService(cursor: Cursor): ServiceNode {
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
